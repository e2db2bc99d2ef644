/*
 * Two bugs that have nothing to do with each other: a signal before the wait is lost;
 * the flag of a plain publication may be seen before its data.
 *
 * hunt: data destructive
 * failure: lost-wakeup
 * says: waits for a condition variable 'more'
 */
#include <assert.h>
#include <pthread.h>

static int data, ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;

static void *first(void *arg)
{
    data = 1;
    ready = 1;
    pthread_cond_signal(&more);
    return arg;
}

static void *second(void *arg)
{
    if (ready)
        assert(data == 1);
    pthread_mutex_lock(&m);
    pthread_cond_wait(&more, &m); // failure
    pthread_mutex_unlock(&m);
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
