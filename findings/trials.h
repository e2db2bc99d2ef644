/* trials.h - the result of `stalemate run --trials N`, and its printers. */
#ifndef SM_FINDINGS_TRIALS_H
#define SM_FINDINGS_TRIALS_H

#include <stdio.h>

#include "base/status.h"
#include "target/outcome.h"

/* Strings are owned. */
struct sm_trials_failure {
    struct sm_failure failure;
    uint64_t seed, schedule; /* of the first execution that failed so */
    uint64_t count;
    char *witness; /* NULL: the time was over before it could be written */
    char *again;   /* the command that repeats that execution */
};

struct sm_merged;

struct sm_trials_report {
    char *const *target; /* ends in NULL */
    uint64_t model, executions;
    double seconds;
    const struct sm_merged *merged; /* the shards it was merged from; NULL: none */
    bool complete; /* as many executions as asked for, or stopped at the first failure */
    struct sm_trials_failure *failures; /* each distinct kind and place once */
    size_t n_failures;
    struct sm_failures warnings;
};

void sm_trials_report_free(struct sm_trials_report *report);
void sm_report_trials_text(const struct sm_trials_report *report, bool color, FILE *to);
/* To a file, or to standard output if path is "-". */
bool sm_report_trials_json(const struct sm_trials_report *report, const char *path,
                           struct sm_error *error);

#endif
