// executions: 6
// hb: 2
// Two producers, one consumer that takes twice: which post it takes, and what came first.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;

static void *produce(void *unused)
{
    sem_post(&sem);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    sem_init(&sem, 0, 0);
    pthread_create(&one, NULL, produce, NULL);
    pthread_create(&two, NULL, produce, NULL);
    sem_wait(&sem);
    int more = sem_trywait(&sem) == 0;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(more || sem_trywait(&sem) == 0);
    return 0;
}
