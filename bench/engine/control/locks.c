/* Locks: two threads add to one of 16 counters under its mutex, N times each, and every eighth time
   under a common one too. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNTERS = 16 };
static struct {
    pthread_mutex_t lock;
    unsigned long value;
} counters[COUNTERS];
static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;
static int rounds;

static void *work(void *seed)
{
    unsigned state = (unsigned)(uintptr_t)seed;
    for (int i = 0; i < rounds; i++) {
        state = state * 1664525 + 1013904223;
        if (i % 8 == 0)
            pthread_mutex_lock(&all);
        pthread_mutex_lock(&counters[state >> 28].lock);
        counters[state >> 28].value += 1;
        pthread_mutex_unlock(&counters[state >> 28].lock);
        if (i % 8 == 0)
            pthread_mutex_unlock(&all);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t other;
    unsigned long sum = 0;
    rounds = argc > 1 ? atoi(argv[1]) : 1000;
    for (int i = 0; i < COUNTERS; i++)
        pthread_mutex_init(&counters[i].lock, NULL);
    pthread_create(&other, NULL, work, (void *)1);
    work((void *)2);
    pthread_join(other, NULL);
    for (int i = 0; i < COUNTERS; i++)
        sum += counters[i].value;
    printf("%lu\n", sum);
}
