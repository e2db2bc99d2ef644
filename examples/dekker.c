/*
 * Dekker on x86: right on paper, wrong on every processor with a store buffer.
 *
 * Each thread raises its flag, then looks at the other's, and enters only if that is down.
 * Under sequential consistency they cannot both enter. x86 (tso) lets a load overtake the
 * store before it, and then both do. `volatile` does not help; seq_cst atomics would.
 */
#include <assert.h>
#include <pthread.h>

static volatile int wants[2];
static int entered[2];

static void *enter(void *arg)
{
    int me = (int)(long)arg;

    wants[me] = 1;
    entered[me] = !wants[1 - me];
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, enter, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(!(entered[0] && entered[1]));
    return 0;
}
