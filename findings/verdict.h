/*
 * verdict.h - what a hunt says about a racy variable: the verdict, and the numbers behind it.
 *
 * hunt/tally.h computes them.
 */
#ifndef SM_FINDINGS_VERDICT_H
#define SM_FINDINGS_VERDICT_H

#include <stdint.h>

#include "abi/control.h"

enum sm_verdict_kind {
#define SM_VERDICT(name, word, meaning, advice) SM_VERDICT_##name,
#include "findings/verdicts.def"
    SM_VERDICTS
};
extern const char *const sm_verdict_words[], *const sm_verdict_meanings[],
                                                 *const sm_verdict_advice[];

#define SM_TALLY_STEPS 20

/* Sums over the trials of one variable. */
struct sm_tally {
    uint64_t trials, failures;
    uint64_t completed; /* trials that ended well */
    struct sm_rate {
        uint64_t trials, failures;
    } by_heuristic[SM_HEURISTICS];
    struct sm_rate course[SM_TALLY_STEPS]; /* partial sums, after each twentieth of the trials, to
                                              see whether the rate has settled */
    struct sm_rate by_future; /* trials whose only lies were future values, each stored later */
    uint64_t stale_reads, read_choices;
    uint64_t future_reads; /* in executions in which each of them was stored later */
    uint64_t unvalidated;  /* executions in which one was never stored: counted nowhere else */
    /* Medians over trials that ended well: a single schedule can be slow. */
    uint64_t honest_events; /* with the heuristic without lies */
    uint64_t lying_events;  /* with the slowest of the others */
};

/* Why there were no more trials of a variable, or executions under sc. */
enum sm_trials_end {
#define SM_TRIALS_END(name, word, about) SM_TRIALS_END_##name,
#include "findings/trials_end.def"
};
extern const char *const sm_trials_end_words[], *const sm_trials_end_about[];

/* What executions have exercised (abi/coverage.h). */
struct sm_coverage {
    uint64_t pairs;  /* of a store and a read that saw it, as places in the program */
    uint64_t orders; /* of a release and the acquire in another thread that took it */
    uint64_t lost;   /* that did not fit into the memory of an execution */
    enum sm_trials_end ended;
};

/* The executions under sc, in which nothing is stale. */
struct sm_searched {
    uint64_t executions; /* 0: not told, by an older version */
    uint64_t last_new;   /* how many there were when one showed something new for the last time */
    struct sm_coverage coverage;
};

#endif
