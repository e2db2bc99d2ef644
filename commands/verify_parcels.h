/*
 * verify_parcels.h - verify by workers that share a directory (campaign/parcels.h): the description
 * of an exploration that two workers can compare, and more workers on this machine.
 */
#ifndef SM_COMMANDS_VERIFY_PARCELS_H
#define SM_COMMANDS_VERIFY_PARCELS_H

#include <sys/types.h>

#include "base/options.h"
#include "campaign/parcels.h"
#include "target/target.h"

/* Fills the lines: program, arguments, options, expected outcomes, and where each object is in
   memory, since parcels hold addresses. */
void sm_verify_plan(struct sm_parcels_plan *plan, const struct sm_settings *settings,
                    const struct sm_options *options, const struct sm_explored *expected,
                    const struct sm_target *target);

/* Further workers of `--jobs`, each a process like this one. */
struct sm_crew {
    pid_t *pids;
    size_t n;
    int go; /* a pipe: a byte for each helper starts it; closed without one, it leaves */
    bool is_helper;
};
/* Also returns in the helpers, once sm_crew_go was called. */
bool sm_crew_start(struct sm_crew *crew, size_t n, struct sm_error *error);
void sm_crew_go(struct sm_crew *crew);
/* Waits for them; false: one of them failed. `stop`: they are told to stop, as this process was. */
bool sm_crew_end(struct sm_crew *crew, int stop);

#endif
