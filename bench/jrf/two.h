/*
 * two.h - what the programs of this directory share. Each is a structure after Herlihy and Shavit
 * (The Art of Multiprocessor Programming) used by two threads, with a race of a kind that Java
 * RaceFinder found in such code; -DFIXED repairs it. SHARED is the repair where what is missing is
 * the word that makes a variable atomic (in Java: volatile).
 */
#ifndef JRF_TWO_H
#define JRF_TWO_H

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#ifdef FIXED
#define SHARED(type) _Atomic(type)
#else
#define SHARED(type) type
#endif

/* Runs both to their end. */
static inline void run_two(void *(*first)(void *), void *(*second)(void *))
{
    static int numbers[2] = {0, 1};
    pthread_t a, b;
    pthread_create(&a, NULL, first, &numbers[0]);
    pthread_create(&b, NULL, second, &numbers[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

#endif
