/*
 * tally.h - sums over the trials of one variable, and the verdict that follows from them.
 *
 * Arithmetic over results: nothing is executed here.
 */
#ifndef SM_HUNT_TALLY_H
#define SM_HUNT_TALLY_H

#include "campaign/baseline.h"
#include "findings/verdict.h"

/* What the investigation of a variable has found about failures of its trials. */
struct sm_evidence {
    bool witnessed;     /* one was reproduced and found to be this variable's */
    uint64_t signature; /* of that one: others like it are this variable's, too */
    bool circular;      /* one was left out, because it fails under oota only */
    bool slow;          /* what looked like a hang ended after more steps */
    bool cut;           /* the time was over before every failure was investigated */
};

void sm_tally_count(struct sm_tally *tally, const struct sm_baseline *baseline,
                    const struct sm_evidence *evidence, const struct sm_trial *trials, size_t n);
/* Adds trials with future values; rates by heuristic are those of stale values. */
void sm_tally_add(struct sm_tally *tally, const struct sm_baseline *baseline,
                  const struct sm_evidence *evidence, const struct sm_trial *trials, size_t n);
enum sm_verdict_kind sm_tally_verdict(const struct sm_tally *tally,
                                      const struct sm_evidence *evidence);
/* The trial failed, and the variable is to blame. */
bool sm_trial_failed(const struct sm_trial *trial, const struct sm_baseline *baseline,
                     const struct sm_evidence *evidence);

#endif
