// no race
/* A block is freed after the thread that read it was joined. */
#include "../race.h"

int *volatile shared;

static void *a(void *unused)
{
    USE(shared[5]);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    return unused;
}

int main(void)
{
    shared = calloc(10, sizeof *shared);
    run(a, b);
    free(shared);
    return 0;
}
