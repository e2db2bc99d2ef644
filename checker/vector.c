#include "checker/vector.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"

static void *or_die(void *block)
{
    if (block)
        return block;
    (void)fprintf(stderr, "stalemate: check: out of memory; try on a machine with more of it\n");
    exit(SM_STATUS_INTERNAL);
}

void *sm_check_alloc(size_t n, size_t size)
{
    return or_die(calloc(n ? n : 1, size));
}

void *sm_check_grow(void *old, size_t *capacity, size_t size)
{
    *capacity = *capacity ? *capacity * 2 : 8;
    return or_die(reallocarray(old, *capacity, size));
}

static size_t find(const struct sm_index *table, uint64_t key)
{
    size_t i = (key * 0x9e3779b97f4a7c15u) >> 24 & (table->capacity - 1);
    while (table->slots[i].value && table->slots[i].key != key)
        i = (i + 1) & (table->capacity - 1);
    return i;
}

uint32_t sm_index_get(const struct sm_index *table, uint64_t key)
{
    if (!table->capacity)
        return SM_ABSENT;
    return table->slots[find(table, key)].value - 1;
}

static void enlarge(struct sm_index *table)
{
    struct sm_index larger = {.n = table->n,
                              .capacity = table->capacity ? table->capacity * 2 : 16};
    larger.slots = sm_check_alloc(larger.capacity, sizeof *larger.slots);
    for (size_t i = 0; i < table->capacity; i++)
        if (table->slots[i].value)
            larger.slots[find(&larger, table->slots[i].key)] = table->slots[i];
    free(table->slots);
    *table = larger;
}

void sm_index_put(struct sm_index *table, uint64_t key, uint32_t number)
{
    if (table->n * 2 >= table->capacity)
        enlarge(table);
    size_t i = find(table, key);
    table->n += !table->slots[i].value;
    table->slots[i].key = key;
    table->slots[i].value = number + 1;
}
