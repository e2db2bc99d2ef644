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
/* Model sc: calls `each` for every thread whose next event conflicts with this step. If a program
   has a race in some execution, it has one of such accesses. Take the first race of an execution,
   and leave out each event that happens before neither of its accesses. What is left reads the same
   values: a plain read reads from a write that happens before it, or there was an earlier race; an
   atomic one synchronises with what it reads from. So it is an execution, and in it both accesses
   can be the next. That does not hold if an answer may depend on what does not happen before it
   (relaxed atomics, a trylock that fails, a wake-up): then the exploration is not complete
   (SM_CUT_APART). Races that only an earlier race makes possible may be missing. */
void sm_conflicts_next(const struct sm_machine *machine, const struct sm_move *step,
                       void (*each)(const struct sm_conflict *conflict, void *context),
                       void *context);
/* In the form of a report. */
struct sm_race_access sm_conflict_access(uint32_t node);

#endif
