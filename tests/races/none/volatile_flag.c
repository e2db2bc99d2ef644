// no race
/* An atomic flag does what volatile does not. */
#include "../race.h"
#include <stdatomic.h>

int data;
atomic_int ready;

static void *a(void *unused)
{
    data = 1;
    ready = 1;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    while (!ready)
        ;
    USE(data);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
