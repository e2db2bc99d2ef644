/*
 * parcels.h - an exploration that processes on several machines share, by a directory that all of
 * them see (`verify --parcels DIR`). There is no master: workers come and go, and whichever looks
 * last sees the end.
 *
 *   DIR/plan, DIR/input      what is explored, and standard input of the program; a worker with
 *                            another plan is refused by name
 *   DIR/round-N/done/ID      what came of parcel ID: a result (part.h), and the parcels that were
 *                            left over (verify/results/parcel.h), with their names
 *   DIR/round-N/todo/ID,P,L  parcel ID, which lies in done/P, is for anybody; L: executions in it,
 *                            estimated
 *   DIR/round-N/busy/ID,P,L@W  the same, claimed by worker W
 *   DIR/workers/W            beats of the heart of worker W, and how far it is (lease.h)
 *   DIR/asks/W               a parcel of which W is asked to give a part away
 *   DIR/violations/          each distinct violation once, with its witness
 *   DIR/tmp/                 files before they are whole
 *
 * A parcel is claimed by renaming its entry from todo to busy. Its worker commits now and then: the
 * result so far and all that is left over, as parcels with names that nobody else makes, are one
 * file, which is linked to done/ID. There can be one: link(2) fails if the name is taken. So a
 * parcel counts once, even if its worker was taken for dead, another one has done it again, and the
 * first one finishes after all: what the second to finish has counted, and the parcels it has left
 * over, were never there. The worker goes on with one of the parcels that it has left over, and
 * makes entries in todo for the others. A parcel that is named in a result, but has no entry and no
 * result of its own (its worker died in between), gets an entry again from whoever misses it.
 *
 * A worker is dead when its file has not changed for the time of the lease, on the clock of who
 * looks: clocks of machines need not agree. On its own machine (the same boot, the same space of
 * process numbers) a worker whose process is gone is dead at once. A file is opened each time it is
 * looked at: then NFS asks the server.
 *
 * A round ends when all parcels are done that are named in a result; done/start, which names the
 * first one, comes with the round. When a worker finds that more memory is shared than was known,
 * what all have counted is void: it makes the next round, complete under another name and then
 * renamed, which one worker alone can. Violations stay: each is an execution by itself.
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
/* Of a directory that exists; false without an error: it does not. */
bool sm_parcels_read_plan(const char *directory, struct sm_parcels_plan *plan,
                          struct sm_error *error);

/* Joins, or makes the directory for this plan. `lease`: seconds. */
struct sm_parcels *sm_parcels_open(const char *directory, const struct sm_parcels_plan *plan,
                                   double lease, struct sm_error *error);
/* Nothing is claimed any more. */
void sm_parcels_close(struct sm_parcels *parcels);

enum sm_claim {
    SM_CLAIM_PARCEL,
    SM_CLAIM_NOTHING, /* others are at work: look again */
    SM_CLAIM_END,     /* everything is done */
    SM_CLAIM_ERROR,
};
/* The largest that nobody has; `bytes` is replaced. */
enum sm_claim sm_parcels_claim(struct sm_parcels *parcels, struct sm_buffer *bytes,
                               struct sm_error *error);
/* Of the parcel that is claimed: the result so far, and all that is left over. The first of these
   is claimed from now on; without one, nothing is. False without an error: somebody else has
   committed it, and what was counted is void. */
bool sm_parcels_commit(struct sm_parcels *parcels, const struct sm_part *part,
                       struct sm_left_over *rest, size_t n, struct sm_error *error);
/* The claimed parcel is for somebody else. */
void sm_parcels_release(struct sm_parcels *parcels);
/* More is shared than was known: all begin again with this parcel. */
bool sm_parcels_begin_again(struct sm_parcels *parcels, const void *bytes, size_t size,
                            struct sm_error *error);

/* At least once a second: says that this worker lives and how far it is. False: the claimed parcel
   is not this worker's any more (another one takes it for dead, or there is a new round). */
bool sm_parcels_beat(struct sm_parcels *parcels, uint64_t executions, double left);
/* Somebody without a parcel asks for a part of the claimed one. */
bool sm_parcels_is_asked(struct sm_parcels *parcels);
/* There is nothing to claim: asks the worker that has most left. */
void sm_parcels_ask(struct sm_parcels *parcels);

/* The results that are there, of all workers; `executions` and `left` with those at work. Valid
   until the next call. */
const struct sm_part *sm_parcels_sum(struct sm_parcels *parcels, uint64_t *executions, double *left,
                                     struct sm_error *error);
bool sm_parcels_are_done(const struct sm_parcels *parcels);

/* A path in the directory that nobody else uses, for the witness of a violation. */
char *sm_parcels_violation(const struct sm_parcels *parcels, unsigned number, const char *ending);
/* Keeps the text of a violation with its witness, unless there is one with this key: then the
   witness is removed. */
bool sm_parcels_keep_violation(const struct sm_parcels *parcels, uint64_t key,
                               const struct sm_buffer *text, const char *witness,
                               struct sm_error *error);
/* The texts of all violations. */
bool sm_parcels_violations(const struct sm_parcels *parcels, struct sm_list *texts);

#endif
