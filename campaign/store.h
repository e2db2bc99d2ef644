/*
 * store.h - results of earlier executions, in a SQLite file in the --out directory.
 *
 * An execution is a function of what its key hashes (campaign.c), so its result can be looked up
 * instead of made again: that is how a hunt that is started again continues where it was. Results
 * of finished commands are also kept, for `stalemate report`.
 *
 * Results are collected in memory and written in one short transaction at each flush: a hunt that
 * is killed loses what came after the last flush, and two hunts can share a file.
 */
#ifndef SM_CAMPAIGN_STORE_H
#define SM_CAMPAIGN_STORE_H

#include "campaign/campaign.h"

struct sm_store;

struct sm_store_key {
    uint64_t words[2];
};

/* Creates the directory and the file if they are missing. */
struct sm_store *sm_store_open(const char *directory, struct sm_error *error);
void sm_store_close(struct sm_store *store);

bool sm_store_find(struct sm_store *store, struct sm_store_key key, struct sm_result *result);
/* Copies the result. */
void sm_store_keep(struct sm_store *store, struct sm_store_key key, const struct sm_result *result);
bool sm_store_flush(struct sm_store *store, struct sm_error *error);

/* The result of a finished command: the JSON of docs/usage.md. */
struct sm_settings;
/* Program and arguments, quoted for a shell; to be freed. */
char *sm_store_target(const struct sm_settings *settings);
struct sm_store_result {
    const char *target;   /* program and arguments, quoted for a shell */
    const char *finished; /* "2026-01-31 12:00:00", UTC; of sm_store_each only */
    const char *json;
};
/* Replaces an earlier one with this identity. */
bool sm_store_put(struct sm_store *store, const uint64_t identity[2],
                  const struct sm_store_result *result, struct sm_error *error);
/* For a command without a campaign: puts its result into the store of --out, replacing that of the
   same command for the same program, arguments and options. */
bool sm_store_result(const struct sm_settings *settings, const char *command, const char *json,
                     struct sm_error *error);
/* Shows all, in the order in which they were finished, until `see` returns false. */
bool sm_store_each(struct sm_store *store,
                   bool (*see)(const struct sm_store_result *result, void *context), void *context,
                   struct sm_error *error);

#endif
