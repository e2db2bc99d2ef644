// no race
/* A loop that adds to a local. */
#include "../race.h"

long total, numbers[100];

static void *a(void *unused)
{
    long sum = 0;
    for (int i = 0; i < 100; i++)
        sum += numbers[i];
    USE(sum);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(total);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
