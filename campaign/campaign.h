/*
 * campaign.h - many executions of one program, several at a time.
 *
 * A campaign has one target (a fork server with its own shared memory) for each worker, and one
 * loop that polls them all: the driver itself has a single thread. A caller describes executions as
 * trials and gets their results back in place. The result of a trial depends only on the trial, not
 * on the number of workers. So results are kept in the store, and an execution that was made
 * before, in this campaign or an earlier one, is not made again.
 *
 * A campaign may be divided among machines (shards.h). Planned trials, which do not depend on the
 * results of others, have a number; a shard makes those of its slice, and merge takes them all from
 * the store. The others (profiling before the plan, searches after it) are made where they are
 * needed.
 */
#ifndef SM_CAMPAIGN_CAMPAIGN_H
#define SM_CAMPAIGN_CAMPAIGN_H

#include "base/options.h"
#include "target/outcome.h"
#include "target/target.h"

struct sm_store;
struct sm_symbols;

/* A set of sites, ascending. */
struct sm_watchlist {
    uint32_t *sites;
    size_t n;
};
void sm_watchlist_add(struct sm_watchlist *list, uint32_t site);
bool sm_watchlist_has(const struct sm_watchlist *list, uint32_t site);
/* A bit for each site, as in the control block. NULL: none. */
void sm_watchlist_bits(const struct sm_watchlist *list, uint64_t n_sites, uint8_t *bits);

/* Granules of memory, in the order in which they were added. */
struct sm_places {
    uint64_t items[SM_MAX_SAMPLED];
    size_t n;
};
/* What does not fit is left out. */
void sm_places_add(struct sm_places *places, uint64_t place);

/* The result of an execution: plain data, as the store keeps it, then what is owned. */
struct sm_result {
    struct sm_result_facts {
        uint32_t kind; /* enum sm_failure_kind; never OUTPUT, which needs a comparison */
        int32_t exit_status;
        uint32_t exited, assumed, diverged, stopped; /* stopped: by a limit of the driver */
        uint32_t unvalidated;  /* a future value was not stored: not an execution */
        uint32_t covered_lost; /* keys of coverage that did not fit */
        uint64_t signature;    /* of the failure: equal for equal kind and place */
        uint64_t output;       /* hash of what it wrote to standard output */
        uint64_t trace;        /* hash of its events */
        uint64_t events, points, stale, delayed, future, read_choices, switches;
        double seconds;
    } facts;
    struct sm_race *races; /* if options.races */
    uint32_t n_races;
    struct sm_violation *violations; /* if options.atomicity */
    uint32_t n_violations, violations_lost;
    uint64_t tuples;           /* most at a time */
    uint64_t tuples_lost;      /* accesses whose tuples did not fit */
    struct sm_choice *choices; /* if the trial wants them */
    size_t n_choices;
    struct sm_foreseen *foreseen; /* if options.profile */
    size_t n_foreseen;
    uint32_t *covered; /* if options.coverage: keys, see abi/coverage.h */
    size_t n_covered;
    char *text; /* of a native execution: its findings, as it wrote them */
};
void sm_result_free(struct sm_result *result);

struct sm_trial {
    /* What to execute. */
    struct sm_options options;
    enum sm_watch_mode watch;
    const struct sm_watchlist *watched; /* SM_WATCH_LIST */
    const struct sm_watchlist *lied;    /* about which the model may lie; NULL: none */
    bool lie_all;                       /* about all of them, whatever `lied` says */
    const struct sm_choice *choices;    /* SM_SCHEDULE_REPLAY, SM_SCHEDULE_FUZZY */
    size_t n_choices;
    const struct sm_foreseen *predictions; /* options.prescient */
    size_t n_predictions;
    bool want_choices; /* return the choices made; such a trial is not kept in the store */
    bool planned;      /* one of the executions that shards divide among themselves */
    uint64_t number;   /* of a planned one: in the whole plan */
    uint64_t key[2];   /* in the store, if it is not a function of the trial; or 0 */
    /* The result. */
    bool done; /* false if the campaign ended before its turn */
    struct sm_result result;
};

