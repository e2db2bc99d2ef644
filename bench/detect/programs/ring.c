/* A ring with many producers and one consumer: a sequence number for each place. */
#include "bench.h"
#include <sched.h>
#include <stdatomic.h>

#define PLACES 1024

struct place {
    _Alignas(64) atomic_ulong turn;
    uint64_t payload[6];
};

static int n, n_producers;
static struct place ring[PLACES];
static atomic_ulong tail;
static uint64_t sum;

static void put(uint64_t value)
{
    unsigned long at = atomic_fetch_add_explicit(&tail, 1, memory_order_relaxed);
    struct place *place = &ring[at % PLACES];
    while (atomic_load_explicit(&place->turn, memory_order_acquire) != at / PLACES * 2)
        sched_yield();
    for (int i = 0; i < 6; i++)
        place->payload[i] = value + i;
    atomic_store_explicit(&place->turn, at / PLACES * 2 + 1, memory_order_release);
}

static void *worker(void *argument)
{
    int id = (int)(intptr_t)argument;
    if (id < n_producers) {
        for (int i = 0; i < n; i++)
            put((uint64_t)id * n + i);
        return NULL;
    }
    for (unsigned long at = 0; at < (unsigned long)n * n_producers; at++) {
        struct place *place = &ring[at % PLACES];
        while (atomic_load_explicit(&place->turn, memory_order_acquire) != at / PLACES * 2 + 1)
            sched_yield();
        for (int i = 0; i < 6; i++)
            sum += place->payload[i];
        atomic_store_explicit(&place->turn, at / PLACES * 2 + 2, memory_order_release);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    n = argument(argc, argv, 1, 400000);
    n_producers = argument(argc, argv, 2, 2);
    run_threads(n_producers + 1, worker);
    printf("ring %lu\n", (unsigned long)sum);
    return 0;
}
