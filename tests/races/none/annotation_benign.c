// no race
/* A race that is said to be meant. */
#include "../race.h"
#include <stalemate.h>

int x, y;

static void *a(void *unused)
{
    x = 1;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    x = 2;
    return unused;
}

int main(void)
{
    stalemate_benign(&x, sizeof x, "a test");
    run(a, b);
    return 0;
}
