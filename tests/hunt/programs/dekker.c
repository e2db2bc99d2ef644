/*
 * Dekker's mutual exclusion on plain flags.
 *
 * hunt: wants[] destructive tso
 *
 * A store buffer lets both threads look at the other's flag before their own has landed.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int wants[2];
static atomic_int inside;

static void *enter(void *arg)
{
    int me = (int)(long)arg;

    wants[me] = 1;
    if (!wants[1 - me]) {
        assert(atomic_fetch_add(&inside, 1) == 0);
        atomic_fetch_sub(&inside, 1);
    }
    wants[me] = 0;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, enter, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
