/* Anderson's lock: a ticket is a place in an array of flags, whose elements must be atomic. */
#include "two.h"

static SHARED(int) may_enter[2] = {1, 0};
static atomic_int tail;
static int counter;

static void *work(void *arg)
{
    int slot = atomic_fetch_add(&tail, 1) % 2;
    while (!may_enter[slot])
        ;
    counter++;
    may_enter[slot] = 0;
    may_enter[(slot + 1) % 2] = 1;
    return arg;
}

int main(void)
{
    run_two(work, work);
    assert(counter == 2);
    return 0;
}
