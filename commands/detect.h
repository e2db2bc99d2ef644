/*
 * detect.h - what the two ways to detect races have in common.
 *
 * A program of the detect flavour runs natively, and writes what it finds to a file in memory
 * (abi/detect.h). A program for controlled execution runs under the race analysis of the runtime,
 * each trial with a schedule of its own. Either way a race becomes a struct sm_data_race, and equal
 * races of several executions are merged.
 */
#ifndef SM_COMMANDS_DETECT_H
#define SM_COMMANDS_DETECT_H

#include <limits.h>

#include "base/options.h"
#include "findings/suppress.h"

struct sm_store;

struct sm_detect {
    struct sm_settings settings;
    struct sm_suppressions suppressions;
    char path[PATH_MAX];
    struct sm_races_found races;
    struct sm_list notes;
    struct sm_detect_failure {
        char *how; /* "SIGSEGV (Segmentation fault)" */
        const char *kind;
        uint64_t count;
        json_t *told; /* by the native runtime: findings/harm.h; or NULL */
        bool warning; /* does not change the exit status */
    } *failures;      /* of the program: each kind once, or each that was reported */
    size_t n_failures;
    uint64_t sites; /* instrumented, in all executions so far */
    bool cut;       /* the time was over before all executions were made */
    uint64_t executions, suppressed;
    double started;
};

/* Takes ownership of a race, unless it is suppressed. */
void sm_detect_add(struct sm_detect *detect, struct sm_data_race *race);

/* An execution failed; takes ownership of `how`. */
void sm_detect_failed(struct sm_detect *detect, enum sm_failure_kind kind, char *how);
/* Executions that ended with a status other than 0, and which one, if all had the same. */
struct sm_detect_exits {
    uint64_t n;
    int status;
    bool differ;
};
void sm_detect_exited(struct sm_detect_exits *exits, int status);
void sm_detect_note_exits(struct sm_detect *detect, const struct sm_detect_exits *exits);

/* The native runtime has reported a failure. */
void sm_detect_harm(struct sm_detect *detect, const json_t *told);

double sm_detect_seconds(const struct sm_detect *detect);

/* Each makes the executions of the settings. The store is for those of shards, or NULL. */
bool sm_detect_native(struct sm_detect *detect, struct sm_store *store, struct sm_error *error);
bool sm_detect_controlled(struct sm_detect *detect, struct sm_store *store, struct sm_error *error);

#endif
