// no race
/* A loop that sums up an array but for the last element, which is written. */
#include "../race.h"

long numbers[1000];

static void *a(void *unused)
{
    long sum = 0;
    for (int i = 0; i < 999; i++)
        sum += numbers[i];
    USE(sum);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    numbers[999] = 1;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
