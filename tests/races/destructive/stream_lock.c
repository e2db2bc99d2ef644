// race: shared
/* The locks of two streams order nothing. */
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
    while (ftrylockfile(stderr) != 0)
        ;
    shared = 2;
    funlockfile(stderr);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
