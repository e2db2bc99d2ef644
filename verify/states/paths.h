/*
 * paths.h - between the program and the trees (local.h): for `verify --model hb`.
 *
 * A run follows a list of steps that the search (search.h) asked for: they determine the schedule
 * and the values of reads, whether or not these are written yet. What a thread does where its tree
 * ends is added to the tree. After the steps the run continues with each read seeing the newest
 * write, in order to learn more.
 *
 * A write that was read before it was made comes later in the trace than its reader, which is
 * marked (SM_RECORD_FUTURE). A witness records values by their bits: a replay does not need the
 * machine. Memory of a later allocation is mapped already if a pointer to it was foreseen.
 */
#ifndef SM_VERIFY_STATES_PATHS_H
#define SM_VERIFY_STATES_PATHS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/engine.h"
#include "runtime/model/model.h"

extern const struct sm_model sm_model_paths;

/* Model hb: all of this is used in place of the graph. */
bool sm_paths_on(void);
void sm_paths_start(void); /* once */

/* The next thread. */
uint32_t sm_paths_thread(void);
/* How many events this run has had. */
uint32_t sm_paths_events(void);
uint32_t sm_paths_choice(uint32_t thread, uint32_t n);
/* Objects: passes the scheduling point of the operation. Returns the thread's answer
   (sm_machine_operate). */
struct sm_explored_op;
uint64_t sm_paths_operate(struct sm_event *event, const struct sm_explored_op *op);
void sm_paths_release(struct sm_event *event, uint64_t value, bool anew);
/* The thread is at the header of a loop. */
bool sm_paths_iteration(const struct sm_iteration *at);
void sm_paths_allocated(const struct sm_event *event);
/* The thread may be stopped for good before this event, in a witness of model sc. */
void sm_paths_stop(struct sm_event *event);
/* See sm_explore_ending, sm_explore_next. */
void sm_paths_ending(void);
bool sm_paths_next(void);

#endif
