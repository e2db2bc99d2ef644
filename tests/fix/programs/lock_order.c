/*
 * Two locks, taken in both orders: one order.
 *
 * fix: pthread_mutex_lock(&first);
 * not: PTHREAD_MUTEX_INITIALIZER
 * nothing to hide: no race
 */
#include "pair.h"

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *forward(void *arg)
{
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    sum++;
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return arg;
}

static void *backward(void *arg)
{
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
    sum++;
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    return arg;
}

int main(void)
{
    run_pair(forward, backward);
    return sum != 2;
}
