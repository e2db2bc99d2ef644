/*
 * Two threads push to a list, without any lock.
 *
 * fix: = PTHREAD_MUTEX_INITIALIZER;
 * fix: pthread_mutex_lock(&
 * fix: pthread_mutex_unlock(&
 * hides
 */
#include "pair.h"

static int items[4];
static int n;

static void *work(void *arg)
{
    items[n] = 1;
    n = n + 1;
    return arg;
}

int main(void)
{
    run_pair(work, work);
    assert(n == 2 && items[0] && items[1]);
    return 0;
}
