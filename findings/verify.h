/* verify.h - the result of `stalemate verify`, and its printers. */
#ifndef SM_FINDINGS_VERIFY_H
#define SM_FINDINGS_VERIFY_H

#include <stdio.h>

#include "abi/control.h"
#include "findings/race.h"
#include "target/outcome.h"
#include "witness/witness.h"

struct sm_verify_outcome {
    char *output; /* ends in NUL */
    uint64_t count;
    bool forbidden; /* by --expect */
    char *witness;  /* of an execution with that output (--examples), or NULL */
};

struct sm_verify_violation {
    struct sm_failure failure;
    char *witness;
};

struct sm_verify_report {
    char *const *target;
    const char *repairs;  /* assumed repairs: abi/repair.h; NULL or "" if none */
    uint64_t repairs_met; /* bits: of its ORDER lines, those that were executed */
    uint64_t model;       /* enum sm_model_id */
    bool complete;
    uint32_t cut;    /* if it is not: why, as bits of enum sm_cut */
    bool expects;    /* there is an --expect */
    bool weak;       /* some atomic accesses are not seq_cst */
    uint32_t unseen; /* sm_explored.unseen */
    double seconds;
    uint64_t executions, blocked;
    uint64_t stands_for; /* executions that these stand for (verify/graph/symmetry.h): at most
                            SM_MOST_STOOD_FOR, which means "or more" */
    /* Events of the longest thread, and where it was; file NULL: not known. */
    uint64_t most_events;
    const char *longest_file;
    uint32_t longest_line;
    bool bounded;                        /* --preemptions: */
    uint64_t preemptions, proved;        /* asked for; every execution with fewer was explored */
    uint64_t iterations, states, writes; /* hb: see verify/states/search.h */
    struct sm_verify_outcome *outcomes;
    size_t n_outcomes;
    struct sm_verify_violation *violations;
    size_t n_violations;
    struct sm_data_race *races;
    size_t n_races;
    struct sm_failures warnings; /* of sc, tso, pso and c11 */
};

void sm_verify_stand_for(struct sm_verify_report *report, uint64_t more);
void sm_report_verify_text(const struct sm_verify_report *report, FILE *to);
/* A violation as soon as it is found, and its execution. */
void sm_report_verify_violation(const struct sm_verify_violation *violation, FILE *to);
void sm_report_verify_graph(const struct sm_witness *witness, FILE *to);
bool sm_report_verify_json(const struct sm_verify_report *report, const char *path,
                           struct sm_error *error);

/* The same JSON as a string, to be freed; and back, except races. False if it is none. */
char *sm_verify_json_text(const struct sm_verify_report *report);
bool sm_verify_json_parse(const char *text, struct sm_verify_report *report);
void sm_verify_outcome_free(struct sm_verify_outcome *outcome);
void sm_verify_report_free(struct sm_verify_report *report);

#endif
