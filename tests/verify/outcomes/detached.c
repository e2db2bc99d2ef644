// right: 1
// wrong: 0 1
// A detached thread hands over by a semaphore; wrong: by a flag.
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
    pthread_exit(unused);
}

int main(void)
{
    pthread_t one;
    sem_init(&sem, 0, 0);
    pthread_create(&one, NULL, work, NULL);
    pthread_detach(one);
#ifdef WRONG
    while (!done)
        ;
#else
    sem_wait(&sem);
#endif
    printf("%d\n", data);
    return 0;
}