struct sm_campaign {
    struct sm_target *workers;
    size_t n_workers;
    struct sm_sites sites;
    struct sm_late_unit *late; /* whose sites are among these */
    uint32_t n_late;
    struct sm_symbols *symbols; /* opened at the first failure */
    uint32_t n_mappings;        /* that they are of */
    bool fenced;                /* the program has fences */
    bool quiet;
    const struct sm_places *sampled;   /* of arrays: options.sample */
    struct sm_expectation expectation; /* exit_status -1: none known yet */
    struct sm_store *store;
    uint64_t identity[2];  /* of program, libraries, arguments, environment, input, directory */
    struct sm_slice slice; /* of the planned trials; the others are made in every shard */
    const struct sm_gathered *gathered; /* planned trials are those of shards; else NULL */
    /* Trials of the slice: so far; made, or found in the store; of these, failed before any
       comparison. */
    uint64_t planned, made, failed;
    double started, deadline; /* deadline: no trial begins after it; 0: none */
    bool cut;                 /* an execution was not made, or was stopped, for lack of time */
    double longest;           /* the longest complete execution */
    struct {
        double seconds;
        uint64_t seed;
    } stuck;                  /* the longest that was stopped because the time was over */
    uint64_t executions;      /* made, not counting those found in the store */
    uint64_t found;           /* in the store */
    struct sm_harm *warnings; /* that executions of this process reported, each kind and place
                                 once */
    uint32_t n_warnings;
    void (*progress)(struct sm_campaign *campaign); /* called now and then; may be NULL */
    void *context;                                  /* of `progress` */
};

/* Opens and starts all workers. The caller keeps `store`. */
bool sm_campaign_open(struct sm_campaign *campaign, const struct sm_settings *settings,
                      struct sm_store *store, struct sm_error *error);
/* For executions that are not under control: sets only what identifies them. */
bool sm_campaign_open_native(struct sm_campaign *campaign, const struct sm_settings *settings,
                             const char *program, struct sm_store *store, struct sm_error *error);
void sm_campaign_close(struct sm_campaign *campaign);

/* Makes the executions. False on an error; true when all are done, or the time is over or
   the user interrupted. */
bool sm_campaign_run(struct sm_campaign *campaign, struct sm_trial *trials, size_t n,
                     struct sm_error *error);
/* A process could not be started, or has ended early, because of Ctrl-C or because the time is
   over: that is no error, and the campaign is cut. */
bool sm_campaign_was_interrupted(struct sm_campaign *campaign, struct sm_error *error);
/* Makes one execution with the first worker, whose shared memory still holds it afterwards. Not
   done, but no error, if the user interrupts it. */
bool sm_campaign_one(struct sm_campaign *campaign, struct sm_trial *trial,
                     struct sm_outcome *outcome, struct sm_error *error);

/* The key under which the result of a trial is kept. */
void sm_campaign_key(const struct sm_campaign *campaign, const struct sm_trial *trial,
                     uint64_t key[2]);
/* Takes the result of a planned trial from the store, where shards have left it. */
bool sm_campaign_find(struct sm_campaign *campaign, struct sm_trial *trial);
/* Does the planned trial belong to this shard, or are there no shards? */
bool sm_campaign_is_mine(const struct sm_campaign *campaign, uint64_t number);

/* Sets what the worker executes, all but the options: for callers that start it themselves. */
void sm_campaign_set_out(const struct sm_campaign *campaign, struct sm_target *target,
                         const struct sm_trial *trial);

/* How long each execution may take from now on, unless --timeout is given. */
void sm_campaign_limit(struct sm_campaign *campaign, const struct sm_settings *settings,
                       double seconds);
/* Time is over, or the user wants to stop. */
bool sm_campaign_over(const struct sm_campaign *campaign);
double sm_campaign_seconds(const struct sm_campaign *campaign);

/* Adds the warning to the list unless it is there. */
void sm_warnings_add(struct sm_harm **warnings, uint32_t *n, const struct sm_harm *warning);

#endif
