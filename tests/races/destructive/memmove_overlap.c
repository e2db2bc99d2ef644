// race: bytes[]
/* memmove within an array, and a write at its end. */
#include "../race.h"
#include <string.h>

char bytes[64];

static void *a(void *unused)
{
    memmove(bytes + 1, bytes, 40);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    bytes[40] = 1;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
