// race: numbers[]
/* A loop that runs once. */
#include "../race.h"

int numbers[100], turns = 1;

static void *a(void *unused)
{
    for (int i = 0; i < turns; i++)
        numbers[i] = i;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(numbers[0]);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
