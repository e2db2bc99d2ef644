// no race
/* Both threads write the same value, atomically. */
#include "../race.h"
#include <stdatomic.h>

atomic_int x;

static void *a(void *unused)
{
    x = 1;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    x = 1;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
