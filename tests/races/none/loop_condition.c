// no race
/* A loop that writes some elements, but not the one that is read. */
#include "../race.h"

int numbers[100], choose[100];

static void *a(void *unused)
{
    for (int i = 0; i < 100; i++)
        if (choose[i])
            numbers[i] = i;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(numbers[50]);
    return unused;
}

int main(void)
{
    choose[51] = 1;
    run(a, b);
    return 0;
}
