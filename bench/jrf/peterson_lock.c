/* Peterson's lock. */
#include "two.h"

static SHARED(int) flag[2];
static SHARED(int) victim;
static int counter;

static void *work(void *arg)
{
    int me = *(int *)arg;
    flag[me] = 1;
    victim = me;
    while (flag[1 - me] && victim == me)
        ;
    counter++;
    flag[me] = 0;
    return arg;
}

int main(void)
{
    run_two(work, work);
    assert(counter == 2);
    return 0;
}
