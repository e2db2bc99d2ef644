// race: values
// The second round is missing.
#include <pthread.h>
#include <stdint.h>

static pthread_barrier_t barrier;
static int values[2], sum[2];

static void *work(void *arg)
{
    int i = (int)(intptr_t)arg;
    values[i] = i + 1;
    pthread_barrier_wait(&barrier);
    sum[i] = values[1 - i];
    values[i] = 0;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    pthread_barrier_init(&barrier, NULL, 2);
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
