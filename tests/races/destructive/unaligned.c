// race: memory[]
/* Unaligned words that have a byte in common. */
#include "../race.h"

char memory[32];

static void put(char *at, long value)
{
    typedef long loose __attribute__((aligned(1)));
    loose *p = (loose *)at;
    *p = value;
}

static void *a(void *unused)
{
    put(memory + 3, 1);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    put(memory + 10, 2);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
