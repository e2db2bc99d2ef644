/* Vyukov's bounded queue: each cell has a sequence number that says whose turn it is. Weakened:
   filling a cell is no release. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifdef WEAK
#define ORDER(order) memory_order_relaxed
#else
#define ORDER(order) order
#endif
#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 1
#endif
enum { SIZE = 4 };
_Static_assert(PRODUCERS <= SIZE, "all that is put has room");

static struct cell {
    atomic_uint sequence;
    int value;
} cells[SIZE];
static atomic_uint in, out;

static int put(int value)
{
    unsigned at = atomic_load_explicit(&in, memory_order_relaxed);
    for (;;) {
        struct cell *cell = &cells[at % SIZE];
        int ahead = (int)(atomic_load_explicit(&cell->sequence, memory_order_acquire) - at);
        if (ahead < 0)
            return 0;
        if (ahead > 0) {
            at = atomic_load_explicit(&in, memory_order_relaxed);
        } else if (atomic_compare_exchange_strong_explicit(&in, &at, at + 1, memory_order_relaxed,
                                                           memory_order_relaxed)) {
            cell->value = value;
            atomic_store_explicit(&cell->sequence, at + 1, ORDER(memory_order_release));
            return 1;
        }
    }
}

static int take(void)
{
    unsigned at = atomic_load_explicit(&out, memory_order_relaxed);
    for (;;) {
        struct cell *cell = &cells[at % SIZE];
        int ahead = (int)(atomic_load_explicit(&cell->sequence, memory_order_acquire) - (at + 1));
        if (ahead < 0)
            return 0;
        if (ahead > 0) {
            at = atomic_load_explicit(&out, memory_order_relaxed);
        } else if (atomic_compare_exchange_strong_explicit(&out, &at, at + 1, memory_order_relaxed,
                                                           memory_order_relaxed)) {
            int value = cell->value;
            atomic_store_explicit(&cell->sequence, at + SIZE, memory_order_release);
            return value ? value : -1;
        }
    }
}

static void *produce(void *value)
{
    assert(put((int)(intptr_t)value));
    return NULL;
}

static void *consume(void *result)
{
    *(int *)result = take();
    return NULL;
}

int main(void)
{
    pthread_t producers[PRODUCERS], consumers[CONSUMERS];
    int taken[CONSUMERS], sum = 0;
    for (unsigned i = 0; i < SIZE; i++)
        atomic_init(&cells[i].sequence, i);
    for (intptr_t i = 0; i < PRODUCERS; i++)
        pthread_create(&producers[i], NULL, produce, (void *)(i + 1));
    for (int i = 0; i < CONSUMERS; i++)
        pthread_create(&consumers[i], NULL, consume, &taken[i]);
    for (int i = 0; i < PRODUCERS; i++)
        pthread_join(producers[i], NULL);
    for (int i = 0; i < CONSUMERS; i++) {
        pthread_join(consumers[i], NULL);
        sum += taken[i];
    }
    for (int value; (value = take());)
        sum += value;
    assert(sum == PRODUCERS * (PRODUCERS + 1) / 2);
    return 0;
}
