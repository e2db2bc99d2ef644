// no race
/* Loops over bytes that meet within a word. */
#include "../race.h"

char bytes[100];

static void *a(void *unused)
{
    for (int i = 0; i < 52; i++)
        bytes[i] = 1;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    for (int i = 52; i < 100; i++)
        bytes[i] = 2;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
