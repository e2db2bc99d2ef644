/* Every size and kind of value a plain access can have. */
#include <complex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef float float4 __attribute__((vector_size(16)));
typedef int int8 __attribute__((vector_size(32)));
typedef char char2 __attribute__((vector_size(2)));
typedef struct {
    char c;
    short s;
    int i;
    long l;
    float f;
    double d;
    long double ld;
    bool b;
    void *p;
    __int128 w;
    float4 v4;
    int8 v8;
    char2 v2;
    float complex fc;
    double complex dc;
    _BitInt(24) b24;
    _BitInt(7) b7;
    int (*fn)(const char *, ...);
} All;

struct bits {
    unsigned a : 3, b : 5, c : 20;
    signed d : 4;
    long e : 40;
    _Bool f : 1;
};

struct three {
    char c[3];
};
struct big {
    int n[40];
};

All all, *indirect = &all;
struct bits bits[2];
struct three three;
struct big big, copy;
volatile int vol;
volatile double vold;
union {
    int i;
    float f;
    char c[8];
} un;

static struct three make_three(const struct three *from)
{
    struct three t = *from;
    t.c[1]++;
    return t;
}

static struct big make_big(struct big by_value, int k)
{
    by_value.n[k] = k;
    return by_value;
}

static void fill(All *a)
{
    a->c = -3, a->s = -300, a->i = 70000, a->l = 1L << 40, a->f = 1.5f, a->d = -2.25;
    a->ld = 3.125L, a->b = true, a->p = &all, a->w = ((__int128)5 << 70) - 1;
    a->v4 = (float4){1, 2, 3, 4}, a->v8 = (int8){1, 2, 3, 4, 5, 6, 7, 8}, a->v2 = (char2){7, 9};
    a->fc = 1 + 2 * I, a->dc = 3 - 4 * I, a->b24 = -5, a->b7 = 33, a->fn = printf;
    a->v4 += a->v4, a->v8 *= 3, a->ld *= a->ld, a->w += 17;
}

static void show(const All *a)
{
    a->fn("%d %d %d %ld %g %g %Lg %d %d\n", a->c, a->s, a->i, a->l, a->f, a->d, a->ld, a->b,
          a->p == &all);
    printf("%llx %llx\n", (unsigned long long)(a->w >> 64), (unsigned long long)a->w);
    printf("%g %g %d %d %d %d\n", a->v4[0], a->v4[3], a->v8[0], a->v8[7], a->v2[0], a->v2[1]);
    printf("%g %g %g %g %d %d\n", crealf(a->fc), cimagf(a->fc), creal(a->dc), cimag(a->dc),
           (int)a->b24, (int)a->b7);
}

static void bit_fields(struct bits *b)
{
    b->a = 5, b->b = 17, b->c = 0x54321, b->d = -3, b->e = -1234567890123L, b->f = 1;
    b[1] = b[0];
    b[1].b--;
    printf("%u %u %x %d %ld %d %u\n", b->a, b->b, b->c, b->d, (long)b->e, b->f, b[1].b);
}

static double sum(int n, ...)
{
    va_list list, again;
    double total = 0;
    va_start(list, n);
    va_copy(again, list);
    for (int i = 0; i < n; i++)
        total += i % 2 ? va_arg(list, double) : va_arg(list, int);
    total += va_arg(again, int);
    va_end(again);
    va_end(list);
    return total;
}

static int vla(int n)
{
    int data[n], total = 0;
    memset(data, 0, sizeof data);
    for (int i = 0; i < n; i++)
        data[i] = i * vol;
    for (int i = 0; i < n; i++)
        total += data[i];
    int *more = __builtin_alloca(sizeof(int) * (size_t)n);
    memcpy(more, data, sizeof data);
    return total + more[n - 1];
}

static void strings(void)
{
    char a[64] = "abc", *b = malloc(64), *d = strdup("tail");
    strcpy(b, "xyz");
    strcat(b, a);
    strncat(b, "12345", 2);
    memmove(b + 1, b, strlen(b) + 1);
    printf("%s %zu %zu %d %d %s %s %s\n", b, strlen(b), strnlen(b, 3), strcmp(a, "abd") < 0,
           strncmp(a, b, 1) != 0, strchr(b, 'z'), strrchr(b, 'b'), strstr(b, "abc"));
    printf("%d %s %s\n", memcmp(a, "abc", 4), (char *)memchr(b, 'y', 9), d);
    strncpy(b, "q", 8);
    printf("%s %d\n", b, b[7]);
    free(b), free(d);
}

int main(void)
{
    fill(indirect);
    show(&all);
    bit_fields(bits);
    three = (struct three){{1, 2, 3}};
    three = make_three(&three);
    big = make_big(big, 7);
    copy = big;
    memset(&big, 0xff, sizeof big);
    vol = 3, vol += 4, vold = vol;
    un.f = 1.0f;
    un.i += 1;
    printf("%d %d %d %d %g %x %g\n", three.c[0], three.c[1], copy.n[7], big.n[7], vold, un.i, un.f);
    printf("%g %d\n", sum(5, 1, 2.5, 3, 4.5, 5), vla(10));
    strings();
    return 0;
}
