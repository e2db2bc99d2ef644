/*
 * prescient.h - lies about the future: which loads are told which values that are not stored
 * yet (the workflow of Prescient Memory).
 *
 * An execution in which nobody lies is profiled: it says which stores came too late for which
 * loads. Executions that follow the same schedule as far as it fits (fuzzy replay) then tell
 * some of these loads some of these values. One counts if each value that was told was then
 * stored by a concurrent store; the others are counted, and say nothing about the program.
 *
 * The more loads are told the future, the more may go wrong, and the less likely it is that
 * all of it comes true. So several policies take turns: all loads; those of one site; a few in
 * a row, after some that are skipped; and those that have come true before, which is learnt for
 * each site and value.
 *
 * Trials come in blocks. What is learnt in a block stays there, and its profiles are its own: so
 * blocks can be made on different machines. Merge has the results of a block, but not what was
 * told to whom; that is made again (ten profiles a round) for the trials that are looked into.
 */
#ifndef SM_HUNT_PRESCIENT_H
#define SM_HUNT_PRESCIENT_H

#include "campaign/plan.h"

/* An execution without a lie, and what its loads could have foreseen. */
struct sm_profile {
    struct sm_trial trial; /* owns its choices */
    struct sm_foreseen *foreseen;
    size_t n_foreseen;
    size_t *loads; /* where in `foreseen` each load begins */
    size_t n_loads;
};

/* How often a value at a site came true. */
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
    /* Of the block at hand. */
    struct sm_profile *profiles; /* those that foresaw anything */
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

/* Profiles, then makes the trials of a round, `all` at most with those before it. Nothing is added
   to `trials` if nothing is foreseen. */
bool sm_prescience_round(struct sm_prescience *prescience, size_t all, struct sm_error *error);
/* The trial is of the last round, and can be made again from here on. */
bool sm_prescience_recall(struct sm_prescience *prescience, struct sm_error *error);
/* One block of `all` trials, all its rounds, for a shard. */
bool sm_prescience_block(struct sm_prescience *prescience, size_t block, size_t all,
                         struct sm_error *error);

#endif
