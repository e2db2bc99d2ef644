// executions: 8
// models: sc tso pso c11
// A semaphore that is initialised when a thread has come and gone. Threads print, so each execution
// is a run, which follows a graph that has uses of the semaphore already.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>

static sem_t done;
static atomic_int count;

static void *add(void *unused)
{
    atomic_fetch_add(&count, 1);
    return unused;
}

static void *add_and_post(void *unused)
{
    printf("%d\n", atomic_fetch_add(&count, 1));
    sem_post(&done);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, add, NULL);
    pthread_join(first, NULL);
    sem_init(&done, 0, 0);
    pthread_create(&first, NULL, add_and_post, NULL);
    pthread_create(&second, NULL, add_and_post, NULL);
    sem_wait(&done);
    sem_wait(&done);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
