// Timed locks of a read-write lock time out when they must, and only then.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static struct timespec soon(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    now.tv_nsec += 5000000;
    now.tv_sec += now.tv_nsec / 1000000000;
    now.tv_nsec %= 1000000000;
    return now;
}

static void *try_it(void *write_held)
{
    struct timespec when = soon(CLOCK_REALTIME), other = soon(CLOCK_MONOTONIC);
    int expected = write_held ? ETIMEDOUT : 0;
    assert(pthread_rwlock_timedrdlock(&lock, &when) == expected);
    assert(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &other) == expected);
    for (int i = 0; !write_held && i < 2; i++)
        assert(pthread_rwlock_unlock(&lock) == 0);
    when = soon(CLOCK_REALTIME);
    other = soon(CLOCK_MONOTONIC);
    assert(pthread_rwlock_timedwrlock(&lock, &when) == ETIMEDOUT);
    assert(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &other) == ETIMEDOUT);
    return NULL;
}

static void run(void *arg)
{
    pthread_t thread;
    pthread_create(&thread, NULL, try_it, arg);
    pthread_join(thread, NULL);
    assert(pthread_rwlock_unlock(&lock) == 0);
}

int main(void)
{
    struct timespec past = {0, 0};
    assert(pthread_rwlock_timedwrlock(&lock, &past) == 0);
    run(&lock);
    assert(pthread_rwlock_timedrdlock(&lock, &past) == 0);
    run(NULL);
    return 0;
}
