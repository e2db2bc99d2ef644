// race: x
// The same, letting in two: a race.
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;
static int x;

static void *increment(void *unused)
{
    sem_wait(&sem);
    x++;
    sem_post(&sem);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    sem_init(&sem, 0, 2);
    pthread_create(&one, NULL, increment, NULL);
    pthread_create(&two, NULL, increment, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
