/* Vyukov's bounded queue: each cell has a sequence number that says whose turn it is. Two threads
   put, one takes. Weakened: filling a cell is no release. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifdef WEAK
#define ORDER(order) memory_order_relaxed
#else
#define ORDER(order) order
#endif
enum { SIZE = 2 };

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
    struct cell *cell = &cells[at % SIZE];
    if (atomic_load_explicit(&cell->sequence, memory_order_acquire) != at + 1)
        return 0;
    atomic_store_explicit(&out, at + 1, memory_order_relaxed);
    int value = cell->value;
    atomic_store_explicit(&cell->sequence, at + SIZE, memory_order_release);
    return value ? value : -1;
}

static void *producer(void *arg)
{
    assert(put((int)(intptr_t)arg));
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    for (unsigned i = 0; i < SIZE; i++)
        atomic_init(&cells[i].sequence, i);
    pthread_create(&one, NULL, producer, (void *)1);
    pthread_create(&two, NULL, producer, (void *)2);
    int a = take(), b = take();
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    int sum = a + b;
    for (int value; (value = take());)
        sum += value;
    assert(sum == 3);
    return 0;
}
