// A handler runs in a thread that waits for a mutex, a barrier, a condition or a semaphore.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER, mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t handled, sem;
static int go;

static void handler(int signo)
{
    (void)signo;
    sem_post(&handled);
}

static void *in_mutex(void *arg)
{
    assert(pthread_mutex_lock(&held) == 0);
    assert(pthread_mutex_unlock(&held) == 0);
    return arg;
}

static void *in_barrier(void *arg)
{
    pthread_barrier_wait(&barrier);
    return arg;
}

static void *in_cond(void *arg)
{
    pthread_mutex_lock(&mutex);
    while (!go)
        assert(pthread_cond_wait(&cond, &mutex) == 0);
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *in_sem(void *arg)
{
    while (sem_wait(&sem))
        assert(errno == EINTR);
    return arg;
}

int main(void)
{
    void *(*starts[])(void *) = {in_mutex, in_barrier, in_cond, in_sem};
    pthread_t threads[4];
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&handled, 0, 0);
    sem_init(&sem, 0, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_mutex_lock(&held);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, starts[i], NULL);
    for (int i = 0; i < 4; i++) {
        assert(pthread_kill(threads[i], SIGUSR1) == 0);
        while (sem_wait(&handled))
            ;
    }
    pthread_mutex_unlock(&held);
    pthread_barrier_wait(&barrier);
    pthread_mutex_lock(&mutex);
    go = 1;
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&mutex);
    sem_post(&sem);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
