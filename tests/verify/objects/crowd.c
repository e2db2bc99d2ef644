// executions: 1
// models: sc tso pso c11
// A hundred threads that take a lock: one execution, which stands for 100!.
#include <assert.h>
#include <pthread.h>

#ifndef WRONG
#define WRONG 0
#endif

enum { N = 100 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    x++;
    assert(!WRONG || x < N);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(x == N);
    return 0;
}
