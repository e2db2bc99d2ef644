// options: --timeout 600
// native: no
// pthread_cond_timedwait an hour ahead times out at once when nobody signals, and is woken
// by one who does.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;

static struct timespec in_an_hour(void)
{
    struct timespec when;

    clock_gettime(CLOCK_REALTIME, &when);
    when.tv_sec += 3600;
    return when;
}

static void *signaller(void *arg)
{
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    struct timespec when = in_an_hour(), now;
    pthread_t thread;
    int result = 0;

    pthread_mutex_lock(&lock);
    while (result == 0)
        result = pthread_cond_timedwait(&cond, &lock, &when);
    clock_gettime(CLOCK_REALTIME, &now);
    assert(result == ETIMEDOUT && now.tv_sec >= when.tv_sec);

    pthread_create(&thread, NULL, signaller, NULL);
    when = in_an_hour();
    while (!ready && result != 0)
        result = pthread_cond_timedwait(&cond, &lock, &when) == ETIMEDOUT ? ETIMEDOUT : 0;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
