// race: u.all
/* Eight bytes and the upper four of them. */
#include "../race.h"

union {
    long all;
    int halves[2];
} u;

static void *a(void *unused)
{
    u.all = 1;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    u.halves[1] = 2;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
