/* Lamport's ring for one producer and one consumer. Weakened: publishing an item is no release. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef WEAK
#define ORDER(order) memory_order_relaxed
#else
#define ORDER(order) order
#endif
#ifndef ITEMS
#define ITEMS 3
#endif
enum { SIZE = 2 };

static int ring[SIZE];
static atomic_uint in, out;

static void put(int value)
{
    unsigned at = atomic_load_explicit(&in, memory_order_relaxed);
    while (at - atomic_load_explicit(&out, memory_order_acquire) == SIZE)
        continue;
    ring[at % SIZE] = value;
    atomic_store_explicit(&in, at + 1, ORDER(memory_order_release));
}

static int take(void)
{
    unsigned at = atomic_load_explicit(&out, memory_order_relaxed);
    while (atomic_load_explicit(&in, memory_order_acquire) == at)
        continue;
    int value = ring[at % SIZE];
    atomic_store_explicit(&out, at + 1, memory_order_release);
    return value;
}

static void *produce(void *unused)
{
    for (int i = 1; i <= ITEMS; i++)
        put(i);
    return unused;
}

int main(void)
{
    pthread_t producer;
    pthread_create(&producer, NULL, produce, NULL);
    for (int i = 1; i <= ITEMS; i++)
        assert(take() == i);
    pthread_join(producer, NULL);
    return 0;
}
