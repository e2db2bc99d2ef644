// race: x
/* An annotation on one side only. */
#include "../race.h"
#include <stalemate.h>

int x, token;

static void *a(void *unused)
{
    x = 1;
    stalemate_happens_before(&token);
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
