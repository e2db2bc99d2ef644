/* Treiber's stack with hazard pointers (Michael): a thread announces the node it is about to read,
   and a node that was popped is reclaimed only if nobody has announced it. Weakened: the fence
   between the announcement and the second look at the top. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef WEAK
#define FENCE memory_order_acq_rel
#else
#define FENCE memory_order_seq_cst
#endif
#ifndef THREADS
#define THREADS 2
#endif

struct node {
    _Atomic(struct node *) next;
    atomic_int reclaimed;
};

static struct node nodes[THREADS];
static _Atomic(struct node *) top, hazards[THREADS];

static struct node *announce_top(int me)
{
    struct node *node = atomic_load_explicit(&top, memory_order_acquire);
    for (;;) {
        atomic_store_explicit(&hazards[me], node, memory_order_relaxed);
        atomic_thread_fence(FENCE);
        struct node *again = atomic_load_explicit(&top, memory_order_acquire);
        if (again == node)
            return node;
        node = again;
    }
}

static struct node *pop(int me)
{
    for (struct node *node; (node = announce_top(me));) {
        assert(!atomic_load_explicit(&node->reclaimed, memory_order_relaxed));
        struct node *next = atomic_load_explicit(&node->next, memory_order_relaxed);
        if (atomic_compare_exchange_strong_explicit(&top, &node, next, memory_order_acq_rel,
                                                    memory_order_relaxed))
            return node;
    }
    return NULL;
}

static void retire(int me, struct node *node)
{
    atomic_store_explicit(&hazards[me], NULL, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    for (int i = 0; i < THREADS; i++)
        if (atomic_load_explicit(&hazards[i], memory_order_acquire) == node)
            return;
    atomic_store_explicit(&node->reclaimed, 1, memory_order_relaxed);
}

static void *popper(void *number)
{
    int me = *(int *)number;
    struct node *node = pop(me);
    if (node)
        retire(me, node);
    return NULL;
}

int main(void)
{
    static int numbers[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        nodes[i].next = top;
        top = &nodes[i];
    }
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, popper, &numbers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
