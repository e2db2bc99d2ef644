// Nobody joins a detached thread; a semaphore says that it is done.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int x;

static void *work(void *arg)
{
    pthread_detach(pthread_self());
    x = 1;
    sem_post(&done);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, work, NULL);
    sem_wait(&done);
    assert(x == 1);
    return 0;
}
