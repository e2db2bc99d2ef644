// no race
/* A static local that is thread-local. */
#include "../race.h"

static void count(void)
{
    static _Thread_local int calls;
    calls++;
}

static void *a(void *unused)
{
    count();
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    count();
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
