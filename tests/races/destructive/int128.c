// race: x.all
/* A write of sixteen bytes and one into its upper half. */
#include "../race.h"

union {
    __int128 all;
    long halves[2];
} x;

static void *a(void *unused)
{
    x.all = 1;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    x.halves[1] = 2;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
