/*
 * histories.h - the histories of symmetric threads that were checked (symmetry.h), as hashes. For
 * symmetry.c only. At most a million are kept (16 MB); then they are checked again.
 */
#ifndef SM_VERIFY_GRAPH_HISTORIES_H
#define SM_VERIFY_GRAPH_HISTORIES_H

#include <stdbool.h>
#include <stdint.h>

struct sm_histories {
    uint64_t *slots; /* in the pool; 0: empty */
    uint32_t n, capacity;
};

void sm_histories_init(struct sm_histories *histories);
void sm_histories_clear(struct sm_histories *histories);
bool sm_histories_have(const struct sm_histories *histories, uint64_t history);
void sm_histories_add(struct sm_histories *histories, uint64_t history);

#endif
