/*
 * Two bugs that have nothing to do with each other: a thread waits for a condition and keeps a lock
 * that the other needs first; the flag of a plain publication may be seen before its data.
 *
 * hunt: data destructive
 * failure: deadlock
 * says: waits for a condition variable 'more'
 * says: wants 'outer' (
 */
#include <assert.h>
#include <pthread.h>

static int data, ready;
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int items;

static void *first(void *arg)
{
    data = 1;
    ready = 1;
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    items++;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    return arg;
}

static void *second(void *arg)
{
    if (ready)
        assert(data == 1);
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    while (!items)
        pthread_cond_wait(&more, &inner);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
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
