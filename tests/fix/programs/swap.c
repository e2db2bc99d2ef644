/*
 * Two variables are exchanged.
 *
 * fix: = PTHREAD_MUTEX_INITIALIZER;
 * fix: pthread_mutex_lock(&
 * fix: pthread_mutex_unlock(&
 * hides
 */
#include "pair.h"

static int a = 1, b = 2;

static void *work(void *arg)
{
    int old = a;
    a = b;
    b = old;
    return arg;
}

int main(void)
{
    run_pair(work, work);
    assert(a + b == 3);
    return 0;
}
