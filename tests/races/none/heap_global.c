// no race
/* A block that one thread freed and the other got again. */
#include "../race.h"

int *volatile got[2];

static void *a(void *unused)
{
    got[0] = malloc(24);
    *got[0] = 1;
    free(got[0]);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    for (int i = 0; i < 1000; i++) {
        int *block = malloc(24);
        *block = i;
        free(block);
    }
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
