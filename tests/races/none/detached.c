// no race
/* A detached thread that posts a semaphore last. */
#include "../race.h"
#include <semaphore.h>

int x;
static sem_t sem;

static void *a(void *unused)
{
    x = 1;
    sem_post(&sem);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&sem, 0, 0);
    pthread_create(&thread, NULL, a, NULL);
    pthread_detach(thread);
    sem_wait(&sem);
    x = 2;
    return 0;
}
