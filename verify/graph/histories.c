#include "verify/graph/histories.h"

#include <string.h>

#include "verify/pool.h"

enum { FIRST_HISTORIES = 256, MOST_HISTORIES = 1 << 21 };

static void make_slots(struct sm_histories *histories, uint32_t capacity)
{
    histories->slots = sm_pool_get(capacity * sizeof *histories->slots);
    memset(histories->slots, 0, capacity * sizeof *histories->slots);
    histories->capacity = capacity;
    histories->n = 0;
}

void sm_histories_init(struct sm_histories *histories)
{
    make_slots(histories, FIRST_HISTORIES);
}

void sm_histories_clear(struct sm_histories *histories)
{
    memset(histories->slots, 0, histories->capacity * sizeof *histories->slots);
    histories->n = 0;
}

static uint64_t *slot_of(const struct sm_histories *histories, uint64_t history)
{
    uint32_t at = (uint32_t)(history >> 32) & (histories->capacity - 1);
    while (histories->slots[at] && histories->slots[at] != history)
        at = (at + 1) & (histories->capacity - 1);
    return &histories->slots[at];
}

static void grow(struct sm_histories *histories)
{
    uint64_t *old = histories->slots;
    uint32_t capacity = histories->capacity;
    if (capacity == MOST_HISTORIES) {
        sm_histories_clear(histories);
        return;
    }
    make_slots(histories, 2 * capacity);
    for (uint32_t i = 0; i < capacity; i++)
        if (old[i])
            sm_histories_add(histories, old[i]);
    sm_pool_put(old, capacity * sizeof *old);
}

bool sm_histories_have(const struct sm_histories *histories, uint64_t history)
{
    return *slot_of(histories, history | 1);
}

void sm_histories_add(struct sm_histories *histories, uint64_t history)
{
    if (2 * histories->n >= histories->capacity)
        grow(histories);
    uint64_t *slot = slot_of(histories, history | 1);
    histories->n += !*slot;
    *slot = history | 1;
}
