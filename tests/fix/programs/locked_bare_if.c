/*
 * The access without the lock is the body of an if.
 *
 * fix: pthread_mutex_lock(&lock);
 * fix: pthread_mutex_unlock(&lock);
 * fix: {
 * not: atomic
 * hides
 */
#include "pair.h"

static int balance;
static int enabled = 1;
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
    if (enabled)
        balance += 1;
    return arg;
}

int main(void)
{
    run_pair(careful, careless);
    assert(balance == 11);
    return 0;
}
