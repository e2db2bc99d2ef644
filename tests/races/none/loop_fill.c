// no race
/* A loop that fills half an array, and a read of the other half. */
#include "../race.h"

int numbers[1000];

static void *a(void *unused)
{
    for (int i = 0; i < 500; i++)
        numbers[i] = i;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(numbers[500]);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
