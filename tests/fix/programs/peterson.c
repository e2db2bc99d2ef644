/*
 * Peterson with plain variables: the flags and the turn, sequentially consistent.
 *
 * fix: memory_order_seq_cst
 * hides
 */
#include "pair.h"

static volatile int wants[2], turn;
static int inside, most;

static void enter(int me)
{
    wants[me] = 1;
    turn = 1 - me;
    if (wants[1 - me] && turn == 1 - me)
        return;
    inside++;
    if (inside > most)
        most = inside;
    inside--;
    wants[me] = 0;
}

static void *first(void *arg)
{
    enter(0);
    return arg;
}

static void *second(void *arg)
{
    enter(1);
    return arg;
}

int main(void)
{
    run_pair(first, second);
    assert(most <= 1);
    return 0;
}
