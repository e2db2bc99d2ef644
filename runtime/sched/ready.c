/* The threads that can run, in an array ordered by number. Blocking and waking move O(n) pointers;
   reading, which every scheduling point does, is free. */
#include <string.h>

#include "base/sys.h"
#include "runtime/sched/internal.h"

struct sm_thread **sm_ready;
uint32_t sm_ready_count;
static uint32_t capacity;

void sm_ready_start(void)
{
    sm_ready_count = 0;
}

static uint32_t position(uint32_t id)
{
    uint32_t low = 0, high = sm_ready_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (sm_ready[middle]->id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void grow(void)
{
    uint32_t larger = capacity ? capacity * 2 : 64;
    struct sm_thread **copy = sm_alloc(larger * sizeof *copy);
    if (sm_ready_count)
        memcpy(copy, sm_ready, sm_ready_count * sizeof *copy);
    if (capacity)
        sm_free(sm_ready, capacity * sizeof *sm_ready);
    sm_ready = copy;
    capacity = larger;
}

void sm_ready_add(struct sm_thread *thread)
{
    if (sm_ready_count == capacity)
        grow();
    uint32_t at = position(thread->id);
    memmove(sm_ready + at + 1, sm_ready + at, (sm_ready_count - at) * sizeof *sm_ready);
    sm_ready[at] = thread;
    sm_ready_count++;
}

void sm_ready_remove(struct sm_thread *thread)
{
    uint32_t at = position(thread->id);
    SM_ASSERT(at < sm_ready_count && sm_ready[at] == thread);
    sm_ready_count--;
    memmove(sm_ready + at, sm_ready + at + 1, (sm_ready_count - at) * sizeof *sm_ready);
}

uint32_t sm_ready_from(const struct sm_thread *from)
{
    uint32_t at = position(from->id);
    return at < sm_ready_count ? at : 0;
}
