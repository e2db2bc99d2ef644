/*
 * One side takes the lock, the other does not: the lock, not an atomic.
 *
 * fix: pthread_mutex_lock(&lock);
 * fix: pthread_mutex_unlock(&lock);
 * not: atomic
 * hides
 */
#include "pair.h"

static int balance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *careful(void *arg)
{
    pthread_mutex_lock(&lock);
    balance += 10;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *careless(void *arg)
{
    balance += 1;
    return arg;
}

int main(void)
{
    run_pair(careful, careless);
    assert(balance == 11);
    return 0;
}
