// race: x
/* Two writes of a int. */
#include "../race.h"

int x;

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
    run(a, b);
    return 0;
}
