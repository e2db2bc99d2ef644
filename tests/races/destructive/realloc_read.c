// race: shared[]
/* A block is moved while another thread reads it. */
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
    int *moved = realloc(shared, 100000);
    USE(moved);
    return unused;
}

int main(void)
{
    shared = calloc(10, sizeof *shared);
    run(a, b);
    return 0;
}
