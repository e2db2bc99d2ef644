/*
 * covered.h - what executions have exercised, and when the last of it was new
 * (analysis/coverage.c).
 *
 * Arithmetic over results: of the trials of a variable (investigate.h) and of executions under sc
 * (survey.h).
 */
#ifndef SM_HUNT_COVERED_H
#define SM_HUNT_COVERED_H

#include "campaign/baseline.h"
#include "findings/verdict.h"

struct sm_covered {
    struct sm_hashes keys; /* of abi/coverage.h */
    uint64_t lost;         /* keys that found no room */
    size_t last_new;       /* executions when the last key came that was new, or was lost */
};

/* Execution number `n`, from 1 on. Its keys are taken out of the result: results stay in memory. */
void sm_covered_add(struct sm_covered *covered, struct sm_result *result, size_t n);
struct sm_coverage sm_covered_count(const struct sm_covered *covered, enum sm_trials_end ended);
void sm_covered_free(struct sm_covered *covered);

#endif
