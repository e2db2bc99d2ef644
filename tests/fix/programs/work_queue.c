/*
 * The queue is looked at before its lock is taken: the lock must be taken first.
 *
 * fix: pthread_mutex_lock(&lock);
 * not: PTHREAD_MUTEX_INITIALIZER
 * hides
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[2] = {7, 8};
static int count = 1;

static int pop(int *item)
{
    if (count == 0)
        return 0;
    pthread_mutex_lock(&lock);
    *item = items[--count];
    pthread_mutex_unlock(&lock);
    return 1;
}

static void *worker(void *arg)
{
    int item = 0;
    pop(&item);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(count == 0);
    return 0;
}
