// race: made, value
/* A home-made once. */
#include "../race.h"

int value, made;

static void make(void)
{
    if (made)
        return;
    value = 42;
    made = 1;
}

static void *a(void *unused)
{
    make();
    USE(value);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    make();
    USE(value);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
