/*
 * The section has a return in it.
 *
 * fix: = PTHREAD_MUTEX_INITIALIZER;
 * fix: pthread_mutex_lock(&
 * fix: pthread_mutex_unlock(&
 * hides
 */
#include "pair.h"

static int free_slots = 1, used;

static void *work(void *arg)
{
    if (free_slots == 0)
        return NULL;
    free_slots = free_slots - 1;
    used = used + 1;
    return arg;
}

int main(void)
{
    run_pair(work, work);
    assert(free_slots >= 0 && used == 1);
    return 0;
}
