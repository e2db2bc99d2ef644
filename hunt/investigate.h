/*
 * investigate.h - one racy variable: lies about it until the program fails or there are enough
 * trials.
 *
 * Trials are made in rounds, so that variables take turns and a campaign that is cut short has
 * tried them all. At the first failure the investigation stops to prove it: reduce it, find its
 * model, check it, write its witness. Then come the trials that are needed to know rates. If stale
 * values do no harm, future values are tried (prescient.h).
 */
#ifndef SM_HUNT_INVESTIGATE_H
#define SM_HUNT_INVESTIGATE_H

#include "campaign/plan.h"
#include "hunt/covered.h"
#include "hunt/exact.h"
#include "hunt/prescient.h"
#include "hunt/prove.h"
#include "hunt/tally.h"

struct sm_investigation {
    struct sm_hunt *hunt;
    char *name;
    const struct sm_watchlist *sites; /* of the variable */
    struct sm_plan plan;
    struct sm_trial *trials;
    size_t n_trials;
    bool planned;        /* shards divide the trials among themselves */
    uint64_t number;     /* of the first trial in the whole plan */
    size_t most_trials;  /* if nothing fails, and trials keep exercising something new */
    size_t short_trials; /* if nothing fails, and new executions keep coming */
    struct sm_covered covered;
    struct sm_hashes traces; /* of the executions so far */
    size_t news;             /* executions of the last round that were new */
    bool had_choice;         /* a read of some trial could have seen another store */
    bool looks_ahead;        /* stale values are done, now future values are tried */
    struct sm_prescience prescience;
    bool finished;
    struct sm_exact_verdict exact;
    struct sm_evidence evidence; /* if witnessed, `failing` and `proof` are filled in */
    struct sm_case failing;
    struct sm_proof proof;
};

bool sm_investigation_open(struct sm_investigation *investigation, struct sm_hunt *hunt,
                           const char *name, const struct sm_watchlist *sites,
                           struct sm_error *error);
void sm_investigation_close(struct sm_investigation *investigation);

/* The trial with stale values, number i of the variable. */
struct sm_trial sm_investigation_trial(const struct sm_investigation *investigation, uint64_t i);
/* How many trials with future values there are, unless one fails; 0: none. */
size_t sm_prescient_trials(const struct sm_settings *settings);
/* The witness to show: verify's, if it is exact or no other has as strong a model; NULL if there is
   none. */
const struct sm_proof *sm_investigation_proof(const struct sm_investigation *investigation);

/* More is known of failures under sc than when it was witnessed. If it fails without this variable,
   trials go on. */
void sm_investigation_reconsider(struct sm_investigation *investigation);

/* What its trials have exercised, and why they ended. */
struct sm_coverage sm_investigation_coverage(const struct sm_investigation *investigation);

/* Makes another round of trials, and draws the conclusions. */
bool sm_investigation_round(struct sm_investigation *investigation, struct sm_error *error);

#endif
