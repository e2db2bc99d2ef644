/*
 * shards.h - a campaign that is divided among machines, and put together again.
 *
 * A shard (`--shard I/N`) makes the planned executions of its slice, and keeps their results in
 * its store under keys that are functions of what was executed. So stores are sets: their union
 * does not depend on the order, and a shard that is merged twice is counted once. Beside the
 * results a store has one row for each shard: is it complete, how many executions are its own.
 * merge copies all of it into one store; then the command itself runs over that store, and finds
 * each planned execution there instead of making it. What it concludes is what it would have
 * concluded alone. docs/scale.md has the argument in full.
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
    struct sm_buffer environment, input; /* environment: each entry with a NUL behind it */
};

struct sm_shard {
    uint64_t number;        /* from 1; 0: there is none */
    uint64_t profile;       /* hash of what the executions before the plan have shown */
    uint64_t planned, made; /* executions of the slice */
    uint64_t executions;    /* with those before the plan */
    double seconds;
    bool complete;
};

/* ---- a shard's own side ---- */

/* Writes down that the shard has begun: a store whose shard was killed says so. */
bool sm_shard_begin(const struct sm_campaign *campaign, const struct sm_settings *settings,
                    enum sm_command_bit command, struct sm_error *error);
/* And that it has ended, with as much of its slice as the campaign has made; and says so, as the
   settings want it. */
bool sm_shard_finish(const struct sm_campaign *campaign, const struct sm_settings *settings,
                     enum sm_command_bit command, uint64_t profile, struct sm_error *error);
/* "hunt", of SM_COMMAND_HUNT. */
const char *sm_shard_command(enum sm_command_bit command);

/* ---- together ---- */

struct sm_gathered {
    struct sm_shard_plan plan;
    struct sm_shard *shards; /* number i+1 at i */
    uint64_t profile;        /* of all; 0: none has come so far */
    struct sm_merged merged; /* what is said of them */
    uint64_t executions;     /* of all shards */
    double seconds;
};
void sm_gathered_free(struct sm_gathered *gathered);

/* Copies the stores in the directories into `to`, which is of the directory `out` and may hold
   shards already. All or nothing: shards of different campaigns are refused by name. */
bool sm_gather(struct sm_gathered *gathered, struct sm_store *to, const char *out,
               const struct sm_list *directories, struct sm_error *error);
/* The program is the one that the shards have run, in the same environment with the same input. */
bool sm_gathered_fits(const struct sm_gathered *gathered, const struct sm_campaign *campaign,
                      struct sm_error *error);
/* All shards are there, and each has made all of its slice. */
bool sm_gathered_complete(const struct sm_gathered *gathered);

#endif
