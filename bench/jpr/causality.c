/*
 * The Java memory model's causality test cases (Pugh and others, 2004), in C: plain variables,
 * seq_cst atomics where the tests have volatiles. The first argument names the test; what the
 * registers hold in the end is printed. cases.list says which outcome is asked about, and
 * whether it is allowed.
 *
 * Registers are written by one thread each and printed when all have been joined.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static int x, y, z, w, a, b, array[2] = {1, 2};
static _Atomic int vx, vy;
static int r0, r1, r2, r3, r4;

typedef void *thread(void *);

#define THREAD(name)                                                                               \
    static void name##_body(void);                                                                 \
    static void *name(void *arg)                                                                   \
    {                                                                                              \
        name##_body();                                                                             \
        return arg;                                                                                \
    }                                                                                              \
    static void name##_body(void)

/* Threads that several tests have in common. */
THREAD(y_to_x)
{
    r2 = y;
    x = r2;
}
THREAD(x_to_y)
{
    r1 = x;
    y = r1;
}
THREAD(y_to_x_3)
{
    r3 = y;
    x = r3;
}
THREAD(x_is_2)
{
    x = 2;
}
THREAD(x_is_0)
{
    x = 0;
}
THREAD(z_is_1)
{
    z = 1;
}
THREAD(y_if_x)
{
    r1 = x;
    if (r1 == 1)
        y = 1;
}
THREAD(x_if_y)
{
    r2 = y;
    if (r2 == 1)
        x = 1;
}

THREAD(tc1_1)
{
    r1 = x;
    if (r1 >= 0)
        y = 1;
}
THREAD(tc2_1)
{
    r1 = x;
    r2 = x;
    if (r1 == r2)
        y = 1;
}
THREAD(tc5_4)
{
    r3 = z;
    x = r3;
}
THREAD(tc6_1)
{
    r1 = a;
    if (r1 == 1)
        b = 1;
}
THREAD(tc6_2)
{
    r2 = b;
    if (r2 == 1)
        a = 1;
    if (r2 == 0)
        a = 1;
}
THREAD(tc7_1)
{
    r1 = z;
    r2 = x;
    y = r2;
}
THREAD(tc7_2)
{
    r3 = y;
    z = r3;
    x = 1;
}
THREAD(tc8_1)
{
    r1 = x;
    r2 = 1 + r1 * r1 - r1;
    y = r2;
}
THREAD(tc10_4)
{
    r3 = z;
    if (r3 == 1)
        x = 1;
}
THREAD(tc11_1)
{
    r1 = z;
    w = r1;
    r2 = x;
    y = r2;
}
THREAD(tc11_2)
{
    r4 = w;
    r3 = y;
    z = r3;
    x = 1;
}
THREAD(tc12_1)
{
    r1 = x;
    array[r1 & 1] = 0;
    r2 = array[0];
    y = r2;
}
THREAD(tc14_1)
{
    r1 = a;
    if (r1 == 0)
        vy = 1;
    else
        b = 1;
}
THREAD(tc14_2)
{
    int from_y, from_b;
    do {
        from_y = vy;
        from_b = b;
    } while (from_y + from_b == 0);
    a = 1;
    r2 = from_y;
    r3 = from_b;
}
THREAD(tc15_1)
{
    r0 = vx;
    r1 = r0 == 1 ? a : 0;
    if (r1 == 0)
        vy = 1;
    else
        b = 1;
}
THREAD(tc15_3)
{
    vx = 1;
}
THREAD(tc16_1)
{
    r1 = x;
    x = 1;
}
THREAD(tc16_2)
{
    r2 = x;
    x = 2;
}
THREAD(tc17_1)
{
    r3 = x;
    if (r3 != 42)
        x = 42;
    r1 = x;
    y = r1;
}
THREAD(tc18_1)
{
    r3 = x;
    if (r3 == 0)
        x = 42;
    r1 = x;
    y = r1;
}
THREAD(tc19_3)
{
    r3 = x;
    if (r3 != 42)
        x = 42;
}
THREAD(tc20_3)
{
    r3 = x;
    if (r3 == 0)
        x = 42;
}

/* tc19, tc20: a thread joins another one before it does anything. */
static pthread_t joined;
THREAD(joining)
{
    pthread_join(joined, NULL);
    r1 = x;
    y = r1;
}

static const struct test {
    const char *name;
    thread *threads[4];
    thread *first; /* is created first, and joined by one of the others */
} tests[] = {
    {"tc1", {tc1_1, y_to_x}, NULL},
    {"tc2", {tc2_1, y_to_x_3}, NULL},
    {"tc3", {tc2_1, y_to_x_3, x_is_2}, NULL},
    {"tc4", {x_to_y, y_to_x}, NULL},
    {"tc5", {x_to_y, y_to_x, z_is_1, tc5_4}, NULL},
    {"tc6", {tc6_1, tc6_2}, NULL},
    {"tc7", {tc7_1, tc7_2}, NULL},
    {"tc8", {tc8_1, y_to_x_3}, NULL},
    {"tc9", {tc8_1, y_to_x_3, x_is_2}, NULL},
    {"tc9a", {tc8_1, y_to_x_3, x_is_0}, NULL},
    {"tc10", {y_if_x, x_if_y, z_is_1, tc10_4}, NULL},
    {"tc11", {tc11_1, tc11_2}, NULL},
    {"tc12", {tc12_1, y_to_x_3}, NULL},
    {"tc13", {y_if_x, x_if_y}, NULL},
    {"tc14", {tc14_1, tc14_2}, NULL},
    {"tc15", {tc15_1, tc14_2, tc15_3}, NULL},
    {"tc16", {tc16_1, tc16_2}, NULL},
    {"tc17", {tc17_1, y_to_x}, NULL},
    {"tc18", {tc18_1, y_to_x}, NULL},
    {"tc19", {joining, y_to_x}, tc19_3},
    {"tc20", {joining, y_to_x}, tc20_3},
};

static void run(const struct test *test)
{
    pthread_t threads[4];
    int n = 0;
    if (!strcmp(test->name, "tc9a"))
        x = 2;
    if (test->first)
        pthread_create(&joined, NULL, test->first, NULL);
    for (; n < 4 && test->threads[n]; n++)
        pthread_create(&threads[n], NULL, test->threads[n], NULL);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    printf("r0=%d r1=%d r2=%d r3=%d r4=%d\n", r0, r1, r2, r3, r4);
}

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (argc == 2 && !strcmp(argv[1], tests[i].name)) {
            run(&tests[i]);
            return 0;
        }
    fputs("usage: causality tc1...tc20\n", stderr);
    return 2;
}
