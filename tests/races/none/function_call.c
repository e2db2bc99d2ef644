// no race
/* Accesses at the end of a chain of calls, to two variables. */
#include "../race.h"

int x, y;

__attribute__((noinline)) static void deepest(int *p, int value)
{
    *p = value;
}

__attribute__((noinline)) static void deeper(int *p, int value)
{
    deepest(p, value + 1);
    USE(value);
}

static void *a(void *unused)
{
    int *volatile target = &x;
    deeper(target, 1);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    int *volatile target = &y;
    deeper(target, 2);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
