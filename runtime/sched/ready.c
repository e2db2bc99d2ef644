/* The threads that can run, in an array ordered by number. Blocking and waking move O(n) pointers;
   reading, which every scheduling point does, is free. */
#include <string.h>

#include "base/sys.h"
#include "runtime/sched/internal.h"

static struct sm_thread **ready, **rotated;
static uint32_t count, capacity;

void sm_ready_start(void)
{
    count = 0;
}

static uint32_t position(uint32_t id)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (ready[middle]->id < id)
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
    if (count)
        memcpy(copy, ready, count * sizeof *copy);
    if (capacity) {
        sm_free(ready, capacity * sizeof *ready);
        sm_free(rotated, capacity * sizeof *rotated);
    }
    ready = copy;
    rotated = sm_alloc(larger * sizeof *rotated);
    capacity = larger;
}

void sm_ready_add(struct sm_thread *thread)
{
    if (count == capacity)
        grow();
    uint32_t at = position(thread->id);
    memmove(ready + at + 1, ready + at, (count - at) * sizeof *ready);
    ready[at] = thread;
    count++;
}

void sm_ready_remove(struct sm_thread *thread)
{
    uint32_t at = position(thread->id);
    SM_ASSERT(at < count && ready[at] == thread);
    count--;
    memmove(ready + at, ready + at + 1, (count - at) * sizeof *ready);
}

uint32_t sm_ready_count(void)
{
    return count;
}

struct sm_thread **sm_ready_from(const struct sm_thread *from)
{
    uint32_t at = position(from->id);
    if (at == 0 || at == count)
        return ready;
    memcpy(rotated, ready + at, (count - at) * sizeof *ready);
    memcpy(rotated + (count - at), ready, at * sizeof *ready);
    return rotated;
}
