// right: 1
// wrong: 0 1
// The post hands over the data; wrong: a flag saves waiting for it.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t sem;
static int data, done;

static void *work(void *unused)
{
    data = 1;
    done = 1;
    sem_post(&sem);
    return unused;
}

int main(void)
{
    pthread_t one;
    sem_init(&sem, 0, 0);
    pthread_create(&one, NULL, work, NULL);
#ifdef WRONG
    if (!done)
#endif
        sem_wait(&sem);
    printf("%d\n", data);
    pthread_join(one, NULL);
    sem_destroy(&sem);
    return 0;
}
