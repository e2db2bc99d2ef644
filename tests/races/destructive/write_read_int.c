// race: x
/* A write, then a read. */
#include "../race.h"

int x;

static void *a(void *unused)
{
    x = 1;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(x);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
