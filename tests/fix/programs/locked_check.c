/*
 * One thread checks and acts without the lock that the other holds.
 *
 * fix: pthread_mutex_lock(&lock);
 * fix: pthread_mutex_unlock(&lock);
 * not: atomic
 * hides
 */
#include "pair.h"

static int balance = 10;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *careful(void *arg)
{
    pthread_mutex_lock(&lock);
    if (balance >= 8)
        balance -= 8;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *careless(void *arg)
{
    if (balance >= 8)
        balance -= 8;
    return arg;
}

int main(void)
{
    run_pair(careful, careless);
    assert(balance >= 0);
    return 0;
}
