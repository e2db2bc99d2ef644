/*
 * Two variables that must stay equal.
 *
 * fix: = PTHREAD_MUTEX_INITIALIZER;
 * fix: pthread_mutex_lock(&
 * fix: pthread_mutex_unlock(&
 * hides
 */
#include "pair.h"

static int left, right;

static void *work(void *arg)
{
    left = left + 1;
    right = left;
    return arg;
}

int main(void)
{
    run_pair(work, work);
    assert(left == 2 && right == 2);
    return 0;
}
