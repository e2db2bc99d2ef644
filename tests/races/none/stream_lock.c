// no race
/* The lock of a stream orders like any other. */
#include "../race.h"

#include <stdio.h>

int shared;

static void *a(void *unused)
{
    flockfile(stdout);
    shared = 1;
    funlockfile(stdout);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    while (ftrylockfile(stdout) != 0)
        ;
    shared = 2;
    funlockfile(stdout);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
