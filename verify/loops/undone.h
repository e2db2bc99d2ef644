/*
 * undone.h - iterations whose additions are undone.
 *
 *     while (fetch_sub(&free, 1) <= 0) {      u1 adds -1
 *         fetch_add(&free, 1);                u2 adds 1
 *         while (load(&free) <= 0) ;
 *     }
 *
 * Such an iteration I has no effect (iteration.h) if no thread can observe u1 and u2. In
 * modification order they are u1 = w1, w2, ..., wn, u2, where u2 has read from wn, each w has read
 * from the one before it, and each is an addition. I is removed as in iteration.h: reads from u1
 * now read from u1's source, reads from u2 read from wn, and what u1 added is subtracted from the
 * values of w1 to wn. The result E' is an execution of the program if no thread behaves differently
 * for that:
 * - the threads of w2 to wn compare what they have read with a constant, if they use it at all
 *   (enum sm_value_use), and the comparison has the same result;
 * - every load of the location, anywhere in the program, does the same with the values of w1 to wn.
 *   All loads seen so far are checked, not only those that read from w1 to wn in the current graph:
 *   others may do so later, when the thread is already blocked. A load that is all of a loop and
 *   repeats it does not count: the execution without that iteration exists as well (await.h). A
 *   compare-exchange may fail, which is a load with any use.
 * So whether the thread is blocked depends on its porf-prefix and on the loads. When a new load is
 * seen, the exploration restarts.
 *
 * E' is consistent: modification order, reads-from and happens-before of its events are those of E,
 * except for w2 and the readers of u2, which read from the write before the removed ones; that
 * argument is in iteration.h, and so are those about races and about fewer events.
 *
 * Locks. The same holds for a lock that I takes (u1) and gives back (u2), whatever it reads while
 * it holds it: n is 1, since a holder excludes others, and the next one to take the lock reads that
 * it is free in E' as in E. Only an attempt that failed would notice that the lock was not held (a
 * trylock, a time limit): with a lock that any thread tries, I has an effect.
 *
 * Liveness: threads that are blocked in such iterations, and whose reads saw the final values,
 * would repeat them for ever (sm_await_stays_blocked).
 */
#ifndef SM_VERIFY_LOOPS_UNDONE_H
#define SM_VERIFY_LOOPS_UNDONE_H

#include "runtime/event.h"
#include "verify/graph/graph.h"
#include "verify/results/parcel.h"

void sm_undone_start(void); /* once */
void sm_undone_pack(struct sm_parcel *parcel);
void sm_undone_unpack(struct sm_parcel *parcel);

/* A fetch_add or fetch_sub that can be undone. */
bool sm_undone_is_addition(const struct sm_event *event);
/* The thread has made an addition to the location and its inverse, in one iteration: from now on
   loads of it must be reported. False: there are too many such locations. */
bool sm_undone_watch(uint16_t loc);
/* A load of the location, or a compare-exchange; site NULL: of a part of it. */
void sm_undone_loaded(uint16_t loc, const struct sm_site *site);
/* No thread can observe the thread's events from `since` to before `until`, which undo each other.
 */
bool sm_undone_holds(const struct sm_graph *graph, uint32_t thread, uint16_t since, uint16_t until);

#endif
