/* Ring for many producers and one consumer: a producer claims a cell by fetch_add and says when it
   is full. Weakened: saying so is no release. */
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
#define PRODUCERS 3
#endif
enum { SIZE = 2 };

static struct cell {
    atomic_uint turn; /* how often it was filled and emptied */
    int value;
} cells[SIZE];
static atomic_uint in;

static void *put(void *value)
{
    unsigned at = atomic_fetch_add_explicit(&in, 1, memory_order_relaxed);
    struct cell *cell = &cells[at % SIZE];
    while (atomic_load_explicit(&cell->turn, memory_order_acquire) != at / SIZE * 2)
        continue;
    cell->value = (int)(intptr_t)value;
    atomic_store_explicit(&cell->turn, at / SIZE * 2 + 1, ORDER(memory_order_release));
    return NULL;
}

static int take(unsigned at)
{
    struct cell *cell = &cells[at % SIZE];
    while (atomic_load_explicit(&cell->turn, memory_order_acquire) != at / SIZE * 2 + 1)
        continue;
    int value = cell->value;
    atomic_store_explicit(&cell->turn, at / SIZE * 2 + 2, memory_order_release);
    return value;
}

int main(void)
{
    pthread_t producers[PRODUCERS];
    int sum = 0;
    for (intptr_t i = 0; i < PRODUCERS; i++)
        pthread_create(&producers[i], NULL, put, (void *)(i + 1));
    for (unsigned i = 0; i < PRODUCERS; i++)
        sum += take(i);
    for (int i = 0; i < PRODUCERS; i++)
        pthread_join(producers[i], NULL);
    assert(sum == PRODUCERS * (PRODUCERS + 1) / 2);
    return 0;
}
