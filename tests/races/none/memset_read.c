// no race
/* memset of half an array, the other half of which another thread reads. */
#include "../race.h"
#include <string.h>

char bytes[64];

static void *a(void *unused)
{
    memset(bytes, 1, 32);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(bytes[33]);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
