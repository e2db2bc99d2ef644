/* An exchanger: a value is offered in a slot whose state is atomic; the race is that it is put
   there after the state says so. */
#include "two.h"

enum { EMPTY, WAITING, BUSY };
static atomic_int state;
static int offered, answered;

static void *offer(void *arg)
{
#ifdef FIXED
    offered = 7;
    state = WAITING;
#else
    state = WAITING;
    offered = 7;
#endif
    while (state != BUSY)
        ;
    assert(answered == 8);
    return arg;
}

static void *answer(void *arg)
{
    while (state != WAITING)
        ;
    answered = 8;
    int taken = offered;
    (void)taken;
    state = BUSY;
    return arg;
}

int main(void)
{
    run_two(offer, answer);
    return 0;
}
