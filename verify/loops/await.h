/*
 * await.h - spin loops.
 *
 * A thread that reaches the same read again with the same registers and stack, and has stored
 * nothing elsewhere in between, has made one iteration of a spin loop. (Local objects with
 * constructors and destructors are stored to in each iteration.) Whatever it could read now it
 * could have read then, so executions with more idle iterations show nothing new: the thread is
 * blocked, and continues only in graphs in which a read of that iteration reads from another
 * write. So a spin loop has one iteration in every graph, and needs no bound.
 *
 * A snapshot (runtime/snapshot.h) costs a microsecond, so it is taken only at reads that were seen
 * to repeat. When a new one is found, the exploration restarts.
 */
#ifndef SM_VERIFY_LOOPS_AWAIT_H
#define SM_VERIFY_LOOPS_AWAIT_H

#include "runtime/event.h"
#include "verify/graph/graph.h"
#include "verify/results/parcel.h"

void sm_await_start(void); /* once */
void sm_await_begin(void); /* before each execution */
bool sm_await_grew(void);
void sm_await_settle(void);
/* The exploration is to restart for another reason (undone.h). */
void sm_await_begin_again(void);

/* Loops that only another thread, if any, ends, and that store: a server, a heartbeat. Each number
   of iterations is an execution, or many, with graphs of thousands of events. When a thread comes
   to the default bound in such a loop, or 500 executions each have had more iterations of one than
   all before, the exploration restarts, and follows loops for a few iterations only; 0: for any
   number. `complete` is false. */
void sm_await_limit_rounds(void);
/* The thread has made so many iterations of a loop. True: it is time to limit them. */
bool sm_await_rounds_grow(uint32_t rounds);
uint32_t sm_await_most_rounds(void);

/* The reads that were seen to repeat (parcel.h). */
void sm_await_pack(struct sm_parcel *parcel);
void sm_await_unpack(struct sm_parcel *parcel);

/* A thread begins: its first event is in the frame that will call it, so the program's stack lies
   below. */
void sm_await_thread(const struct sm_event *begin);
/* The thread stores, or does anything else but read. A read-modify-write that leaves the value
   unchanged counts as a read: see iteration.h. */
void sm_await_busy(const struct sm_thread *thread);
/* The same for a store to memory that no other thread has accessed. The thread's own stack is part
   of the compared state, so a store there is not an effect; for iterations it is, unless the local
   is dead at the loop header (iteration.h). `rewrites`: it stores the value that is there, which no
   thread can tell. */
void sm_await_stored_privately(const struct sm_event *event, bool rewrites);
/* The same for memory that the thread allocates, and may free. */
void sm_await_allocated(const struct sm_thread *thread, uintptr_t block, size_t size);
void sm_await_freed(const struct sm_thread *thread, uintptr_t block);
/* The same for an addition, which the thread may undo: `change` is added to `size` bytes of a
   location. */
void sm_await_added(const struct sm_thread *thread, uint16_t loc, unsigned size, uint64_t change);
/* The same for a lock that the thread takes, or gives back. */
void sm_await_locks(const struct sm_thread *thread, uint16_t lock, bool takes);
/* The thread, which has had `index` events, is about to read for the graph. True: it has made one
   idle iteration. */
bool sm_await_idle(const struct sm_event *event, uint16_t index);
/* Then: the first event of that iteration. */
uint16_t sm_await_since(const struct sm_thread *thread);
/* The same for a read of memory that no other thread has accessed so far. */
bool sm_await_idle_privately(const struct sm_event *event, uint16_t index);
/* The thread is about to add this read: learns its site if the thread made the same read just
   before. Reads on the fast path (sm_explore_replay) are not noticed otherwise. */
void sm_await_look_back(const struct sm_graph *graph, const struct sm_node *read,
                        const struct sm_site *site);
/* The read was seen to repeat: its iterations are checked. */
bool sm_await_is_known(const struct sm_site *site);
void sm_await_learn(const struct sm_site *site);
/* Every read of each blocked thread's last iteration saw the newest write, so the threads stay
   blocked. */
bool sm_await_stays_blocked(const struct sm_graph *graph);
/* The thread has made one idle iteration, and no later write can revisit a read of it, because each
   reads from a write older than the newest at the time (is_maximal in revisit.c): it is blocked in
   every descendant of this graph. Not if the last iteration of a loop may have made plain reads
   that others do not (iteration.h): their races are still to be found. */
bool sm_await_is_futile(const struct sm_graph *graph, uint32_t thread);
/* The thread is blocked (`retries`: though it would continue), or is blocked at its nth event. */
void sm_await_stopped(uint32_t thread, bool retries);
void sm_await_stop(uint32_t thread, uint16_t nth);
/* For walk.c: no thread is blocked; this one has made an idle iteration, as sm_await_idle reported.
 */
void sm_await_forget(void);
void sm_await_waited(uint32_t thread, uint16_t since, uint64_t state);

/* Start of the program's stack of the thread: all of it lies below. */
uintptr_t sm_await_stack_top(const struct sm_thread *thread);
/* The state of a thread, taken now; and as it was when sm_await_idle last took it. */
uint64_t sm_await_take_state(const struct sm_event *event);
uint64_t sm_await_state(const struct sm_thread *thread);

#endif
