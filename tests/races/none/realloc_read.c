// no race
/* Each thread moves a block of its own. */
#include "../race.h"

int *volatile shared;

static void *a(void *unused)
{
    int *own = malloc(40);
    own[5] = 1;
    own = realloc(own, 100000);
    USE(own[5]);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    int *own = malloc(40);
    own[5] = 1;
    own = realloc(own, 100000);
    USE(own[5]);
    return unused;
}

int main(void)
{
    shared = calloc(10, sizeof *shared);
    run(a, b);
    return 0;
}
