// Asynchronous cancellation: taken when it is switched on, and in the middle of a computation.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;
static volatile int spin = 1;

static void *switches_on(void *arg)
{
    int old;
    assert(pthread_cancel(pthread_self()) == 0);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
    assert(0);
    return arg;
}

static void *computes(void *arg)
{
    int old;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
    assert(old == PTHREAD_CANCEL_DEFERRED);
    sem_post(&ready);
    while (spin)
        ;
    return arg;
}

int main(void)
{
    pthread_t thread;
    void *result;
    sem_init(&ready, 0, 0);
    pthread_create(&thread, NULL, switches_on, NULL);
    assert(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
    pthread_create(&thread, NULL, computes, NULL);
    sem_wait(&ready);
    assert(pthread_cancel(thread) == 0);
    assert(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
    return 0;
}
