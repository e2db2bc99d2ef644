/*
 * undone.h - iterations whose additions are undone.
 *
 *     while (fetch_sub(&free, 1) <= 0) {      u1 adds -1
 *         fetch_add(&free, 1);                u2 adds 1
 *         while (load(&free) <= 0) ;
 *     }
 *
 * Such an iteration I has no effect (iteration.h) if nobody can tell that u1 and u2 were there. In
 * modification order they are u1 = w1, w2, ..., wn, u2, where u2 has read from wn, each w has read
 * from the one before it, and each is of an addition: I is removed as in iteration.h, what read
 * from u1 reads from what u1 had read from, what read from u2 reads from wn, and the values of w1
 * to wn are less by what u1 has added. The result E' is an execution of the program if no thread
 * does anything else for that reason:
 * - the threads of w2 to wn compare what they have read with a constant, if they use it at all
 *   (enum sm_value_use), and the comparison has the same result;
 * - every load of the location, at any place in the program, does the same with the values of w1 to
 *   wn. All loads that were seen so far are asked, not those that read from w1 to wn in the graph
 *   at hand: others may do so later, when the thread is blocked already. A load that is all of a
 *   loop and repeats it is none: an execution in which it has read that can do without that
 *   iteration (await.h). A compare-exchange may fail, which is a load with any use.
 * So whether the thread is blocked depends on what comes before it by porf, and on the loads. When
 * one is seen that was not known, the exploration begins again.
 *
 * E' is consistent: modification order, reads-from and happens-before of its events are those of E,
 * but for w2 and what reads from u2, which read from the write before those that are removed; that
 * argument is in iteration.h, and so are those about races and about fewer events.
 *
 * Liveness: threads that are blocked in such iterations, and whose reads saw the values that are
 * the newest at the end, would repeat them for ever (sm_await_stays_blocked).
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
   loads of it are to be shown. False: there are too many such locations. */
bool sm_undone_watch(uint16_t loc);
/* A load of the location, or a compare-exchange; site NULL: of a part of it. */
void sm_undone_loaded(uint16_t loc, const struct sm_site *site);
/* Nobody can tell that the events of the thread from `since` up to `until`, which undo each other,
   were there. */
bool sm_undone_holds(const struct sm_graph *graph, uint32_t thread, uint16_t since, uint16_t until);

#endif
