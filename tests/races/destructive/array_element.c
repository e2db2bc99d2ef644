// race: table[]
/* One element of an array. */
#include "../race.h"

int table[100];

static void *a(void *unused)
{
    table[17] = 1;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    table[17] = 2;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
