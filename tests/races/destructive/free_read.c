// race: shared[]
/* A block is freed while another thread still reads it. */
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
    free(shared);
    return unused;
}

int main(void)
{
    shared = calloc(10, sizeof *shared);
    run(a, b);
    return 0;
}
