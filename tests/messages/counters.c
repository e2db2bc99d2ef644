/* Two faults: each counter has its own. */
#include <assert.h>
#include <pthread.h>

static int hits, misses;

static void *count(void *unused)
{
    hits++;
    misses++;
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, count, NULL);
    pthread_create(&threads[1], NULL, count, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(hits == 2);
    assert(misses == 2);
    return 0;
}
