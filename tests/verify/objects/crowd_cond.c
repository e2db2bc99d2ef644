// refused: waits for a condition
// models: sc
// A condition knows 32 threads.
#include <pthread.h>

enum { N = 40 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int go;

static void *work(void *last)
{
    if (!last)
        return NULL;
    pthread_mutex_lock(&mutex);
    while (!go)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, i == N - 1 ? &go : NULL);
    pthread_mutex_lock(&mutex);
    go = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
