// no race
/* A block is used by another thread and freed by main. */
#include "../race.h"

int *volatile shared;

static void *a(void *unused)
{
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    shared[5] = 1;
    return unused;
}

int main(void)
{
    shared = calloc(10, sizeof *shared);
    run(a, b);
    free(shared);
    return 0;
}
