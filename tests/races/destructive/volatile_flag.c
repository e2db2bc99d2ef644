// race: data, ready
/* volatile orders nothing. */
#include "../race.h"

int data;
volatile int ready;

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
