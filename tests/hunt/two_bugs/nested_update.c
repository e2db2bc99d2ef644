/*
 * Two bugs that have nothing to do with each other: a thread waits for a condition and keeps a lock
 * that the other needs first; two plain increments lose one.
 *
 * hunt: total destructive
 * failure: deadlock
 * says: waits for a condition variable 'more'
 * says: wants 'outer' (
 */
#include <assert.h>
#include <pthread.h>

static int total;
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int items;

static void *first(void *arg)
{
    total++;
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
    total++;
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
    assert(total == 2);
    return 0;
}
