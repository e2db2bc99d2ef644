#include "base/table.h"

#include "base/sys.h"

static size_t home(uintptr_t key, size_t capacity)
{
    return (key * 0x9e3779b97f4a7c15u) >> 24 & (capacity - 1);
}

static struct sm_table_entry *find(struct sm_table_entry *entries, size_t capacity, uintptr_t key)
{
    size_t i = home(key, capacity);
    while (entries[i].key && entries[i].key != key)
        i = (i + 1) & (capacity - 1);
    return &entries[i];
}

static void grow(struct sm_table *table)
{
    size_t larger = table->capacity ? table->capacity * 2 : 64;
    struct sm_table_entry *entries = sm_alloc(larger * sizeof *entries);
    for (size_t i = 0; i < table->capacity; i++)
        if (table->entries[i].key)
            *find(entries, larger, table->entries[i].key) = table->entries[i];
    if (table->entries)
        sm_free(table->entries, table->capacity * sizeof *table->entries);
    table->entries = entries;
    table->capacity = larger;
}

void **sm_table_at(struct sm_table *table, uintptr_t key)
{
    SM_ASSERT(key);
    if (table->n * 2 >= table->capacity)
        grow(table);
    struct sm_table_entry *entry = find(table->entries, table->capacity, key);
    if (!entry->key) {
        entry->key = key;
        table->n++;
    }
    return &entry->value;
}

void *sm_table_get(const struct sm_table *table, uintptr_t key)
{
    return table->capacity ? find(table->entries, table->capacity, key)->value : NULL;
}

void sm_table_fetch(const struct sm_table *table, uintptr_t key)
{
    if (table->capacity)
        __builtin_prefetch(&table->entries[home(key, table->capacity)]);
}

/* Entries that were displaced by the one removed move up: nothing is left to be skipped. */
static void close_gap(const struct sm_table *table, size_t gap)
{
    struct sm_table_entry *entries = table->entries;
    size_t mask = table->capacity - 1;
    for (size_t i = (gap + 1) & mask; entries[i].key; i = (i + 1) & mask) {
        size_t away = (i - home(entries[i].key, table->capacity)) & mask;
        if (away < ((i - gap) & mask))
            continue;
        entries[gap] = entries[i];
        gap = i;
    }
    entries[gap] = (struct sm_table_entry){0};
}

void *sm_table_take(struct sm_table *table, uintptr_t key)
{
    if (!table->n)
        return NULL;
    struct sm_table_entry *entry = find(table->entries, table->capacity, key);
    if (!entry->key)
        return NULL;
    void *value = entry->value;
    table->n--;
    close_gap(table, (size_t)(entry - table->entries));
    return value;
}

void sm_table_clear(struct sm_table *table)
{
    if (table->entries)
        sm_free(table->entries, table->capacity * sizeof *table->entries);
    *table = (struct sm_table){0};
}
