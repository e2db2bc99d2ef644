// race: numbers[]
/* Loops over every second element that have one in common. */
#include "../race.h"

double numbers[1000];

static void *a(void *unused)
{
    for (int i = 0; i < 1000; i += 2)
        numbers[i] = i;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    for (int i = 500; i < 501; i += 2)
        numbers[i] = i;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
