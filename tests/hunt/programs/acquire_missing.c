/*
 * The store that publishes has release order, the load that waits for it is relaxed: only that is
 * to be changed.
 *
 * hunt: letter destructive c11
 * says: Load sent with acquire order at
 * says: its store at
 * says: has release order
 * never says: Store sent
 * never says: holds
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int letter;
static atomic_int sent;

static void *sender(void *unused)
{
    letter = 7;
    atomic_store_explicit(&sent, 1, memory_order_release);
    return unused;
}

static void *receiver(void *unused)
{
    if (atomic_load_explicit(&sent, memory_order_relaxed))
        assert(letter == 7);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, sender, NULL);
    pthread_create(&threads[1], NULL, receiver, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
