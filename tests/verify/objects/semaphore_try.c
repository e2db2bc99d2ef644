// executions: 2
// sem_trywait before the post, or behind it; sem_getvalue once nobody else is there.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;
static int x;

static void *post(void *unused)
{
    x = 1;
    sem_post(&sem);
    return unused;
}

int main(void)
{
    pthread_t one;
    int left;
    sem_init(&sem, 0, 0);
    pthread_create(&one, NULL, post, NULL);
    int taken = sem_trywait(&sem) == 0;
    assert(!taken || x == 1);
    pthread_join(one, NULL);
    sem_getvalue(&sem, &left);
    assert(left == !taken);
    return 0;
}
