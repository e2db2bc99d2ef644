/*
 * parcels.h - an exploration that processes on several machines share, through a directory that all
 * of them see (`verify --parcels DIR`). There is no master: workers come and go, and the last one
 * sees the end.
 *
 *   DIR/plan, DIR/input      what is explored, and standard input of the program; a worker with
 *                            another plan is refused, and the difference named
 *   DIR/round-N/done/ID      the outcome of parcel ID: a result (part.h), and the parcels that were
 *                            left over (verify/results/parcel.h), with their names
 *   DIR/round-N/todo/ID,P,L  parcel ID, which is in done/P, is for any worker; L: executions in it,
 *                            estimated
 *   DIR/round-N/busy/ID,P,L@W  the same, claimed by worker W
 *   DIR/workers/W            heartbeat of worker W, and its progress (lease.h)
 *   DIR/asks/W               a parcel of which W is asked to give a part away
 *   DIR/violations/          each distinct violation once, with its witness
 *   DIR/tmp/                 files before they are whole
 *
 * A parcel is claimed by renaming its entry from todo to busy. Its worker commits now and then: the
 * result so far and all that is left over, as parcels with unique names, are one file, which is
 * linked to done/ID. There can be only one: link(2) fails if the name is taken. So a parcel counts
 * once, even if its worker was taken for dead, another one has done it again, and the first one
 * finishes after all: the counts and left-over parcels of the second to finish are dropped. The
 * worker continues with one of its left-over parcels, and makes entries in todo for the others. A
 * parcel that is named in a result, but has no entry and no result of its own (its worker died in
 * between), gets an entry again from the worker that notices.
 *
 * A worker is dead when its file has not changed for the time of the lease, on the clock of the
 * observer: clocks of machines need not agree. On its own machine (the same boot, the same
 * process-number namespace) a worker whose process is gone is dead at once. A file is opened each
 * time it is read: then NFS asks the server.
 *
 * A round ends when all parcels that are named in a result are done; done/start, which names the
 * first one, is created with the round. When a worker finds that more memory is shared than was
 * known, all counts are void: it makes the next round, complete under another name and then
 * renamed, which only one worker can do. Violations stay: each is an execution by itself.
 */
#ifndef SM_CAMPAIGN_PARCELS_H
#define SM_CAMPAIGN_PARCELS_H

#include "campaign/part.h"

struct sm_parcels;

/* What a directory was made for: lines "key value". */
struct sm_parcels_plan {
    struct sm_buffer lines;
    struct sm_buffer input;
    struct sm_list environment;
};
void sm_parcels_plan_free(struct sm_parcels_plan *plan);
/* Of an existing directory; false without an error: there is none. */
bool sm_parcels_read_plan(const char *directory, struct sm_parcels_plan *plan,
                          struct sm_error *error);

/* Joins, or creates the directory for this plan. `lease`: seconds. */
struct sm_parcels *sm_parcels_open(const char *directory, const struct sm_parcels_plan *plan,
                                   double lease, struct sm_error *error);
/* Gives up any claim. */
void sm_parcels_close(struct sm_parcels *parcels);

enum sm_claim {
    SM_CLAIM_PARCEL,
    SM_CLAIM_NOTHING, /* other workers are busy: try again */
    SM_CLAIM_END,     /* everything is done */
    SM_CLAIM_ERROR,
};
/* Claims the largest unclaimed parcel; `bytes` is replaced. */
enum sm_claim sm_parcels_claim(struct sm_parcels *parcels, struct sm_buffer *bytes,
                               struct sm_error *error);
/* Commits the claimed parcel: the result so far, and all that is left over. The first of these is
   claimed from now on; without one, nothing is. False without an error: another worker has
   committed it, and what was counted is void. */
bool sm_parcels_commit(struct sm_parcels *parcels, const struct sm_part *part,
                       struct sm_left_over *rest, size_t n, struct sm_error *error);
/* Gives the claimed parcel back to the others. */
void sm_parcels_release(struct sm_parcels *parcels);
/* More is shared than was known: all start again with this parcel. */
bool sm_parcels_begin_again(struct sm_parcels *parcels, const void *bytes, size_t size,
                            struct sm_error *error);

/* Call it at least once a second: signals that this worker is alive, and its progress. False: the
   claimed parcel is no longer this worker's (it was taken for dead, or there is a new round). */
bool sm_parcels_beat(struct sm_parcels *parcels, uint64_t executions, double left);
/* Does an idle worker ask for a part of the claimed parcel? */
bool sm_parcels_is_asked(struct sm_parcels *parcels);
/* There is nothing to claim: asks the worker that has most left. */
void sm_parcels_ask(struct sm_parcels *parcels);

/* The results so far, of all workers; `executions` and `left` include those in progress. Valid
   until the next call. */
const struct sm_part *sm_parcels_sum(struct sm_parcels *parcels, uint64_t *executions, double *left,
                                     struct sm_error *error);
bool sm_parcels_are_done(const struct sm_parcels *parcels);

/* A unique path in the directory, for the witness of a violation. */
char *sm_parcels_violation(const struct sm_parcels *parcels, unsigned number, const char *ending);
/* Keeps the text of a violation with its witness, unless there is one with this key: then the
   witness is removed. */
bool sm_parcels_keep_violation(const struct sm_parcels *parcels, uint64_t key,
                               const struct sm_buffer *text, const char *witness,
                               struct sm_error *error);
/* The texts of all violations. */
bool sm_parcels_violations(const struct sm_parcels *parcels, struct sm_list *texts);

#endif
