/* Sequence lock: a reader that saw no writer has seen one state. Weakened: the reader's fence. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define ORDER(order) memory_order_relaxed
#else
#define ORDER(order) order
#endif

#ifndef READERS
#define READERS 2
#endif

static atomic_uint sequence;
static atomic_int a, b;

static void *write_both(void *unused)
{
    unsigned s = atomic_load_explicit(&sequence, memory_order_relaxed);
    atomic_store_explicit(&sequence, s + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&a, 1, memory_order_relaxed);
    atomic_store_explicit(&b, 1, memory_order_relaxed);
    atomic_store_explicit(&sequence, s + 2, memory_order_release);
    return unused;
}

static void *read_both(void *unused)
{
    unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
    int x = atomic_load_explicit(&a, memory_order_relaxed);
    int y = atomic_load_explicit(&b, memory_order_relaxed);
    atomic_thread_fence(ORDER(memory_order_acquire));
    unsigned after = atomic_load_explicit(&sequence, memory_order_relaxed);
    if (before == after && before % 2 == 0)
        assert(x == y);
    return unused;
}

int main(void)
{
    pthread_t writer, readers[READERS];
    pthread_create(&writer, NULL, write_both, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_create(&readers[i], NULL, read_both, NULL);
    pthread_join(writer, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_join(readers[i], NULL);
    return 0;
}
