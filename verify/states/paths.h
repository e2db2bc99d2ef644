/*
 * paths.h - between the program and the trees (local.h): for `verify --model hb`.
 *
 * A run follows a list of steps that the search (search.h) asked for: threads take turns as it
 * says, and reads return what it says, whether or not anybody has written that yet. What a
 * thread does where its tree ends is noted there. When the steps are over the run goes on as
 * chance has it, each read seeing the newest write, so as to learn more.
 *
 * A write that was read before it was made stands later in the trace than its reader, which is
 * marked so (SM_RECORD_FUTURE). In a witness a value is recorded by its bits: a replay needs
 * to know nothing of the machine. Memory that an allocation to come will hand out is there when
 * a pointer to it was foreseen.
 */
#ifndef SM_VERIFY_STATES_PATHS_H
#define SM_VERIFY_STATES_PATHS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/model/model.h"

extern const struct sm_model sm_model_paths;

/* Model hb: everything here is used in place of the graph. */
bool sm_paths_on(void);
void sm_paths_start(void); /* once */

/* Whose turn it is. */
uint32_t sm_paths_thread(void);
uint32_t sm_paths_choice(uint32_t thread, uint32_t n);
/* Objects: the scheduling point of an operation is passed here. Returns what the thread is told
   (sm_machine_operate). */
struct sm_explored_op;
uint64_t sm_paths_operate(struct sm_event *event, const struct sm_explored_op *op);
void sm_paths_release(struct sm_event *event, uint64_t value, bool anew);
/* See sm_explore_ending, sm_explore_next. */
void sm_paths_ending(void);
bool sm_paths_next(void);

#endif
