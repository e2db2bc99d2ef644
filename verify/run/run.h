/*
 * run.h - a run of the program that follows a graph: what the files of run/ share.
 *
 * accesses.c  memory accesses and everything else except objects, as a memory model
 * objects.c   operations on synchronisation objects
 * schedule.c  which thread runs next
 * share.h     which memory needs events
 * spurious.h  failures and wake-ups for no reason
 * script.h    running an execution again, in an order in which it can happen
 */
#ifndef SM_VERIFY_RUN_RUN_H
#define SM_VERIFY_RUN_RUN_H

#include "runtime/event.h"
#include "verify/graph/graph.h"
#include "verify/graph/rank.h"
#include "verify/graph/step.h"
#include "verify/trees/local.h"

/* What memory, or an object, held before its first event in the graph. */
struct sm_origin {
    bool known;
    uint64_t value;
    uint64_t rf[8];
    struct sm_round *round; /* barrier: see objects.c */
};
struct sm_origin *sm_origin_of(uint16_t loc);
/* Zeroed memory for one execution: `need` is the index that must exist. */
void *sm_grow(void *block, uint32_t *capacity, uint32_t need, size_t size);

struct sm_explored_op;
/* The tree's form of an operation on an object, and of its release. */
struct sm_local sm_object_local(const struct sm_event *event, const struct sm_explored_op *op,
                                uint16_t loc);
struct sm_local sm_release_local(const struct sm_event *event, uint16_t loc, uint64_t value,
                                 int flags);

struct sm_node sm_node_of(const struct sm_event *event, int kind, uint16_t loc);
/* The stepper's hooks: the node, if the graph has it; and a node was added. */
uint32_t sm_run_replay(const struct sm_node *node);
void sm_run_added(uint32_t stamp);
/* The thread does this; the answer goes into its tree. `run`: see sm_learn_event. */
enum sm_step_end sm_run_step(struct sm_new_event *new, const struct sm_event *run);
/* A choice of one of n; with n == 1 it needs no node. `flags`: SM_LOCAL_AT_ONCE, if there was no
   scheduling point; SM_LOCAL_UNTOLD. `old`: what else its tree stores. */
uint32_t sm_run_pick(uint32_t thread, uint32_t n, int flags, uint64_t old);
void sm_run_schedule_start(void); /* once */
void sm_run_schedule_begin(void); /* before each run */
/* The current run was made only to find shared memory, and is not counted. */
bool sm_run_looked_around(void);
/* With preemption bounds (preempt.h) each new event needs a turn, even without a scheduling point
   before it: parts of an access of more than 8 bytes, the initialisation of an object, and the end
   of a wait, which a run that follows a graph may reach earlier than the schedule that made the
   graph. */
void sm_run_wait_for_turn(const struct sm_node *node);
/* The graph answers the thread's next event, but uninstrumented code (outside.h) must find memory
   as left by the event it reads from, which is still to come. */
bool sm_run_is_early(uint32_t thread);
/* Objects (objects.c). Once; before each run; then, for a thread that is about to operate on one:
 */
void sm_objects_start(void);
void sm_objects_begin(void);
enum sm_rank sm_run_rank_of_operation(uint32_t thread);
const struct sm_local *sm_run_operation(uint32_t thread); /* NULL: it is not */
bool sm_run_follows_release(uint32_t thread, uint16_t released);
/* Each other thread has ended, or waits for the end of a thread, or follows the release. */
bool sm_run_others_follow_release(const struct sm_thread *self, uint16_t released);
/* Drops a graph that is not an execution, or is reached otherwise. */
_Noreturn void sm_prune(void);
/* The thread behaves differently in the same circumstances: the program is refused. */
_Noreturn void sm_run_departed(uint32_t thread);
/* For ever: what the thread waits for will revisit its read, in another execution. */
_Noreturn void sm_wait_for_ever(struct sm_event *event, const char *what);

#endif
