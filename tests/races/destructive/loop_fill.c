// race: numbers[]
/* A loop that fills an array, and a read of one element. */
#include "../race.h"

int numbers[1000];

static void *a(void *unused)
{
    for (int i = 0; i < 1000; i++)
        numbers[i] = i;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(numbers[567]);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
