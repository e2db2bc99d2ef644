/*
 * Initialisation that must happen once.
 *
 * fix: = PTHREAD_MUTEX_INITIALIZER;
 * fix: pthread_mutex_lock(&
 * fix: pthread_mutex_unlock(&
 * hides
 */
#include "pair.h"

static int ready, times;

static void *work(void *arg)
{
    if (!ready) {
        times++;
        ready = 1;
    }
    return arg;
}

int main(void)
{
    run_pair(work, work);
    assert(times == 1);
    return 0;
}
