/*
 * prescient.h - future values: which loads return which values that are not stored yet (the
 * workflow of Prescient Memory).
 *
 * An execution without lies is profiled: it shows which stores came too late for which loads. In
 * executions that follow the same schedule as far as it fits (fuzzy replay), some of these loads
 * return some of these values. An execution is valid if each such value was then stored by a
 * concurrent store; the others are only counted.
 *
 * The more loads return future values, the more may go wrong, and the less likely it is that all of
 * them are validated. So several policies alternate: all loads; those of one site; a few in a row,
 * after some that are skipped; and those that were validated before, which is learnt for each site
 * and value.
 *
 * Trials come in blocks. What is learnt in a block stays there, and its profiles are its own: so
 * blocks can be made on different machines. Merge has the results of a block, but not its
 * predictions; these are made again (ten profiles a round) for the trials that are investigated.
 */
#ifndef SM_HUNT_PRESCIENT_H
#define SM_HUNT_PRESCIENT_H

#include "campaign/plan.h"

/* An execution without a lie, and the future values of its loads. */
struct sm_profile {
    struct sm_trial trial; /* owns its choices */
    struct sm_foreseen *foreseen;
    size_t n_foreseen;
    size_t *loads; /* where in `foreseen` each load begins */
    size_t n_loads;
};

/* How often a value at a site was validated. */
struct sm_belief {
    uint32_t site;
    uint64_t value;
    uint64_t tried, validated;
};

enum { SM_PRESCIENT_ROUND = 20, SM_PRESCIENT_BLOCK = 5 * SM_PRESCIENT_ROUND };

struct sm_prescience {
    const struct sm_plan *plan;
    struct sm_campaign *campaign;
    bool planned;    /* shards divide the blocks among themselves */
    uint64_t number; /* of the first block in the whole plan */
    /* Of the current block. */
    struct sm_profile *profiles; /* those that had any future value */
    size_t n_profiles;
    uint64_t profiled;
    struct sm_belief *beliefs;
    size_t n_beliefs;
    size_t caught_up; /* trials until here have predictions, and were learnt from */
    /* Of all. */
    struct sm_trial *trials; /* own their predictions */
    size_t n_trials;
    size_t skipped; /* trials before the first: other shards' blocks */
};

void sm_prescience_free(struct sm_prescience *prescience);

/* Profiles, then makes the trials of a round, at most `all` including earlier ones. Nothing is
   added to `trials` if there are no future values. */
bool sm_prescience_round(struct sm_prescience *prescience, size_t all, struct sm_error *error);
/* The trial is of the last round, and can be repeated from here on. */
bool sm_prescience_recall(struct sm_prescience *prescience, struct sm_error *error);
/* One block of `all` trials, all its rounds, for a shard. */
bool sm_prescience_block(struct sm_prescience *prescience, size_t block, size_t all,
                         struct sm_error *error);

#endif
