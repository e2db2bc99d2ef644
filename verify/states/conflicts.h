/*
 * conflicts.h - the data races of a path (models hb and oota).
 *
 * When a thread makes an access, each conflicting one that another thread made before, and that the
 * thread does not know of, races with it. What a thread did is the way from where it is in its tree
 * to the root, so nothing has to be kept for it; the walk ends at the last release that is known.
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
/* As a report has it. */
struct sm_race_access sm_conflict_access(uint32_t node);

#endif
