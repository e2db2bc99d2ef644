/* choices N: eight threads that take turns at random, N times each: 7 of 8 choices are another
   thread than the running one, and have to be recorded. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS = 8 };
static atomic_long counter;

static void *add(void *times)
{
    for (long i = 0; i < (long)times; i++)
        atomic_fetch_add(&counter, 1);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    long times = argc > 1 ? atol(argv[1]) : 1;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, add, (void *)times);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return counter != THREADS * times;
}
