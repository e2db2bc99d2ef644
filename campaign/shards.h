/*
 * shards.h - a campaign that is divided among machines, and merged.
 *
 * A shard (`--shard I/N`) makes the planned executions of its slice, and keeps their results in its
 * store under keys that are functions of what was executed. So stores are sets: their union does
 * not depend on the order, and a shard that is merged twice is counted once. Besides the results a
 * store has one row for each shard: is it complete, how many executions it made. merge copies all
 * of it into one store; then the command itself runs over that store, and finds each planned
 * execution there instead of making it. So its result is that of one machine. docs/scale.md has the
 * full argument.
 */
#ifndef SM_CAMPAIGN_SHARDS_H
#define SM_CAMPAIGN_SHARDS_H

#include "campaign/campaign.h"
#include "findings/shards.h"

/* What all shards of a campaign agree on. Owned. */
struct sm_shard_plan {
    char *command, *options, *target; /* options: sm_settings_plan; target: quoted for a shell */
    char *version, *build;
    uint64_t identity[2], shards;
    struct sm_buffer environment, input; /* environment: each entry is followed by a NUL */
};

struct sm_shard {
    uint64_t number;        /* from 1; 0: there is none */
    uint64_t profile;       /* hash of the results of the executions before the plan */
    uint64_t planned, made; /* executions of the slice */
    uint64_t executions;    /* with those before the plan */
    double seconds;
    bool complete;
};

/* ---- a shard's own side ---- */

/* Records that the shard has begun: the store of a killed shard shows that. */
bool sm_shard_begin(const struct sm_campaign *campaign, const struct sm_settings *settings,
                    enum sm_command_bit command, struct sm_error *error);
/* Records that it has ended, with the part of its slice that the campaign has made; and prints
   that, as the settings want it. */
bool sm_shard_finish(const struct sm_campaign *campaign, const struct sm_settings *settings,
                     enum sm_command_bit command, uint64_t profile, struct sm_error *error);
/* "hunt", of SM_COMMAND_HUNT. */
const char *sm_shard_command(enum sm_command_bit command);

/* ---- together ---- */

struct sm_gathered {
    struct sm_shard_plan plan;
    struct sm_shard *shards; /* number i+1 at i */
    uint64_t profile;        /* of all; 0: none so far */
    struct sm_merged merged; /* what the report says about them */
    uint64_t executions;     /* of all shards */
    double seconds;
};
void sm_gathered_free(struct sm_gathered *gathered);

/* Copies the stores in the directories into `to`, the store of the directory `out`, which may
   already hold shards. All or nothing: shards of different campaigns are refused, with the
   difference named. */
bool sm_gather(struct sm_gathered *gathered, struct sm_store *to, const char *out,
               const struct sm_list *directories, struct sm_error *error);
/* Is the program the one that the shards have run, in the same environment with the same input? */
bool sm_gathered_fits(const struct sm_gathered *gathered, const struct sm_campaign *campaign,
                      struct sm_error *error);
/* All shards are there, and each has made its whole slice. */
bool sm_gathered_complete(const struct sm_gathered *gathered);

#endif
