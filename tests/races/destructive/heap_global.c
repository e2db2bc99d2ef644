// race: *shared
/* A block that two threads share through a global. */
#include "../race.h"

int *shared;

static void *a(void *unused)
{
    *shared = 1;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    *shared = 2;
    return unused;
}

int main(void)
{
    shared = malloc(sizeof *shared);
    run(a, b);
    return 0;
}
