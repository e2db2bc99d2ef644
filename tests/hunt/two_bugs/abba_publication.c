/*
 * Two bugs that have nothing to do with each other: two locks are taken in either order;
 * the flag of a plain publication may be seen before its data.
 *
 * hunt: data destructive
 * failure: deadlock
 * says: holds 'a' (
 * says: and wants 'b' (
 * says: holds 'b' (
 * says: and wants 'a' (
 */
#include <assert.h>
#include <pthread.h>

static int data, ready;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg)
{
    data = 1;
    ready = 1;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); // failure
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return arg;
}

static void *second(void *arg)
{
    if (ready)
        assert(data == 1);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
