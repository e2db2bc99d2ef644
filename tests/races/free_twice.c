/* A block is freed by two threads. */
#include "race.h"

int *volatile shared;

static void *a(void *unused)
{
    free(shared);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    free(shared);
    return unused;
}

int main(void)
{
    shared = calloc(10, sizeof *shared);
    run(a, b);
    return 0;
}
