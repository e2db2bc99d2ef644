// race: word
/* Eight threads read a word 50 times, each time in another epoch; seven of them are joined before
   it is written, the last is only known to have finished by a relaxed flag. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 8, TIMES = 50 };
static int word = 1;
static atomic_int finished, sum;

static void *read_often(void *unused)
{
    (void)unused;
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    int mine = 0;
    for (int i = 0; i < TIMES; i++) {
        pthread_mutex_lock(&own);
        mine += *(volatile int *)&word;
        pthread_mutex_unlock(&own);
    }
    atomic_fetch_add_explicit(&sum, mine, memory_order_relaxed);
    atomic_fetch_add_explicit(&finished, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, read_often, NULL);
    while (atomic_load_explicit(&finished, memory_order_relaxed) < THREADS)
        sched_yield();
    for (int i = 0; i < THREADS - 1; i++)
        pthread_join(threads[i], NULL);
    word = 2;
    pthread_join(threads[THREADS - 1], NULL);
    return sum == 0;
}
