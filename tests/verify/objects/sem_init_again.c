// violation: deadlock
// models: sc tso pso c11
// The post of the first round is gone when the semaphore is initialised again: the second round
// waits for a post of its own.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>

static sem_t done;
static atomic_int count;

static void *add_and_post(void *unused)
{
    printf("%d\n", atomic_fetch_add(&count, 1));
    sem_post(&done);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    sem_init(&done, 0, 0);
    for (int round = 0; round < 2; round++) {
        pthread_create(&first, NULL, add_and_post, NULL);
        pthread_create(&second, NULL, add_and_post, NULL);
        sem_wait(&done);
        pthread_join(first, NULL);
        pthread_join(second, NULL);
        sem_init(&done, 0, 0);
    }
    sem_wait(&done);
    return 0;
}
