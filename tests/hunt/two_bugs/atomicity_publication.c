/*
 * Two bugs that have nothing to do with each other: a test and the act are two critical sections;
 * the flag of a plain publication may be seen before its data.
 *
 * hunt: data destructive
 * failure: assert
 * says: fails the assertion `seats >= 0'
 */
#include <assert.h>
#include <pthread.h>

static int data, ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int seats = 1;

static void book(void)
{
    pthread_mutex_lock(&m);
    int is_free = seats > 0;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    seats -= is_free;
    assert(seats >= 0); // failure
    pthread_mutex_unlock(&m);
}

static void *first(void *arg)
{
    data = 1;
    ready = 1;
    book();
    return arg;
}

static void *second(void *arg)
{
    if (ready)
        assert(data == 1);
    book();
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
