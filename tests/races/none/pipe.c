// no race
/* What is read from a pipe was written before. */
#include "../race.h"

static int ends[2];
int x;

static void *a(void *unused)
{
    x = 1;
    return write(ends[1], "", 1) == 1 ? unused : NULL;
}

static void *b(void *unused)
{
    char byte;
    if (read(ends[0], &byte, 1) == 1)
        x = 2;
    return unused;
}

int main(void)
{
    if (pipe(ends) != 0)
        return 1;
    run(a, b);
    return 0;
}
