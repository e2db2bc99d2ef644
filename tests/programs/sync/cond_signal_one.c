// Each signal releases one waiter: tickets are handed out one by one, none is lost.
#include <assert.h>
#include <pthread.h>

enum { THREADS = 3 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int tickets, taken;

static void *taker(void *arg)
{
    pthread_mutex_lock(&mutex);
    while (!tickets)
        pthread_cond_wait(&cond, &mutex);
    tickets--;
    taken++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, taker, NULL);
    for (int i = 0; i < THREADS; i++) {
        pthread_mutex_lock(&mutex);
        tickets++;
        pthread_cond_signal(&cond);
        pthread_mutex_unlock(&mutex);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(taken == THREADS && tickets == 0);
    return 0;
}
