/* Epoch-based reclamation (Fraser): a reader pins the epoch that it sees; an object that was
   replaced is reclaimed two epochs later, and the epoch goes on when all that are pinned have seen
   it. Weakened: the fence after pinning. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef WEAK
#define FENCE memory_order_acq_rel
#else
#define FENCE memory_order_seq_cst
#endif
#ifndef READERS
#define READERS 2
#endif

static struct object {
    int value;
} objects[2] = {{1}, {2}};
static _Atomic(struct object *) current = &objects[0];
static atomic_uint epoch = 1, pinned[READERS]; /* 0: not pinned */

static void *read_current(void *number)
{
    atomic_uint *mine = &pinned[*(int *)number];
    atomic_store_explicit(mine, atomic_load_explicit(&epoch, memory_order_relaxed),
                          memory_order_relaxed);
    atomic_thread_fence(FENCE);
    struct object *object = atomic_load_explicit(&current, memory_order_acquire);
    assert(object->value > 0);
    atomic_store_explicit(mine, 0, memory_order_release);
    return NULL;
}

static int try_advance(void)
{
    unsigned now = atomic_load_explicit(&epoch, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    for (int i = 0; i < READERS; i++) {
        unsigned seen = atomic_load_explicit(&pinned[i], memory_order_acquire);
        if (seen && seen != now)
            return 0;
    }
    atomic_store_explicit(&epoch, now + 1, memory_order_release);
    return 1;
}

static void *replace(void *unused)
{
    struct object *old = atomic_exchange_explicit(&current, &objects[1], memory_order_acq_rel);
    if (try_advance() && try_advance())
        old->value = 0; /* reclaimed */
    return unused;
}

int main(void)
{
    static int numbers[READERS];
    pthread_t readers[READERS], writer;
    for (int i = 0; i < READERS; i++) {
        numbers[i] = i;
        pthread_create(&readers[i], NULL, read_current, &numbers[i]);
    }
    pthread_create(&writer, NULL, replace, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_join(readers[i], NULL);
    pthread_join(writer, NULL);
    return 0;
}
