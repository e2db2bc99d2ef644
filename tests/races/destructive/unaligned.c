// race: *p
/* Unaligned words that have a byte in common. */
#include "../race.h"

char memory[32];
typedef long loose __attribute__((aligned(1)));

__attribute__((noinline)) static void put(loose *p, long value)
{
    *p = value;
}

static void *a(void *unused)
{
    put((loose *)(memory + 3), 1);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    put((loose *)(memory + 10), 2);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
