// race: *calls
/* A block whose only pointer is a variable: the optimiser puts it into a variable of its own. */
#include "../race.h"

static int *calls;

static void *a(void *unused)
{
    ++*calls;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    ++*calls;
    return unused;
}

int main(void)
{
    calls = malloc(sizeof *calls);
    *calls = 0;
    run(a, b);
    return 0;
}
