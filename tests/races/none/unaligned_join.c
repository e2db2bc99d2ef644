// no race
/* Unaligned pieces of eight bytes; the other thread writes the one byte that is in none of them. */
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
    USE(piece(2));
    USE(piece(1));
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    *(volatile char *)&buffer[7] = 1;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
