/*
 * Two accounts, each with its lock, and a transfer in each direction: one order.
 *
 * fix: pthread_mutex_lock(&left.lock);
 * not: PTHREAD_MUTEX_INITIALIZER
 * nothing to hide: no race
 */
#include "pair.h"

struct account {
    pthread_mutex_t lock;
    int sum;
};
static struct account left = {.lock = PTHREAD_MUTEX_INITIALIZER, .sum = 5};
static struct account right = {.lock = PTHREAD_MUTEX_INITIALIZER, .sum = 5};

static void *to_right(void *arg)
{
    pthread_mutex_lock(&left.lock);
    left.sum--;
    pthread_mutex_lock(&right.lock);
    right.sum++;
    pthread_mutex_unlock(&right.lock);
    pthread_mutex_unlock(&left.lock);
    return arg;
}

static void *to_left(void *arg)
{
    pthread_mutex_lock(&right.lock);
    pthread_mutex_lock(&left.lock);
    right.sum--;
    left.sum++;
    pthread_mutex_unlock(&left.lock);
    pthread_mutex_unlock(&right.lock);
    return arg;
}

int main(void)
{
    run_pair(to_right, to_left);
    return left.sum + right.sum != 10;
}
