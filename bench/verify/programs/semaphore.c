/* N threads, each once through a binary semaphore: N! orders. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#ifndef N
#define N 8
#endif
static sem_t sem;
static int x;

static void *increment(void *unused)
{
    sem_wait(&sem);
    x++;
    sem_post(&sem);
    return unused;
}

int main(void)
{
    pthread_t threads[N];
    sem_init(&sem, 0, 1);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, increment, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(x == N);
    return 0;
}
