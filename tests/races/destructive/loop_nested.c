// race: block[][]
/* Nested loops over a block, and an element of it. */
#include "../race.h"

int block[20][20];

static void *a(void *unused)
{
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 20; j++)
            block[i][j] = i;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    block[19][19] = 1;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
