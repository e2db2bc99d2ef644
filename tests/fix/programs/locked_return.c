/*
 * The access without the lock updates and returns.
 *
 * fix: pthread_mutex_lock(&lock);
 * fix: pthread_mutex_unlock(&lock);
 * not: atomic
 * hides
 */
#include "pair.h"

static int next = 1;
static int taken[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int careful_take(void)
{
    pthread_mutex_lock(&lock);
    int number = next++;
    pthread_mutex_unlock(&lock);
    return number;
}

static int careless_take(void)
{
    return next++;
}

static void *first(void *arg)
{
    taken[0] = careful_take();
    return arg;
}

static void *second(void *arg)
{
    taken[1] = careless_take();
    return arg;
}

int main(void)
{
    run_pair(first, second);
    assert(taken[0] != taken[1]);
    return 0;
}
