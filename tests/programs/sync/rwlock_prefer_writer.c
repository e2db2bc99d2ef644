// With PREFER_WRITER_NONRECURSIVE a reader waits for a waiting writer; one that gives up frees it.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

static pthread_rwlock_t lock;
static sem_t reading;
static int written;

static void *writer(void *arg)
{
    assert(pthread_rwlock_wrlock(&lock) == 0);
    written = 1;
    assert(pthread_rwlock_unlock(&lock) == 0);
    return arg;
}

static void *late_writer(void *arg)
{
    struct timespec when;
    clock_gettime(CLOCK_REALTIME, &when);
    when.tv_sec++;
    int result = pthread_rwlock_timedwrlock(&lock, &when);
    assert(result == 0 || result == ETIMEDOUT);
    if (!result)
        pthread_rwlock_unlock(&lock);
    return arg;
}

static void *reader(void *arg)
{
    sem_wait(&reading);
    assert(pthread_rwlock_rdlock(&lock) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    return arg;
}

int main(void)
{
    pthread_rwlockattr_t attributes;
    pthread_t threads[3];
    void *(*starts[])(void *) = {writer, late_writer, reader};
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&lock, &attributes);
    sem_init(&reading, 0, 0);
    assert(pthread_rwlock_rdlock(&lock) == 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, starts[i], NULL);
    sem_post(&reading);
    assert(!written);
    assert(pthread_rwlock_unlock(&lock) == 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(written);
    return 0;
}
