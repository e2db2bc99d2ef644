/*
 * bench.h - what the programs of bench/detect share: threads that start together, a random
 * number generator, sizes from the command line. Each program prints one line that depends
 * only on its arguments, so that builds can be compared, and is free of races.
 */
#ifndef BENCH_H
#define BENCH_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static inline int argument(int argc, char **argv, int index, int otherwise)
{
    return argc > index ? atoi(argv[index]) : otherwise;
}

static inline uint32_t next_random(uint32_t *state)
{
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

static inline void run_threads(int n, void *(*body)(void *))
{
    pthread_t *threads = malloc(n * sizeof *threads);
    for (intptr_t i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, body, (void *)i);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    free(threads);
}

#endif
