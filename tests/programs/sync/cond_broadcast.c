// A broadcast wakes every waiter; the condition may be destroyed right after.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { WAITERS = 4 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t *go, all_wait = PTHREAD_COND_INITIALIZER;
static int waiting, released, woken;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&mutex);
    if (++waiting == WAITERS)
        pthread_cond_signal(&all_wait);
    while (!released)
        pthread_cond_wait(go, &mutex);
    woken++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t threads[WAITERS];
    go = malloc(sizeof(*go));
    pthread_cond_init(go, NULL);
    for (int i = 0; i < WAITERS; i++)
        pthread_create(&threads[i], NULL, waiter, NULL);
    pthread_mutex_lock(&mutex);
    while (waiting < WAITERS)
        pthread_cond_wait(&all_wait, &mutex);
    released = 1;
    pthread_cond_broadcast(go);
    pthread_mutex_unlock(&mutex);
    assert(pthread_cond_destroy(go) == 0);
    free(go);
    for (int i = 0; i < WAITERS; i++)
        pthread_join(threads[i], NULL);
    assert(woken == WAITERS);
    return 0;
}
