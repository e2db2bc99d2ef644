/*
 * The twin of weak_counted.c that expects one of the threads to get the place: a failure under sc,
 * of which the race is innocent, and which verify and the trials agree on.
 *
 * hunt: failure
 * hunt: tries benign
 * never says: proved
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
    atomic_compare_exchange_weak(&owner, &free, (int)(long)arg);
    return NULL;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, take, (void *)1);
    take((void *)2);
    pthread_join(one, NULL);
    assert(atomic_load(&owner));
    return 0;
}
