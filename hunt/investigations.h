/*
 * investigations.h - the investigations of a hunt: each racy variable alone, then, with --together,
 * all.
 *
 * One variable at a time says which race is to blame. What only breaks when several are stale at
 * once needs --together; it is told if none of those lied about breaks the program alone, and
 * of as few of them as will do.
 */
#ifndef SM_HUNT_INVESTIGATIONS_H
#define SM_HUNT_INVESTIGATIONS_H

#include "campaign/progress.h"
#include "hunt/exact.h"
#include "hunt/investigate.h"
#include "hunt/survey.h"

struct sm_investigations {
    struct sm_hunt *hunt;
    struct sm_progress *progress;
    struct sm_exact exact;
    struct sm_investigation *items; /* one a variable, then --together's */
    size_t n;
    struct sm_watchlist **unions; /* of sites, for --together */
    size_t n_unions;
};

/* Numbers for the trials of the `n` variables in the whole plan, and those of all together. */
void sm_investigation_number(struct sm_investigation *investigation, size_t i, size_t n);

/* The variables of the survey, which is finished on the way. */
bool sm_investigate_alone(struct sm_investigations *all, struct sm_survey *survey,
                          struct sm_error *error);
bool sm_investigate_together(struct sm_investigations *all, struct sm_error *error);
void sm_investigations_free(struct sm_investigations *all);

#endif
