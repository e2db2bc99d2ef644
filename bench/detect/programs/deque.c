/* Work stealing: a Chase-Lev deque for each thread, tasks that split until they are small. */
#include "bench.h"
#include <stdatomic.h>

#define CAPACITY 8192
#define THREADS_MAX 16

struct deque {
    _Alignas(64) atomic_long top;
    _Alignas(64) atomic_long bottom;
    _Atomic(uint64_t) tasks[CAPACITY];
};

static int size, n_threads;
static struct deque deques[THREADS_MAX];
static atomic_long open_tasks;
static uint64_t *results;

static void push(struct deque *deque, uint64_t task)
{
    long bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);
    atomic_store_explicit(&deque->tasks[bottom % CAPACITY], task, memory_order_relaxed);
    atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_release);
}

static uint64_t pop(struct deque *deque)
{
    long bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed) - 1;
    atomic_store_explicit(&deque->bottom, bottom, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    long top = atomic_load_explicit(&deque->top, memory_order_relaxed);
    uint64_t task = 0;
    if (top <= bottom) {
        task = atomic_load_explicit(&deque->tasks[bottom % CAPACITY], memory_order_relaxed);
        if (top < bottom)
            return task;
        if (!atomic_compare_exchange_strong_explicit(&deque->top, &top, top + 1,
                                                     memory_order_seq_cst, memory_order_relaxed))
            task = 0;
    }
    atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_relaxed);
    return task;
}

static uint64_t steal(struct deque *deque)
{
    long top = atomic_load_explicit(&deque->top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    long bottom = atomic_load_explicit(&deque->bottom, memory_order_acquire);
    if (top >= bottom)
        return 0;
    uint64_t task = atomic_load_explicit(&deque->tasks[top % CAPACITY], memory_order_relaxed);
    if (!atomic_compare_exchange_strong_explicit(&deque->top, &top, top + 1, memory_order_seq_cst,
                                                 memory_order_relaxed))
        return 0;
    return task;
}

/* A task is a range: first number in the upper half, how many in the lower. */
static void run(struct deque *own, uint64_t task)
{
    uint32_t from = task >> 32, count = (uint32_t)task;
    if (count > 64) {
        atomic_fetch_add_explicit(&open_tasks, 1, memory_order_relaxed);
        push(own, (uint64_t)from << 32 | count / 2);
        push(own, (uint64_t)(from + count / 2) << 32 | (count - count / 2));
        return;
    }
    for (uint32_t i = from; i < from + count; i++) {
        uint64_t x = i;
        for (int k = 0; k < 20; k++)
            x = x * 6364136223846793005u + 1442695040888963407u;
        results[i] = x;
    }
    atomic_fetch_sub_explicit(&open_tasks, 1, memory_order_release);
}

static void *worker(void *argument)
{
    int id = (int)(intptr_t)argument;
    uint32_t seed = 1 + id;
    while (atomic_load_explicit(&open_tasks, memory_order_acquire) > 0) {
        uint64_t task = pop(&deques[id]);
        if (!task)
            task = steal(&deques[next_random(&seed) % n_threads]);
        if (task)
            run(&deques[id], task);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    size = argument(argc, argv, 1, 4000000);
    n_threads = argument(argc, argv, 2, 2);
    results = malloc(size * sizeof *results);
    open_tasks = 1;
    push(&deques[0], (uint64_t)size);
    run_threads(n_threads, worker);
    uint64_t sum = 0;
    for (int i = 0; i < size; i++)
        sum += results[i];
    printf("deque %lu\n", (unsigned long)sum);
    return 0;
}
