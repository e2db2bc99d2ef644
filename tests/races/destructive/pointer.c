// race: p
/* A pointer that is set and followed. */
#include "../race.h"

int x, *p = &x;

static void *a(void *unused)
{
    p = NULL;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    int *seen = p;
    USE(seen);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
