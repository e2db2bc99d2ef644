/* hunt.h - the result of a hunt, and how it is shown. See run.h for the rules. */
#ifndef SM_FINDINGS_HUNT_H
#define SM_FINDINGS_HUNT_H

#include <jansson.h>

#include "findings/cure.h"
#include "findings/race.h"
#include "findings/run.h"
#include "findings/verdict.h"

/* Strings and arrays are owned, except words. */
struct sm_hunt_race {
    char *id, *variable;
    char *object, *type; /* what the user calls it, and its type, if the variable is inside a
                            library's object; else NULL */
    struct sm_access *accesses;
    size_t n_accesses;
    enum sm_verdict_kind verdict;
    bool exact; /* verdict and model do not depend on chance */
    struct sm_tally tally;
    struct sm_coverage coverage; /* of the trials; nothing if there were none */
    enum sm_model_id model;      /* SM_MODELS unless destructive */
    struct sm_failure failure;   /* kind SM_FAILURE_NONE unless destructive */
    char *witness;               /* file; NULL unless destructive */
    struct sm_list story;
    char *remedy;               /* which lines would create the missing edge; or NULL */
    char *cause;                /* witness of the finding with the same cause to read first; NULL:
                                   this one */
    struct sm_cure_found *cure; /* of fix; else NULL */
};

/* A failure whatever races there are: of a hunt, under sc. */
struct sm_hunt_failure {
    struct sm_failure failure;
    enum sm_model_id model; /* a weaker one: of atomics that are too weak, which fix looks for */
    char *witness;
    struct sm_list story;
    uint64_t count; /* executions of the survey that failed so */
    bool racy;      /* seen only with plain accesses interleaved, or the witness has a data race */
    struct sm_list races;       /* variables of the report that race in the witness */
    char *remedy;               /* which two accesses must not be interrupted; or NULL */
    char *cause;                /* as of a race */
    struct sm_cure_found *cure; /* of fix; else NULL */
};

/* Reported, but not a failure. */
struct sm_hunt_warning {
    struct sm_failure failure;
    bool happens; /* lock-order: an execution ends in the deadlock */
};

struct sm_merged;

struct sm_hunt_report {
    const char *command; /* NULL: hunt */
    char *const *target; /* ends in NULL */
    double seconds;
    uint64_t executions, found; /* made now; found in the store */
    int baseline_exit;
    char *baseline_errors; /* last lines on standard error if baseline_exit is not 0; or NULL */
    bool always_fails;     /* under sc, in every execution that was made */
    uint64_t baseline_events, baseline_outcomes;
    struct sm_searched search; /* under sc */
    struct sm_hunt_race *races;
    size_t n_races;
    struct sm_hunt_failure *failures;
    size_t n_failures;
    struct sm_hunt_warning *warnings;
    size_t n_warnings;
    struct sm_list weak_atomics; /* variables with atomic accesses weaker than seq_cst: hunt lies
                                    about them only if they race */
    size_t known, suppressed;    /* findings left out, by --baseline and by --suppressions */
    bool interrupted, out_of_time;
    const struct sm_merged *merged; /* the shards it was merged from; NULL: none */
    char *proof;                    /* --prove: its result; else NULL */
};

void sm_hunt_report_free(struct sm_hunt_report *report);
/* Removes entry i from the report. */
void sm_hunt_remove_race(struct sm_hunt_report *report, size_t i);
void sm_hunt_remove_failure(struct sm_hunt_report *report, size_t i);
/* "race on ring[]: producer() ring.c:9 writes while consumer() ring.c:17 reads"; to be freed. */
char *sm_hunt_race_title(const struct sm_hunt_race *race);
/* What to do, untested; to be freed. */
char *sm_hunt_race_advice(const struct sm_hunt_race *race);
/* "meter_short() holds no lock, meter_long() holds meter.lock"; to be freed, NULL if neither holds
   any. */
char *sm_hunt_race_locks(const struct sm_hunt_race *race);
/* What the verdict rests on: "3 of 200 trials failed, 17 stale reads"; to be freed. */
char *sm_hunt_race_evidence(const struct sm_hunt_race *race);
size_t sm_hunt_count(const struct sm_hunt_report *report, enum sm_verdict_kind verdict);

void sm_report_hunt_text(const struct sm_hunt_report *report, bool verbose, bool color, FILE *to);
bool sm_report_hunt_json(const struct sm_hunt_report *report, const char *path,
                         struct sm_error *error);
/* The same JSON as a string, to be freed; and back. Unknown words are taken as absent, because a
   store may come from another version; false if it is no result of a hunt. */
char *sm_hunt_json_text(const struct sm_hunt_report *report);
bool sm_hunt_json_parse(const json_t *json, struct sm_hunt_report *report);

#endif
