// no race
// controlled race: x
/* One side is not to be looked at. Under control it is all the same: lies are legal only if every
   access is seen. */
#include "../race.h"

int x;

__attribute__((noinline, no_sanitize("thread"))) static void hidden(void)
{
    x = 3;
}

static void *a(void *unused)
{
    hidden();
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
