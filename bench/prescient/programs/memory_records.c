/*
 * hsqldb6, JavaSystem.memoryRecords: a counter of allocations, and a collection when it has
 * grown enough. Seen before it has grown, it starts a collection for nothing.
 */
#include <pthread.h>
#include <stdio.h>

#include "phase.h"

enum { LIMIT = 3 };
static int memory_records;
static atomic_int collections;

static void collect_if_needed(void)
{
    if (memory_records > LIMIT) {
        memory_records = 0;
        atomic_fetch_add_explicit(&collections, 1, memory_order_relaxed);
    }
}

static void *look(void *arg)
{
    for (int i = 0; i < 3; i++)
        collect_if_needed();
    begin_phase(1);
    return arg;
}

static void *allocate(void *arg)
{
    await_phase(1);
    for (int i = 0; i < 2 * LIMIT; i++)
        memory_records = memory_records + 1;
    collect_if_needed();
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, look, NULL);
    pthread_create(&threads[1], NULL, allocate, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d collections\n", atomic_load_explicit(&collections, memory_order_relaxed));
    return 0;
}
