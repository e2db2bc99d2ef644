/* The sense-reversing barrier: the sense that threads wait for must be atomic. */
#include "two.h"

static atomic_int count = 2;
static SHARED(int) sense;
static int values[2];

static void await(int mine)
{
    if (atomic_fetch_sub(&count, 1) == 1) {
        count = 2;
        sense = mine;
        return;
    }
    while (sense != mine)
        ;
}

static void *work(void *arg)
{
    int me = *(int *)arg;
    values[me] = 1;
    await(1);
    assert(values[1 - me] == 1);
    return arg;
}

int main(void)
{
    run_two(work, work);
    return 0;
}
