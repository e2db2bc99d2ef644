/*
 * No atomic function multiplies.
 *
 * fix: = PTHREAD_MUTEX_INITIALIZER;
 * fix: pthread_mutex_lock(&
 * fix: pthread_mutex_unlock(&
 * hides
 */
#include "pair.h"

static int value = 1;

static void *work(void *arg)
{
    value = value * 2;
    return arg;
}

int main(void)
{
    run_pair(work, work);
    assert(value == 4);
    return 0;
}
