// executions: 2
// models: sc tso pso c11
// A hundred threads that are not symmetric. The last but one reads what the last writes.
#include <pthread.h>
#include <stdatomic.h>

#ifndef AT
#define AT(type) atomic_##type
#endif

enum { N = 100 };
static int places[N];
static AT(int) last;

static void *work(void *own)
{
    long n = (int *)own - places;
    places[n] = 1;
    if (n == N - 1)
        last = 1;
    if (n == N - 2)
        places[n] = last;
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, &places[i]);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
