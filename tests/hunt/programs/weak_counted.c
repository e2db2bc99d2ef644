/*
 * A place that a thread tries once to take, by a weak compare-exchange, which may fail though the
 * place is free. The program is right all the same, and nobody looks at the racy count.
 *
 * hunt: tries proved-benign
 *
 * verify has explored the failures, too: so the verdict is exact.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owner;
static int tries;

static void *take(void *arg)
{
    int free = 0;
    tries++;
    if (atomic_compare_exchange_weak(&owner, &free, (int)(long)arg))
        assert(atomic_load(&owner) == (int)(long)arg);
    return NULL;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, take, (void *)1);
    take((void *)2);
    pthread_join(one, NULL);
    return 0;
}
