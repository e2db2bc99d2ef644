/*
 * exact.h - verify decides, where the program is small enough.
 *
 * Before the trials of an investigation, verify explores the program: first every execution under
 * sc, then those with lies, about all variables at once and about one alone. Where an exploration
 * is complete the verdict does not depend on chance: the variable is proved benign, or its model is
 * the strongest in which an execution fails, and verify's execution is the witness.
 *
 *   sc, whole program      must be complete and without a failure, else nothing is decided: what
 *                          fails under sc is a finding of its own (failures). Its outcomes are the
 *                          right ones.
 *   model, whole program   complete, nothing fails: every variable is proved benign.
 *   model, one variable    complete, nothing fails: this one is.
 *   tso, pso, ...          from the strongest on: the first in which something fails.
 *
 * Each model allows all that the stronger ones allow, so a proof in the weakest holds for all.
 *
 * Explorations are cut at a number of events or states, each and all together, so that what is
 * exact does not depend on the machine; time limits are for slow programs. In a shard nothing is
 * decided: merge does that. Nothing is decided if hunt can make executions that verify does not
 * explore (--unfair); if a program uses time,
 * which does not pass in verify, or writes output that bypasses stdio, which is not part of
 * verify's outcomes; or if the user has chosen a heuristic or schedule.
 */
#ifndef SM_HUNT_EXACT_H
#define SM_HUNT_EXACT_H

#include "hunt/prove.h"

/* What verify says about one variable. */
struct sm_exact_verdict {
    bool decided;   /* proved benign, or destructive in proof.model, and in no stronger one */
    bool witnessed; /* an execution fails: proof */
    struct sm_proof proof;
};
void sm_exact_verdict_free(struct sm_exact_verdict *verdict);

struct sm_exact {
    struct sm_hunt *hunt;
    bool sound;                /* every execution under sc was explored, and none fails */
    bool fails;                /* one does */
    size_t n_outputs;          /* of the baseline when it was sound: no further one may come */
    bool proved;               /* nor does any with lies about all variables */
    uint64_t cost;             /* left to explore, in events of graphs */
    double seconds;            /* left */
    uint64_t explored;         /* executions */
    char *outcome;             /* the only one under sc; NULL: outcomes are not judged */
    struct sm_proof *failures; /* under sc */
    size_t n_failures;
};

/* Whether there is anything to explore. */
bool sm_exact_applies(const struct sm_hunt *hunt);
/* Explores under sc, and, if there are so many racy variables, the whole program in the model of
   the hunt. */
bool sm_exact_begin(struct sm_exact *exact, struct sm_hunt *hunt, size_t n_variables,
                    struct sm_error *error);
bool sm_exact_decide(struct sm_exact *exact, const char *name, const struct sm_watchlist *sites,
                     struct sm_exact_verdict *verdict, struct sm_error *error);
/* When the survey is finished: *holds if it has shown nothing that verify has not seen; otherwise
   nothing is decided. Failures under sc get their witnesses. */
bool sm_exact_settle(struct sm_exact *exact, size_t survey_failures, bool *holds,
                     struct sm_error *error);
void sm_exact_free(struct sm_exact *exact);

#endif
