// race: total
/* A loop that adds to one variable. */
#include "../race.h"

long total, numbers[100];

static void *a(void *unused)
{
    for (int i = 0; i < 100; i++)
        total += numbers[i];
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
