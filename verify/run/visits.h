/*
 * visits.h - which threads have accessed memory that is not shared, in any run: for share.c, where
 * trees are learnt (local.h).
 *
 * There one run shows what a thread does on one path, and the search puts paths of different
 * runs together; so conflicts are sought between accesses of all runs. Only creating and
 * joining threads orders them, and that means the same in every run.
 */
#ifndef SM_VERIFY_RUN_VISITS_H
#define SM_VERIFY_RUN_VISITS_H

#include "verify/graph/graph.h"

void sm_visits_start(void); /* once */
/* Notes an access to bytes of a granule; `list` is the granule's, 0 at first. `when` is what
   the thread knows by creation and joining. True: it conflicts with another one. */
bool sm_visits_add(uint32_t *list, uint8_t bytes, bool write, uint32_t thread,
                   const struct sm_vector *when);

/* The bytes of the visits so far, as masks; as many as find room. */
unsigned sm_visits_bytes(uint32_t list, uint8_t masks[], unsigned room);
/* One of them, by another thread, is not ordered before this thread's now. */
bool sm_visits_are_open(uint32_t list, uint32_t thread, const struct sm_vector *when);

#endif
