/* N threads, one increment each under a mutex. */
#include <pthread.h>

#ifndef N
#define N 8
#endif
static int x;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *increment(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, increment, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return x != N;
}
