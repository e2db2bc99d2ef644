// no race
/* A loop that goes down to the element behind. */
#include "../race.h"

int numbers[100];

static void *a(void *unused)
{
    for (int i = 99; i >= 10; i--)
        numbers[i] = i;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    numbers[9] = 1;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
