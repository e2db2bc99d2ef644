// executions: 2
// models: sc c11
// The twin of crowd_cond.c in which the first of them waits: signals of late threads are no matter.
#include <pthread.h>

enum { N = 40 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int go;

static void *work(void *role)
{
    pthread_mutex_lock(&mutex);
    if (role)
        go = 1;
    while (!go)
        pthread_cond_wait(&condition, &mutex);
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *idle(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, i == 0 || i == N - 1 ? work : idle,
                       i == N - 1 ? &go : NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
