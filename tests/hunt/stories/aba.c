/* A free list without a counter in its head: while a thread is about to take the first node,
   another takes it, takes the second one, and puts the first one back. TELLS: reads next\[1\] = 2 /
   reads next\[1\] = 2 / writes next\[1\] = 0 / updates head = 2 / ABA: the value that was read at
   NEVER: Make the update */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NODES = 2 };
static atomic_int head = 1, next[NODES + 1] = {0, 2, 0}, taken[NODES + 1];

static int get(void)
{
    int first = atomic_load(&head), second;
    do {
        if (!first)
            return 0;
        second = atomic_load(&next[first]);
    } while (!atomic_compare_exchange_strong(&head, &first, second));
    return first;
}

static void put(int node)
{
    int first = atomic_load(&head);
    do
        atomic_store(&next[node], first);
    while (!atomic_compare_exchange_strong(&head, &first, node));
}

static void keep(int node)
{
    if (node)
        assert(atomic_fetch_add(&taken[node], 1) == 0);
}

static void *one(void *arg)
{
    int node = get();
    keep(node);
    keep(get());
    return arg;
}

static void *other(void *arg)
{
    int first = get(), second = get();
    keep(second);
    if (first)
        put(first);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, one, 0);
    pthread_create(&threads[1], 0, other, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
