/*
 * conflicts.h - the data races of a path (models hb and oota).
 *
 * An access races with each earlier conflicting access of another thread that does not happen
 * before it. What a thread did is the path from its node to the root of its tree, so nothing needs
 * to be stored; the walk ends at the last release that the thread has synchronised with.
 */
#ifndef SM_VERIFY_STATES_CONFLICTS_H
#define SM_VERIFY_STATES_CONFLICTS_H

#include "abi/race.h"
#include "verify/states/machine.h"

struct sm_conflict {
    uint32_t past, now; /* nodes */
};
/* Calls `each` for every past access that races with what the thread does in this step. */
void sm_conflicts_find(const struct sm_machine *machine, const struct sm_move *step,
                       void (*each)(const struct sm_conflict *conflict, void *context),
                       void *context);
/* In the form of a report. */
struct sm_race_access sm_conflict_access(uint32_t node);

#endif
