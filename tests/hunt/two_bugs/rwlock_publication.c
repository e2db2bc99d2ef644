/*
 * Two bugs that have nothing to do with each other: a reader that reads again waits behind a
 * writer, which waits for it; the flag of a plain publication may be seen before its data.
 *
 * hunt: data destructive
 * failure: deadlock
 * says: and wants 'lock' (
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static int data, ready;
static pthread_rwlock_t lock;

static void *first(void *arg)
{
    data = 1;
    ready = 1;
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_rdlock(&lock); // failure
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    return arg;
}

static void *second(void *arg)
{
    if (ready)
        assert(data == 1);
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_rwlockattr_t kind;
    pthread_rwlockattr_init(&kind);
    pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&lock, &kind);
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
