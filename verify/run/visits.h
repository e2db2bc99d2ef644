/*
 * visits.h - accesses to memory that is not shared, in all runs: for share.c, if trees are used
 * (local.h).
 *
 * A run shows one path of each thread, and the search combines paths of different runs; so
 * conflicts are sought between the accesses of all runs. Only creation and joining order them,
 * which is the same in every run.
 */
#ifndef SM_VERIFY_RUN_VISITS_H
#define SM_VERIFY_RUN_VISITS_H

#include "verify/graph/graph.h"

void sm_visits_start(void); /* once */
/* Records an access to bytes of a granule; `list` is the granule's, 0 at first. `when`: the
   thread's clock, by creation and joining. True: it conflicts with another one. */
bool sm_visits_add(uint32_t *list, uint8_t bytes, bool write, uint32_t thread,
                   const struct sm_vector *when);

/* The bytes of the accesses so far, as masks; at most `room`. */
unsigned sm_visits_bytes(uint32_t list, uint8_t masks[], unsigned room);
/* One of them, by another thread, is not ordered before this thread's clock. */
bool sm_visits_are_open(uint32_t list, uint32_t thread, const struct sm_vector *when);

#endif
