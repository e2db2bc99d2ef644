// race: u.all
/* Four bytes and two of them. */
#include "../race.h"

union {
    int all;
    short parts[2];
} u;

static void *a(void *unused)
{
    u.all = 1;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    u.parts[1] = 2;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
