/* Two threads that only pass scheduling points: pingpong N makes 2 N atomic additions. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_long shared;
static long rounds;

static void *work(void *arg)
{
    for (long i = 0; i < rounds; i++)
        atomic_fetch_add_explicit(&shared, 1, memory_order_relaxed);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t other;

    rounds = argc > 1 ? atol(argv[1]) : 1000;
    pthread_create(&other, NULL, work, NULL);
    work(NULL);
    pthread_join(other, NULL);
    return shared == 2 * rounds ? 0 : 1;
}
