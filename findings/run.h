/*
 * run.h - the results of `run` and `replay`, and how they are shown.
 *
 * Rules for the results of all commands: a command fills in a struct; each printer turns it into
 * one format and decides nothing. The JSON keys are a contract (docs/usage.md): keys may be added,
 * never renamed.
 */
#ifndef SM_FINDINGS_RUN_H
#define SM_FINDINGS_RUN_H

#include <stdbool.h>
#include <stdio.h>

#include "abi/control.h"
#include "base/status.h"
#include "target/outcome.h"

/* Of `run` and `replay`. */
struct sm_run_report {
    const char *command;
    char *const *target; /* the program and its arguments, ends in NULL */
    const struct sm_outcome *outcome;
    const struct sm_options *options;
    const uint64_t *counters; /* SM_COUNTERS of them */
    const char *witness;      /* file written or read, or NULL */
    const char *again;        /* the command that repeats this execution */
    const char *departure;    /* replay: how it differs from the recording; NULL if it does not */
    bool replayed;            /* `departure` counts */
    const char *repairs;      /* assumed repairs: abi/repair.h; "" if none */
    const struct sm_list *story; /* replay: what happened in the execution, or NULL */
};

void sm_report_run_text(const struct sm_run_report *report, bool verbose, bool color, FILE *to);
/* To a file, or to standard output if path is "-". */
bool sm_report_run_json(const struct sm_run_report *report, const char *path,
                        struct sm_error *error);

#endif
