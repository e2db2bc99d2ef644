/*
 * Two bugs that have nothing to do with each other: two semaphores are taken in either order;
 * two plain increments lose one.
 *
 * hunt: total destructive
 * failure: deadlock
 * says: waits for a semaphore 'right'
 * says: waits for a semaphore 'left'
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static int total;
static sem_t left, right;

static void *first(void *arg)
{
    total++;
    sem_wait(&left);
    sem_wait(&right); // failure
    sem_post(&right);
    sem_post(&left);
    return arg;
}

static void *second(void *arg)
{
    total++;
    sem_wait(&right);
    sem_wait(&left);
    sem_post(&left);
    sem_post(&right);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    sem_init(&left, 0, 1);
    sem_init(&right, 0, 1);
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(total == 2);
    return 0;
}
