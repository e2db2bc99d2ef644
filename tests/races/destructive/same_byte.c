// race: bytes[]
/* The same byte of an array. */
#include "../race.h"

char bytes[8];

static void *a(void *unused)
{
    bytes[3] = 1;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    bytes[3] = 2;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
