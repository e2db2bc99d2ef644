// Readers share, writers exclude; trylocks and misuse answer as in glibc.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;

static void *writer(void *arg)
{
    for (int i = 0; i < 3; i++) {
        pthread_rwlock_wrlock(&lock);
        x++;
        y++;
        pthread_rwlock_unlock(&lock);
    }
    return arg;
}

static void *reader(void *arg)
{
    for (int i = 0; i < 3; i++) {
        pthread_rwlock_rdlock(&lock);
        assert(x == y);
        pthread_rwlock_unlock(&lock);
    }
    return arg;
}

static void *try_write_held(void *arg)
{
    assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    return arg;
}

static void *try_read_held(void *arg)
{
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_unlock(&lock) == 0);
    return arg;
}

static void run(void *(*start)(void *))
{
    pthread_t thread;
    pthread_create(&thread, NULL, start, NULL);
    pthread_join(thread, NULL);
}

int main(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, i < 2 ? writer : reader, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert(x == 6 && y == 6);

    assert(pthread_rwlock_wrlock(&lock) == 0);
    assert(pthread_rwlock_wrlock(&lock) == EDEADLK && pthread_rwlock_rdlock(&lock) == EDEADLK);
    run(try_write_held);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_rdlock(&lock) == 0 && pthread_rwlock_rdlock(&lock) == 0);
    run(try_read_held);
    assert(pthread_rwlock_unlock(&lock) == 0 && pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_trywrlock(&lock) == 0 && pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_destroy(&lock) == 0);
    return 0;
}
