/* A work-stealing scheduler with a Chase-Lev deque for each worker. It counts queens' places. */
#include "bench.h"
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#define PLACES 4096
#define MAX_THREADS 64

struct task {
    int row;
    signed char columns[16];
};

struct worker {
    _Alignas(64) atomic_long top;
    _Alignas(64) atomic_long bottom;
    _Atomic(struct task *) ring[PLACES];
    long found, stolen;
};

static int n_queens, n_threads, spawn_rows;
static struct worker workers[MAX_THREADS];
static atomic_long pending;

static void push(struct worker *self, struct task *task)
{
    long bottom = atomic_load_explicit(&self->bottom, memory_order_relaxed);
    atomic_store_explicit(&self->ring[bottom % PLACES], task, memory_order_relaxed);
    atomic_store_explicit(&self->bottom, bottom + 1, memory_order_release);
}

static struct task *pop(struct worker *self)
{
    long bottom = atomic_load_explicit(&self->bottom, memory_order_relaxed) - 1;
    atomic_store(&self->bottom, bottom);
    long top = atomic_load(&self->top);
    struct task *task = NULL;
    if (top <= bottom)
        task = atomic_load_explicit(&self->ring[bottom % PLACES], memory_order_relaxed);
    if (top < bottom)
        return task;
    if (top == bottom && !atomic_compare_exchange_strong(&self->top, &top, top + 1))
        task = NULL;
    atomic_store_explicit(&self->bottom, bottom + 1, memory_order_release);
    return task;
}

static struct task *steal(struct worker *victim)
{
    long top = atomic_load(&victim->top);
    long bottom = atomic_load(&victim->bottom);
    if (top >= bottom)
        return NULL;
    struct task *task = atomic_load_explicit(&victim->ring[top % PLACES], memory_order_relaxed);
    return atomic_compare_exchange_strong(&victim->top, &top, top + 1) ? task : NULL;
}

static int is_free(const signed char *columns, int row, int column)
{
    for (int i = 0; i < row; i++)
        if (columns[i] == column || columns[i] - column == i - row ||
            columns[i] - column == row - i)
            return 0;
    return 1;
}

static long count(signed char *columns, int row)
{
    if (row == n_queens)
        return 1;
    long found = 0;
    for (int column = 0; column < n_queens; column++)
        if (is_free(columns, row, column)) {
            columns[row] = (signed char)column;
            found += count(columns, row + 1);
        }
    return found;
}

static void spawn(struct worker *self, const struct task *parent, int column)
{
    struct task *task = malloc(sizeof *task);
    memcpy(task, parent, sizeof *task);
    task->columns[task->row++] = (signed char)column;
    atomic_fetch_add_explicit(&pending, 1, memory_order_relaxed);
    push(self, task);
}

static void run(struct worker *self, struct task *task)
{
    if (task->row < spawn_rows) {
        for (int column = 0; column < n_queens; column++)
            if (is_free(task->columns, task->row, column))
                spawn(self, task, column);
    } else
        self->found += count(task->columns, task->row);
    free(task);
    atomic_fetch_sub_explicit(&pending, 1, memory_order_release);
}

static void *worker(void *argument)
{
    int id = (int)(intptr_t)argument;
    struct worker *self = &workers[id];
    uint32_t seed = 5 + id;
    while (atomic_load_explicit(&pending, memory_order_acquire)) {
        struct task *task = pop(self);
        if (!task) {
            task = steal(&workers[next_random(&seed) % n_threads]);
            self->stolen += task != NULL;
        }
        if (task)
            run(self, task);
        else
            sched_yield();
    }
    return NULL;
}

int main(int argc, char **argv)
{
    n_queens = argument(argc, argv, 1, 13);
    n_threads = argument(argc, argv, 2, 2);
    spawn_rows = 5;
    atomic_store(&pending, 1);
    push(&workers[0], calloc(1, sizeof(struct task)));
    run_threads(n_threads, worker);
    long found = 0;
    for (int i = 0; i < n_threads; i++)
        found += workers[i].found;
    printf("stealing %ld\n", found);
    return 0;
}
