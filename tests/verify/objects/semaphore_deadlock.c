// violation: deadlock
// The post comes only if the other thread was late.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t sem;
static atomic_int late;

static void *post(void *unused)
{
    if (atomic_load(&late))
        sem_post(&sem);
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, post, NULL);
    atomic_store(&late, 1);
    sem_wait(&sem);
    pthread_join(one, NULL);
    return 0;
}
