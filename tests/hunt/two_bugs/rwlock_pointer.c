/*
 * Two bugs that have nothing to do with each other: a reader that reads again waits behind a
 * writer, which waits for it; a plain pointer is tested, then read again, while the other thread
 * clears it.
 *
 * hunt: latest destructive
 * failure: deadlock
 * says: and wants 'lock' (
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static int value = 7, *latest = &value;
static pthread_rwlock_t lock;

static void *first(void *arg)
{
    latest = NULL;
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_rdlock(&lock); // failure
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    return arg;
}

static void *second(void *arg)
{
    if (latest)
        assert(*latest == 7);
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
