/*
 * The lock keeps two variables equal; one writer forgets it.
 *
 * fix: pthread_mutex_lock(&lock);
 * fix: pthread_mutex_unlock(&lock);
 * not: atomic
 * hides
 */
#include "pair.h"

static int left, right;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg)
{
    left = 1;
    right = 1;
    return arg;
}

static void *reader(void *arg)
{
    pthread_mutex_lock(&lock);
    assert(left == right);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    run_pair(writer, reader);
    return 0;
}
