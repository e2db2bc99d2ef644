// no race
/* Variables whose value is a constant, and a choice between two such: which variable it is has no
   answer in the debug information. */
#include "../race.h"
#include <stdio.h>

static int small[4] = {1, 2, 3, 4}, large[4] = {5, 6, 7, 8};
static int which;

static void show(const int *table)
{
    printf("%d\n", table[0]);
}

static void *a(void *unused)
{
    show(small);
    show(large);
    return unused;
}

static void *b(void *unused)
{
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += *(which > i ? small : large);
    USE(sum);
    return unused;
}

int main(int argc, char **argv)
{
    (void)argv;
    which = argc;
    run(a, b);
    (argc > 3 ? small : large)[argc]++;
    return 0;
}
