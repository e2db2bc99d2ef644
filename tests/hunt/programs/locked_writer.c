/*
 * The writer takes a lock for each of its stores, the reader none.
 *
 * options: --no-prescient
 * hunt: first destructive c11
 * hunt: second benign
 * says: set() holds lock, read_both() holds no lock
 *
 * Each unlock makes the store before it visible, so buffers alone do no harm.
 */
#include <assert.h>
#include <pthread.h>

static int first, second;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void set(int *variable)
{
    pthread_mutex_lock(&lock);
    *variable = 1;
    pthread_mutex_unlock(&lock);
}

static void *write_both(void *arg)
{
    set(&first);
    set(&second);
    return arg;
}

static void *read_both(void *arg)
{
    if (second)
        assert(first);
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, write_both, NULL);
    pthread_create(&threads[1], NULL, read_both, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
