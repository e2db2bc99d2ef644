// race: late
/* Sixteen threads that run at the same time, with a common lock and a barrier; two of them then
   write what no lock guards. */
#include "../race.h"

enum { THREADS = 16, ROUNDS = 50 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static int table[64], own[THREADS][16], counted;
int late;

static void *work(void *number)
{
    long id = (long)number;
    for (int i = 0; i < ROUNDS; i++) {
        own[id][i % 16] += table[i % 64];
        pthread_mutex_lock(&m);
        counted++;
        pthread_mutex_unlock(&m);
        if (i % 10 == 0)
            pthread_barrier_wait(&barrier);
    }
    if (id == 3 || id == 11)
        late++;
    return number;
}

int main(void)
{
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return counted != THREADS * ROUNDS;
}
