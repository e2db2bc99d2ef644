/*
 * structure.h - axioms on threads and locks, common to all models: a thread acts between its
 * start and its end, is started once and by another, is joined only when it has ended; a
 * lock has one owner, or readers. Takes the records in order, before any other check.
 */
#ifndef SM_CHECKER_STRUCTURE_H
#define SM_CHECKER_STRUCTURE_H

#include "checker/execution.h"

struct sm_structure {
    uint8_t *threads; /* enum thread_state, by number */
    struct sm_index index;
    SM_VECTOR(struct sm_lock_state) locks;
    uint32_t n_held;
};

struct sm_lock_state {
    uint64_t addr;
    uint32_t owner; /* thread, or SM_NONE */
    uint32_t depth; /* recursive mutexes are locked again by their owner */
    uint32_t readers;
    uint32_t record; /* where it was taken */
};

void sm_structure_start(struct sm_structure *s, uint32_t n_threads);
bool sm_structure_take(struct sm_execution *x, struct sm_structure *s, uint32_t record);
void sm_structure_destroy(struct sm_structure *s);

#endif
