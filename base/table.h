/*
 * table.h - a hash table from an address to a pointer, for the runtime's own use.
 *
 * Open addressing, power-of-two capacity. Iteration is in table order, which is the same in each
 * execution because the keys, and the order in which they came and went, are. Zero-initialised is
 * empty.
 */
#ifndef SM_BASE_TABLE_H
#define SM_BASE_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct sm_table_entry {
    uintptr_t key; /* never 0 */
    void *value;
};

struct sm_table {
    struct sm_table_entry *entries;
    size_t n, capacity;
};

/* The location of key's value; created as NULL if it was not there. */
void **sm_table_at(struct sm_table *table, uintptr_t key);
/* The value of key, or NULL. */
void *sm_table_get(const struct sm_table *table, uintptr_t key);
/* The key will be asked for in some 10 ns or more. */
void sm_table_fetch(const struct sm_table *table, uintptr_t key);
/* The same as get; the key is no longer there. Locations of other keys may change. */
void *sm_table_take(struct sm_table *table, uintptr_t key);
void sm_table_clear(struct sm_table *table);

#endif
