#include "base/table.h"

#include "base/sys.h"

static struct sm_table_entry *find(struct sm_table_entry *entries, size_t capacity, uintptr_t key)
{
    size_t i = (key * 0x9e3779b97f4a7c15u) >> 24 & (capacity - 1);
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

void sm_table_clear(struct sm_table *table)
{
    if (table->entries)
        sm_free(table->entries, table->capacity * sizeof *table->entries);
    *table = (struct sm_table){0};
}
