#include "runtime/thread.h"

#include <string.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/engine.h"
#include "runtime/sched/internal.h"

static struct sm_thread **threads; /* by number; an engine may leave gaps */
static uint32_t n_threads, capacity;
static struct sm_thread *newest;

static void grow(void)
{
    uint32_t larger = capacity ? capacity * 2 : 64;
    struct sm_thread **copy = sm_alloc(larger * sizeof *copy);
    if (threads) {
        memcpy(copy, threads, n_threads * sizeof *copy);
        sm_free(threads, capacity * sizeof *threads);
    }
    threads = copy;
    capacity = larger;
}

struct sm_thread *sm_thread_new(void)
{
    uint32_t number = sm_engine->thread_number(n_threads);
    if (number >= capacity)
        grow();
    struct sm_thread *thread = sm_alloc(sizeof *thread);
    thread->id = number;
    thread->wait_fd = -1;
    thread->deadline = SM_NO_DEADLINE;
    if (newest)
        newest->next = thread;
    threads[number] = newest = thread;
    if (n_threads <= number)
        n_threads = number + 1;
    sm_control->n_threads = n_threads;
    return thread;
}

struct sm_thread *sm_thread_by_id(uint32_t id)
{
    return id < n_threads ? threads[id] : NULL;
}

struct sm_thread *sm_thread_by_handle(pthread_t handle)
{
    /* Newest first: stacks, and so handles, are reused after 16,384 threads. */
    for (uint32_t i = n_threads; i-- > 0;)
        if (threads[i] && threads[i]->handle == handle)
            return threads[i];
    return NULL;
}

uint32_t sm_thread_count(void)
{
    return n_threads;
}
