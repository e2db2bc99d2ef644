/*
 * effort.h - which test of a cross-test campaign gets the next round (`stalemate campaign`).
 *
 * All tests get one round; the next goes to the test with the most findings in its last round, for
 * each second that it took. A test is saturated after three rounds without anything new, or after
 * one if verify has decided all. The rest of the budget then goes to the test that has had least.
 *
 * Pure functions: the caller has the clock and makes the hunts.
 */
#ifndef SM_CAMPAIGN_EFFORT_H
#define SM_CAMPAIGN_EFFORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sm_effort {
    uint64_t rounds, quiet; /* quiet: rounds without anything new, to the last */
    uint64_t last_new;      /* findings of the last round */
    double seconds;         /* of all rounds */
    double last_seconds;    /* of the last round; 0: none in this campaign */
    bool unable;            /* the test cannot be run */
};

/* After a round that ended. `exact`: verify has decided everything, so another round could only
   find what the survey has missed. */
void sm_effort_round(struct sm_effort *effort, uint64_t findings, bool exact);
/* The cost of a round, whatever its result. */
void sm_effort_spend(struct sm_effort *effort, double seconds);
bool sm_effort_is_saturated(const struct sm_effort *effort);
/* The index of the next; n: none. `endless`: the budget is spent even when all are saturated. */
size_t sm_effort_choose(const struct sm_effort efforts[], size_t n, bool endless);

#endif
