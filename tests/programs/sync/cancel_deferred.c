// A cancelled thread goes on until a cancellation point, runs its handlers, and says it was
// cancelled.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t started, cancelled;
static int handlers, beyond;

static void handler(void *arg)
{
    handlers = handlers * 10 + *(int *)arg;
}

static void *work(void *arg)
{
    int one = 1, two = 2, three = 3;
    pthread_cleanup_push(handler, &one);
    pthread_cleanup_push(handler, &two);
    pthread_cleanup_push(handler, &three);
    pthread_cleanup_pop(0);
    int old;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    assert(old == PTHREAD_CANCEL_ENABLE);
    sem_post(&started);
    sem_wait(&cancelled);
    pthread_testcancel();
    beyond = 1;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
    assert(old == PTHREAD_CANCEL_DISABLE);
    pthread_testcancel();
    beyond = 2;
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return arg;
}

int main(void)
{
    pthread_t thread;
    void *result;
    sem_init(&started, 0, 0);
    sem_init(&cancelled, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    sem_wait(&started);
    assert(pthread_cancel(thread) == 0);
    sem_post(&cancelled);
    assert(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
    assert(beyond == 1 && handlers == 21);
    return 0;
}
