/* The variable that leads to an array is atomic; its elements are not, and are what is shared. */
#include "two.h"

static SHARED(int) flags[2];
static SHARED(int) *_Atomic is_done = flags;
static int result[2];

static void *work(void *arg)
{
    int me = *(int *)arg;
    result[me] = me + 1;
    is_done[me] = 1;
    while (!is_done[1 - me])
        ;
    assert(result[1 - me] == 2 - me);
    return arg;
}

int main(void)
{
    run_two(work, work);
    return 0;
}
