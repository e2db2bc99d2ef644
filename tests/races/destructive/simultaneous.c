// race: x
/* Two threads at the same moment. */
#include "../race.h"

int x;

static void *a(void *unused)
{
    for (int i = 0; i < 1000; i++)
        x++;
    return unused;
}

static void *b(void *unused)
{
    for (int i = 0; i < 1000; i++)
        x++;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
