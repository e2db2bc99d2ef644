/*
 * Two bugs that have nothing to do with each other: a pointer that was tested under the lock is
 * used under the next; the flag of a plain publication may be seen before its data.
 *
 * hunt: data destructive
 * failure: signal
 * says: SIGSEGV
 */
#include <assert.h>
#include <pthread.h>

static int data, ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int room, *slot = &room;

static void *first(void *arg)
{
    data = 1;
    ready = 1;
    pthread_mutex_lock(&m);
    slot = NULL;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *second(void *arg)
{
    if (ready)
        assert(data == 1);
    pthread_mutex_lock(&m);
    int is_there = slot != NULL;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    if (is_there)
        *slot = 1; // failure
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
