// Time limits of every kind may be over before another thread does anything; then the clock says
// so, nothing was taken, and the wait can be made again.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

enum { ROUNDS = 5 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t tokens;
static int given, count;

static struct timespec soon(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    now.tv_nsec += 1000000;
    now.tv_sec += now.tv_nsec / 1000000000;
    now.tv_nsec %= 1000000000;
    return now;
}

static void check_passed(const struct timespec *when)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    assert(now.tv_sec > when->tv_sec ||
           (now.tv_sec == when->tv_sec && now.tv_nsec >= when->tv_nsec));
}

static void lock(void)
{
    struct timespec when = soon();
    while (pthread_mutex_timedlock(&mutex, &when) == ETIMEDOUT) {
        check_passed(&when);
        when = soon();
    }
}

static void *give(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        lock();
        given++;
        count++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
        sem_post(&tokens);
    }
    return arg;
}

int main(void)
{
    pthread_t thread;
    sem_init(&tokens, 0, 0);
    pthread_create(&thread, NULL, give, NULL);
    for (int i = 0; i < ROUNDS; i++) {
        struct timespec when = soon();
        lock();
        while (given == 0) {
            if (pthread_cond_timedwait(&changed, &mutex, &when) == ETIMEDOUT)
                check_passed(&when);
            when = soon();
        }
        given--;
        count++;
        pthread_mutex_unlock(&mutex);
        when = soon();
        while (sem_timedwait(&tokens, &when) < 0) {
            assert(errno == ETIMEDOUT);
            check_passed(&when);
            when = soon();
        }
    }
    pthread_join(thread, NULL);
    assert(count == 2 * ROUNDS);
    return 0;
}
