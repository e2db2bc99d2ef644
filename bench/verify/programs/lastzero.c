/* N threads fill an array, one looks for the last element that is still zero. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 15
#endif
static atomic_int array[N + 1];

static void *look(void *unused)
{
    (void)unused;
    int i = N;
    while (atomic_load(&array[i]) != 0)
        i--;
    return NULL;
}

static void *fill(void *arg)
{
    int j = (int)(intptr_t)arg;
    atomic_store(&array[j], atomic_load(&array[j - 1]) + 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[N + 1];
    pthread_create(&threads[0], NULL, look, NULL);
    for (intptr_t i = 1; i <= N; i++)
        pthread_create(&threads[i], NULL, fill, (void *)i);
    for (int i = 0; i <= N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
