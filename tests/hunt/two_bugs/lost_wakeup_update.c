/*
 * Two bugs that have nothing to do with each other: a signal before the wait is lost;
 * two plain increments lose one.
 *
 * hunt: total destructive
 * failure: lost-wakeup
 * says: waits for a condition variable 'more'
 */
#include <assert.h>
#include <pthread.h>

static int total;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;

static void *first(void *arg)
{
    total++;
    pthread_cond_signal(&more);
    return arg;
}

static void *second(void *arg)
{
    total++;
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
    assert(total == 2);
    return 0;
}
