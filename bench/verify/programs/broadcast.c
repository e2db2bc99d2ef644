/* N threads wait for a condition that the initial thread makes true. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 5
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready, passed;

static void *wait_for_it(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&cond, &mutex);
    passed++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, wait_for_it, NULL);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(passed == N);
    return 0;
}
