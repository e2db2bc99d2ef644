// race: shared[]
// detect race: use-after-free
/* A block is used by another thread after it was freed. */
#include "../race.h"

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
    shared[5] = 1;
    return unused;
}

int main(void)
{
    shared = calloc(10, sizeof *shared);
    run(a, b);
    return 0;
}
