// race: x
/* A read, then a write, of eight bytes. */
#include "../race.h"

long x;

static void *a(void *unused)
{
    USE(x);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    x = 1;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
