// race: s.v[]
/* A struct of 40 bytes, copied at once. */
#include "../race.h"

struct {
    long v[5];
} s, other;

static void *a(void *unused)
{
    s = other;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    s.v[3] = 1;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
