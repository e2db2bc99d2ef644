#include "verify/graph/histories.h"

#include <string.h>

#include "verify/pool.h"

enum { FIRST_HISTORIES = 256, MOST_HISTORIES = 1 << 21 };

static struct histories {
    uint64_t *slots; /* 0: empty */
    uint32_t n, capacity;
} *histories;

static void make_slots(uint32_t capacity)
{
    histories->slots = sm_pool_get(capacity * sizeof *histories->slots);
    memset(histories->slots, 0, capacity * sizeof *histories->slots);
    histories->capacity = capacity;
    histories->n = 0;
}

void sm_histories_start(void)
{
    histories = sm_pool_get(sizeof *histories);
    make_slots(FIRST_HISTORIES);
}

void sm_histories_clear(void)
{
    memset(histories->slots, 0, histories->capacity * sizeof *histories->slots);
    histories->n = 0;
}

static uint64_t *slot_of(uint64_t history)
{
    uint32_t at = (uint32_t)(history >> 32) & (histories->capacity - 1);
    while (histories->slots[at] && histories->slots[at] != history)
        at = (at + 1) & (histories->capacity - 1);
    return &histories->slots[at];
}

static void grow(void)
{
    uint64_t *old = histories->slots;
    uint32_t capacity = histories->capacity;
    if (capacity == MOST_HISTORIES) {
        sm_histories_clear();
        return;
    }
    make_slots(2 * capacity);
    for (uint32_t i = 0; i < capacity; i++)
        if (old[i])
            sm_histories_add(old[i]);
    sm_pool_put(old, capacity * sizeof *old);
}

bool sm_histories_have(uint64_t history)
{
    return *slot_of(history | 1);
}

void sm_histories_add(uint64_t history)
{
    if (2 * histories->n >= histories->capacity)
        grow();
    uint64_t *slot = slot_of(history | 1);
    histories->n += !*slot;
    *slot = history | 1;
}
