// right: 11
// wrong: 00 01 10 11
// Two wait for one; wrong: the second piece of data is written when they may have left already.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready, data[2], seen[2];

static void *consume(void *arg)
{
    intptr_t i = (intptr_t)arg;
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    seen[i] = data[i];
    return NULL;
}

static void produce(void)
{
    pthread_mutex_lock(&mutex);
#ifndef WRONG
    data[0] = data[1] = 1;
#endif
    ready = 1;
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&mutex);
#ifdef WRONG
    data[0] = data[1] = 1;
#endif
}

int main(void)
{
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, consume, (void *)i);
    produce();
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d%d\n", seen[0], seen[1]);
    return 0;
}
