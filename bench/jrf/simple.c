/* Simple, and SimpleVolatile: a flag says that data is there. */
#include "two.h"

static int data;
static SHARED(int) done;

static void *producer(void *arg)
{
    data = 42;
    done = 1;
    return arg;
}

static void *consumer(void *arg)
{
    while (!done)
        ;
    assert(data == 42);
    return arg;
}

int main(void)
{
    run_two(producer, consumer);
    return 0;
}
