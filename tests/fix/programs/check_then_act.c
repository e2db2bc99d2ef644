/*
 * The check and the act must be one section.
 *
 * fix: = PTHREAD_MUTEX_INITIALIZER;
 * fix: pthread_mutex_lock(&
 * fix: pthread_mutex_unlock(&
 * hides
 */
#include "pair.h"

static int balance = 10;

static void *work(void *arg)
{
    if (balance >= 8)
        balance -= 8;
    return arg;
}

int main(void)
{
    run_pair(work, work);
    assert(balance >= 0);
    return 0;
}
