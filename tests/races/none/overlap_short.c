// no race
/* The two halves of four bytes. */
#include "../race.h"

union {
    int all;
    short parts[2];
} u;

static void *a(void *unused)
{
    u.parts[0] = 1;
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
