// Threads blocked in a condition, a semaphore, a join and a sleep are cancelled there.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t never;
static pthread_t sleeper;

static void unlock(void *arg)
{
    assert(pthread_mutex_unlock(arg) == 0);
}

static void *in_cond(void *arg)
{
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    for (;;)
        pthread_cond_wait(&cond, &mutex);
    pthread_cleanup_pop(0);
    return arg;
}

static void *in_sem(void *arg)
{
    for (;;)
        sem_wait(&never);
    return arg;
}

static void *in_sleep(void *arg)
{
    for (;;)
        sleep(3600);
    return arg;
}

static void *in_join(void *arg)
{
    pthread_join(sleeper, NULL);
    return arg;
}

static void cancel(pthread_t thread)
{
    void *result;
    assert(pthread_cancel(thread) == 0);
    assert(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
}

int main(void)
{
    pthread_t threads[3];
    void *(*starts[])(void *) = {in_cond, in_sem, in_join};
    sem_init(&never, 0, 0);
    pthread_create(&sleeper, NULL, in_sleep, NULL);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, starts[i], NULL);
    for (int i = 0; i < 3; i++)
        cancel(threads[i]);
    cancel(sleeper);
    assert(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
    return 0;
}
