// expect: deadlock
// native: no
// Three threads that join each other in a circle: libc sees only a thread that joins itself.
#include <pthread.h>
#include <semaphore.h>

static pthread_t threads[3];
static sem_t go;

static void *joins_next(void *arg)
{
    sem_wait(&go);
    pthread_join(*(pthread_t *)arg, NULL);
    return NULL;
}

int main(void)
{
    sem_init(&go, 0, 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, joins_next, &threads[(i + 1) % 3]);
    for (int i = 0; i < 3; i++)
        sem_post(&go);
    pthread_exit(NULL);
}
