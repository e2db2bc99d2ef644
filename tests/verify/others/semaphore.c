// executions: 2
// A semaphore of one, taken by two threads.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;
static int x;

static void *add(void *arg)
{
    sem_wait(&sem);
    x++;
    sem_post(&sem);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    sem_init(&sem, 0, 1);
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&two, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 2);
    return 0;
}
