/*
 * atomicity.h - the result of `stalemate atomicity`, and how it is shown. See run.h for the rules.
 *
 * A violation is one pattern of abi/patterns.def between two functions on one set, with the
 * locations it is about. The text shows those with the same units and locations together;
 * the JSON has an entry for each.
 */
#ifndef SM_FINDINGS_ATOMICITY_H
#define SM_FINDINGS_ATOMICITY_H

#include "abi/atomicity.h"
#include "findings/hunt.h"

struct sm_atomicity_event {
    struct sm_access access;
    char *variable;
    bool other; /* of the other unit */
};

/* Strings are owned. */
struct sm_atomicity_violation {
    unsigned pattern; /* from 1 */
    char *set, *unit, *other;
    char *fields; /* the locations, as "Account.checking, Account.savings" */
    struct sm_atomicity_event events[SM_VIOLATION_EVENTS];
    size_t n_events;
    uint64_t count;
    uint64_t execution;        /* in which it was first seen, from 1 */
    struct sm_failure failure; /* of an execution that has it; kind SM_FAILURE_NONE if none
                                  failed */
    char *witness;
    char *advice;
};

struct sm_merged;

struct sm_atomicity_report {
    char *const *target; /* ends in NULL */
    double seconds;
    uint64_t executions;                       /* that were searched for violations */
    uint64_t events, tuples;                   /* most in one execution */
    struct sm_atomicity_violation *violations; /* the same units and fields side by side */
    size_t n_violations;
    struct sm_failures failures; /* that the runtime noticed, with or without a violation */
    struct sm_failures warnings;
    uint64_t lost;   /* that found no room */
    uint64_t unseen; /* accesses that were not compared with all others */
    size_t suppressed;
    bool interrupted, out_of_time;
    const struct sm_merged *merged; /* the shards it was merged from; NULL: none */
};

void sm_atomicity_report_free(struct sm_atomicity_report *report);
/* What the pattern means, and its events as in patterns.def. */
const char *sm_pattern_words(unsigned pattern);
const char *sm_pattern_events(unsigned pattern);
size_t sm_atomicity_harmful(const struct sm_atomicity_report *report);

void sm_report_atomicity_text(const struct sm_atomicity_report *report, bool color, FILE *to);
bool sm_report_atomicity_json(const struct sm_atomicity_report *report, const char *path,
                              struct sm_error *error);
char *sm_atomicity_json_text(const struct sm_atomicity_report *report);

#endif
