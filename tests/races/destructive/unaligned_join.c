// race: buffer[]
/* Eight bytes that are read in unaligned pieces, until all are read: whoever writes one of them
   races, also when the pieces have become one again. */
#include "../race.h"
#include <string.h>

static _Alignas(8) char buffer[16];

static unsigned piece(int at)
{
    unsigned value;
    memcpy(&value, &buffer[at], sizeof value);
    return value;
}

static void *a(void *unused)
{
    USE(piece(0));
    USE(piece(3));
    USE(piece(5));
    USE(piece(1));
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    *(volatile char *)&buffer[6] = 1;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
