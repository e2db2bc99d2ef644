/*
 * Two bugs that have nothing to do with each other: two semaphores are taken in either order;
 * the flag of a plain publication may be seen before its data.
 *
 * hunt: data destructive
 * failure: deadlock
 * says: waits for a semaphore 'right'
 * says: waits for a semaphore 'left'
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static int data, ready;
static sem_t left, right;

static void *first(void *arg)
{
    data = 1;
    ready = 1;
    sem_wait(&left);
    sem_wait(&right); // failure
    sem_post(&right);
    sem_post(&left);
    return arg;
}

static void *second(void *arg)
{
    if (ready)
        assert(data == 1);
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
    return 0;
}
