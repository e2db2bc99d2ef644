/* N threads, each twice through a mutex: (2N)! / 2^N orders. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 5
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *increment(void *unused)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        x++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, increment, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(x == 2 * N);
    return 0;
}
