/* pair.h - two threads at once, for the programs of this directory. */
#ifndef PAIR_H
#define PAIR_H

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static inline void run_pair(void *(*first)(void *), void *(*second)(void *))
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}

#endif
