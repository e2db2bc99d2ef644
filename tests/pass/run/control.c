/* Every shape of control flow: the copies must agree on where they go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf env;
static int state, trace[64], n_trace;

static void note(int what)
{
    trace[n_trace++ % 64] = what;
}

static int computed(const unsigned char *program)
{
    static const void *const labels[] = {&&push, &&add, &&mul, &&stop};
    int stack[8], top = 0;
    goto *labels[*program++];
push:
    stack[top++] = *program++;
    goto *labels[*program++];
add:
    top--, stack[top - 1] += stack[top];
    goto *labels[*program++];
mul:
    top--, stack[top - 1] *= stack[top];
    goto *labels[*program++];
stop:
    return stack[0];
}

static void jump(int depth)
{
    state++;
    if (depth == 0)
        longjmp(env, 7);
    jump(depth - 1);
    note(depth);
}

static int jumps(void)
{
    volatile int local = 1;
    int got = setjmp(env);
    if (!got) {
        local = 2;
        jump(5);
    }
    return got * 10 + local + state;
}

static int sum_list(int n, va_list list)
{
    int total = 0;
    while (n--)
        total += va_arg(list, int) + (state & 1);
    return total;
}

/* Arguments beyond the registers, floating ones too, through the jump to the copy. */
int variadic(int n, ...)
{
    va_list list;
    va_start(list, n);
    int total = sum_list(n, list);
    va_end(list);
    note(total);
    return total;
}

double many(int a, double b, long c, float d, char e, double f, short g, long h, long i, double j,
            long k, double l, double m, double n, double o, double p, double q)
{
    state += a;
    return a + b + (double)c + d + e + f + g + (double)h + (double)i + j + (double)k + l + m + n +
           o + p + q + state;
}

struct pair {
    long a;
    double b;
};
struct wide {
    long a[5];
};

struct pair pairs(struct pair p, struct wide w)
{
    state++;
    return (struct pair){p.a + w.a[4] + state, p.b * 2};
}

struct wide wides(struct wide w, int k)
{
    w.a[k] += state;
    return w;
}

static int odd(int n);
static int even(int n)
{
    note(n);
    return n == 0 ? 1 : odd(n - 1);
}
static int odd(int n)
{
    return n == 0 ? state * 0 : even(n - 1);
}

/* The optimiser turns both into loops that add up; the second only after inlining. */
struct list {
    struct list *next;
    int value;
};
static int total(const struct list *list)
{
    return list ? list->value + total(list->next) : 0;
}
static int total_odd(const struct list *list);
static int total_even(const struct list *list)
{
    return list ? list->value + total_odd(list->next) : 0;
}
static int total_odd(const struct list *list)
{
    return list ? 2 * list->value + total_even(list->next) : 0;
}

static int tail(int n, int acc)
{
    state ^= n;
    if (!n)
        return acc;
    __attribute__((musttail)) return tail(n - 1, acc + n);
}

static const char *choose(int n)
{
    switch (n + trace[0] * 0) {
    case 0:
        return "zero";
    case 1 ... 5:
        return "few";
    case 100:
        state++; /* fall through */
    case 101:
        return "hundred";
    default:
        return "many";
    }
}

static int collatz(int *n)
{
    int steps = 0;
    while (*n != 1) {
        if (*n & 1)
            *n = 3 * *n + 1;
        else
            *n /= 2;
        steps++;
    }
    return steps;
}

/* A loop entered in the middle: no header dominates it. */
static int irreducible(int n, int *limit)
{
    int total = 0;
    if (n & 1)
        goto middle;
    for (;;) {
        total += n;
    middle:
        if (++n > *limit)
            break;
        total ^= n;
    }
    return total;
}

__attribute__((pure)) static int pure(const int *p)
{
    return p[0] + p[1];
}
__attribute__((const)) static int constant(int n)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += i;
    return total;
}
__attribute__((weak)) int weak(int n)
{
    return state + n;
}
__attribute__((always_inline)) static inline int inlined(int *p)
{
    return (*p)++;
}
static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
__attribute__((constructor)) static void first(void)
{
    state = 100;
}
__attribute__((destructor)) static void last(void)
{
    printf("end %d\n", state);
}
__attribute__((noreturn)) static void leave(int code)
{
    state += code;
    exit(code);
}

int main(void)
{
    static const unsigned char program[] = {0, 3, 0, 4, 1, 0, 5, 2, 3};
    int numbers[] = {5, 3, 9, 1}, n = 27, limit = 9, again = 27;
    printf("%d %d\n", computed(program), jumps());
    printf("%d %d\n", variadic(9, 1, 2, 3, 4, 5, 6, 7, 8, 9), variadic(0));
    printf("%g\n", many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17));
    struct pair p = pairs((struct pair){1, 2}, (struct wide){{1, 2, 3, 4, 5}});
    struct wide w = wides((struct wide){{1, 2, 3, 4, 5}}, 2);
    printf("%ld %g %ld\n", p.a, p.b, w.a[2]);
    printf("%d %d %d\n", even(20), odd(7), tail(100000, 0));
    struct list lists[3] = {{&lists[1], 1}, {&lists[2], 2}, {NULL, 3}};
    printf("%d %d\n", total(lists), total_even(lists));
    printf("%s %s %s %s\n", choose(0), choose(3), choose(100), choose(-1));
    printf("%d %d %d\n", collatz(&n), irreducible(1, &limit), irreducible(2, &limit));
    qsort(numbers, 4, sizeof *numbers, compare);
    printf("%d %d %d %d\n", numbers[0], numbers[3], pure(numbers), constant(10));
    printf("%d %d %d\n", weak(1), inlined(&again), again);
    for (int i = 0; i < 3; i++)
        printf("%d ", trace[i]);
    puts("");
    leave(0);
}
