/*
 * investigations.h - the investigations of a hunt: each racy variable alone, then, with --together,
 * all.
 *
 * Lies about one variable at a time show which race is the cause. A failure that needs several
 * stale variables needs --together; it is reported if none of them breaks the program alone, with
 * as few of them as possible.
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
    size_t n, n_late;               /* late: the last of them, which are no part of the plan */
    struct sm_watchlist **unions;   /* of sites, for --together */
    size_t n_unions;
};

/* Numbers for the trials of the `n` variables in the whole plan, and those of all together. */
void sm_investigation_number(struct sm_investigation *investigation, size_t i, size_t n);

/* The variables of the survey; finishes the survey on the way. */
bool sm_investigate_alone(struct sm_investigations *all, struct sm_survey *survey,
                          struct sm_error *error);
/* Executions under sc go on (search.h); what they show is investigated, too. */
bool sm_investigate_late(struct sm_investigations *all, struct sm_survey *survey,
                         struct sm_error *error);
bool sm_investigate_together(struct sm_investigations *all, struct sm_error *error);
void sm_investigations_free(struct sm_investigations *all);

#endif
