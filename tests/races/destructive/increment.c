// race: x
/* Two increments. */
#include "../race.h"

int x;

static void *a(void *unused)
{
    x++;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    x++;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
