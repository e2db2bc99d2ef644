/* Lamport's bakery lock. */
#include "two.h"

static SHARED(int) flag[2];
static SHARED(int) label[2];
static int counter;

static int is_before(int other, int me)
{
    int theirs = label[other], mine = label[me];
    return theirs < mine || (theirs == mine && other < me);
}

static void *work(void *arg)
{
    int me = *(int *)arg, other = 1 - me;
    flag[me] = 1;
    label[me] = label[other] + 1;
    while (flag[other] && is_before(other, me))
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
