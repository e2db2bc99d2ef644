// executions: 3
// models: sc tso pso c11
// A semaphore is tried until there is something to take, or to stop: a failed attempt has no
// effect.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t items;
static atomic_int stop;

static void *take(void *unused)
{
    while (!atomic_load(&stop))
        if (sem_trywait(&items) == 0)
            break;
    return unused;
}

static void *put(void *unused)
{
    sem_post(&items);
    atomic_store(&stop, 1);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    sem_init(&items, 0, 0);
    pthread_create(&threads[0], NULL, take, NULL);
    pthread_create(&threads[1], NULL, put, NULL);
    pthread_create(&threads[2], NULL, take, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
