/* Sequence lock with two writers, whose readers try until they have seen one state. Weakened: the
   writers' fence. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef WEAK
#define ORDER(order) memory_order_relaxed
#else
#define ORDER(order) order
#endif
#ifndef READERS
#define READERS 1
#endif
enum { WRITERS = 2 };

static atomic_uint sequence;
static atomic_int a, b;

static void *write_both(void *unused)
{
    unsigned s = atomic_load_explicit(&sequence, memory_order_relaxed);
    do
        s &= ~1u;
    while (!atomic_compare_exchange_weak_explicit(&sequence, &s, s + 1, memory_order_acquire,
                                                  memory_order_relaxed));
    atomic_thread_fence(ORDER(memory_order_release));
    int next = atomic_load_explicit(&a, memory_order_relaxed) + 1;
    atomic_store_explicit(&a, next, memory_order_relaxed);
    atomic_store_explicit(&b, next, memory_order_relaxed);
    atomic_store_explicit(&sequence, s + 2, memory_order_release);
    return unused;
}

static void *read_both(void *unused)
{
    unsigned before, after;
    int x, y;
    do {
        before = atomic_load_explicit(&sequence, memory_order_acquire);
        x = atomic_load_explicit(&a, memory_order_relaxed);
        y = atomic_load_explicit(&b, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        after = atomic_load_explicit(&sequence, memory_order_relaxed);
    } while (before != after || before % 2);
    assert(x == y);
    return unused;
}

int main(void)
{
    pthread_t writers[WRITERS], readers[READERS];
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&writers[i], NULL, write_both, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_create(&readers[i], NULL, read_both, NULL);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(writers[i], NULL);
    for (int i = 0; i < READERS; i++)
        pthread_join(readers[i], NULL);
    assert(a == WRITERS && b == WRITERS);
    return 0;
}
