/*
 * store.h - what earlier executions gave, in a SQLite file in the --out directory.
 *
 * An execution is a function of what its key hashes (campaign.c), so its result can be
 * looked up instead of made again: that is how a hunt that is started again goes on where
 * it was. Findings of finished hunts are kept beside, for `stalemate report`.
 *
 * Results are collected in memory and written in one short transaction at each flush: a
 * hunt that is killed loses what came after the last, and two hunts can share a file.
 */
#ifndef SM_DRIVER_STORE_H
#define SM_DRIVER_STORE_H

#include "campaign.h"

struct sm_store;

struct sm_store_key {
    uint64_t words[2];
};

/* Makes the directory and the file where they are missing. */
struct sm_store *sm_store_open(const char *directory, struct sm_error *error);
void sm_store_close(struct sm_store *store);

bool sm_store_find(struct sm_store *store, struct sm_store_key key, struct sm_result *result);
/* Copies the result. */
void sm_store_keep(struct sm_store *store, struct sm_store_key key,
                   const struct sm_result *result);
bool sm_store_flush(struct sm_store *store, struct sm_error *error);

/* One race of a hunt, as text; `hunt` is what sm_store_hunt returned. */
struct sm_store_race {
    const char *variable, *verdict, *model, *failure, *witness; /* the last three may be NULL */
    uint64_t trials, failures, stale_reads;
};
/* The hunt with this identity: made new, or emptied of its races. 0 on error. */
int64_t sm_store_hunt(struct sm_store *store, const uint64_t identity[2], const char *target,
                      struct sm_error *error);
bool sm_store_race(struct sm_store *store, int64_t hunt, const struct sm_store_race *race,
                   struct sm_error *error);

#endif
