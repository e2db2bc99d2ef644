/* Free list of indices: the head has a tag that changes with each operation, so that a node that
   was popped and pushed in the meantime is noticed. Threads pop a node, use it and push it.
   Weakened: pushing is no release. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifdef WEAK
#define ORDER(order) memory_order_relaxed
#else
#define ORDER(order) order
#endif
#ifndef N
#define N 2
#endif
enum { NODES = 3 };

static struct node {
    atomic_uint next;
    int uses;
} nodes[NODES + 1];
static _Atomic uint64_t head; /* tag, index; index 0: none */

static uint64_t with_next_tag(uint64_t old, uint64_t index)
{
    return ((old >> 32) + 1) << 32 | index;
}

static unsigned pop(void)
{
    uint64_t old = atomic_load_explicit(&head, memory_order_acquire);
    for (;;) {
        unsigned index = (unsigned)old;
        if (!index)
            return 0;
        uint64_t next = atomic_load_explicit(&nodes[index].next, memory_order_relaxed);
        if (atomic_compare_exchange_weak_explicit(&head, &old, with_next_tag(old, next),
                                                  memory_order_acquire, memory_order_acquire))
            return index;
    }
}

static void push(unsigned index)
{
    uint64_t old = atomic_load_explicit(&head, memory_order_relaxed);
    do
        atomic_store_explicit(&nodes[index].next, (unsigned)old, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(
        &head, &old, with_next_tag(old, index), ORDER(memory_order_release), memory_order_relaxed));
}

static void *use_one(void *unused)
{
    unsigned index = pop();
    if (!index)
        return unused;
    nodes[index].uses++;
    push(index);
    return unused;
}

int main(void)
{
    pthread_t threads[N];
    int uses = 0, left = 0;
    for (unsigned i = 1; i <= NODES; i++)
        push(i);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, use_one, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    for (unsigned index; (index = pop()); left++)
        uses += nodes[index].uses;
    assert(left == NODES && uses == N);
    return 0;
}
