/*
 * await.h - spin loops.
 *
 * A thread that comes to a read again with its registers and its stack as they were when it was
 * there before, and that has stored nothing elsewhere since, has made one iteration of a spin loop.
 * (Local objects with constructors and destructors are stored to in each iteration.) Whatever
 * it could read now it could have read then, so executions with more idle iterations show nothing
 * new: the thread is blocked here, and continues only in graphs in which one of the reads of that
 * iteration reads from another write. So a spin loop has one iteration in every graph, and needs no
 * bound.
 *
 * Taking the registers costs a microsecond (the unwinder knows where the runtime's frames have put
 * them), so it is done only at reads that were seen to come again. When there are more such reads
 * than was known, the exploration begins again.
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
/* The exploration is to begin again for another reason (undone.h). */
void sm_await_begin_again(void);

/* The reads that were seen to come again (parcel.h). */
void sm_await_pack(struct sm_parcel *parcel);
void sm_await_unpack(struct sm_parcel *parcel);

/* A thread begins: its first event stands in the frame that will call it, so all that is its own
   lies below. */
void sm_await_thread(const struct sm_event *begin);
/* The thread stores, or does anything else that is more than reading. A read-modify-write that
   leaves the value as it was counts as reading: see iteration.h. */
void sm_await_busy(const struct sm_thread *thread);
/* The same for a store to memory that no other thread has touched. What the thread keeps on its own
   stack is in the state that is compared, so such a store is none; for iterations it is one unless
   the frame is gone at the header (iteration.h). */
void sm_await_stored_privately(const struct sm_event *event);
/* The same for memory that the thread gets, and may free. */
void sm_await_allocated(const struct sm_thread *thread, uintptr_t block, size_t size);
void sm_await_freed(const struct sm_thread *thread, uintptr_t block);
/* The same for an addition, which it may undo: `change` is added to so many bytes of a location. */
void sm_await_added(const struct sm_thread *thread, uint16_t loc, unsigned size, uint64_t change);
/* The thread, which has had `index` events, is about to read for the graph. True: it has made
   one idle iteration. */
bool sm_await_idle(const struct sm_event *event, uint16_t index);
/* Then: the first event of that iteration. */
uint16_t sm_await_since(const struct sm_thread *thread);
/* The same for a read of memory that no other thread has touched, so far. */
bool sm_await_idle_privately(const struct sm_event *event, uint16_t index);
/* The thread is about to add this read to the graph: did it come just before? Reads that the graph
   answers the short way (sm_explore_replay) are not seen otherwise. */
void sm_await_look_back(const struct sm_graph *graph, const struct sm_node *read,
                        const struct sm_site *site);
/* Such a read was seen to come again: its iterations are looked at. */
bool sm_await_is_known(const struct sm_site *site);
void sm_await_learn(const struct sm_site *site);
/* Of each blocked thread: every read of its last iteration saw the newest write, so that it stays
   blocked. */
bool sm_await_stays_blocked(const struct sm_graph *graph);
/* The thread has made one idle iteration, and no write to come can revisit a read of it, since each
   read from an older write than there was (is_maximal in revisit.c): it is blocked in every graph
   that comes of this one. Not where the last iteration of a loop may have read what others do not
   (iteration.h), plainly: its races are still to be seen. */
bool sm_await_is_futile(const struct sm_graph *graph, uint32_t thread);
/* The thread is blocked, `retries`: though it would go on; or is blocked at the event that is its
   nth. */
void sm_await_stopped(uint32_t thread, bool retries);
void sm_await_stop(uint32_t thread, uint16_t nth);
/* For walk.c: no thread is blocked; this one has made an idle iteration, as sm_await_idle said. */
void sm_await_forget(void);
void sm_await_waited(uint32_t thread, uint16_t since, uint64_t state);

/* Where the stack of its program begins: all of it lies below. */
uintptr_t sm_await_stack_top(const struct sm_thread *thread);
/* The state of a thread, taken now; and as it was when sm_await_idle last looked at it. */
uint64_t sm_await_take_state(const struct sm_event *event);
uint64_t sm_await_state(const struct sm_thread *thread);

#endif
