/*
 * hsqldb6, MemoryWatcherThread.keep_running: a thread samples memory usage until it is told to
 * stop. A stale flag keeps it running for ever; one that is seen before it is cleared makes it
 * stop early, and the statistics lack the peak.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { STEPS = 4 };
static int keep_running = 1;
static atomic_int used, sampled, stopped;
static int peak;

static int get(atomic_int *from)
{
    return atomic_load_explicit(from, memory_order_relaxed);
}

static void set(atomic_int *to, int value)
{
    atomic_store_explicit(to, value, memory_order_relaxed);
}

static void *watch(void *arg)
{
    while (keep_running) {
        int now = get(&used);
        peak = now > peak ? now : peak;
        set(&sampled, now);
    }
    set(&stopped, 1);
    return arg;
}

int main(void)
{
    pthread_t watcher;

    pthread_create(&watcher, NULL, watch, NULL);
    for (int i = 1; i <= STEPS; i++) {
        set(&used, i);
        while (get(&sampled) != i && !get(&stopped))
            continue;
    }
    keep_running = 0;
    pthread_join(watcher, NULL);
    printf("peak %d\n", peak);
    return 0;
}
