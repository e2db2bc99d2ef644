/* Semaphores are not explored yet: verify says so. */
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;

static void *post(void *unused)
{
    sem_post(&sem);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&sem, 0, 0);
    pthread_create(&thread, NULL, post, NULL);
    sem_wait(&sem);
    pthread_join(thread, NULL);
    return 0;
}
