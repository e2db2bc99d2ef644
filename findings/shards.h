/* shards.h - the result of a shard, and what a merged result says about its shards. */
#ifndef SM_FINDINGS_SHARDS_H
#define SM_FINDINGS_SHARDS_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/options.h"

/* Nothing is owned. */
struct sm_shard_report {
    const char *command, *out;
    char *const *target; /* ends in NULL */
    struct sm_slice slice;
    double seconds;
    uint64_t executions, found; /* made now; found in the store */
    uint64_t planned, made;     /* of the slice, as far as it was made */
    uint64_t failed;            /* of those made, before merge judges them */
    bool complete;
};
void sm_report_shard_text(const struct sm_shard_report *report, FILE *to);
bool sm_report_shard_json(const struct sm_shard_report *report, const char *path,
                          struct sm_error *error);

/* Owned. */
struct sm_merged {
    uint64_t of, merged;            /* shards in all; those that have results */
    uint64_t *missing, *incomplete; /* their numbers */
    size_t n_missing, n_incomplete;
    struct sm_list damaged; /* "DIR: why" */
};
void sm_merged_free(struct sm_merged *merged);
json_t *sm_json_merged(const struct sm_merged *merged);
void sm_merged_text(const struct sm_merged *merged, FILE *to);

#endif
