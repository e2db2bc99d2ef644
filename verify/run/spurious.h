/*
 * spurious.h - weak compare-exchanges that fail although the location holds the expected value, and
 * waits for conditions that end without a signal. Both may happen at any time, and each is a choice
 * of the thread.
 *
 * A compare-exchange: the choice comes before the read. If it is to fail, its read is one with the
 * failure order that writes nothing, and an assumption follows that it has read the expected value:
 * else it is the same execution as without the choice. Every engine can explore choices, reads and
 * assumptions, so nothing in them is special to this. (To decide after the read would save the
 * blocked graphs in which the assumption fails; but then a revisited read has a second
 * continuation, which maximal extensions and trees would have to know.)
 *
 * Where the loop around it hides the failure, the pass says so (plugin/retried.h), and there is no
 * choice. In other loops an iteration that fails spuriously may still have no effect: then the
 * thread is blocked after it (loops/iteration.h, loops/await.h), but not for ever: it is no
 * livelock.
 *
 * The pass allows a store before the exchange (`node->next = old`), which is made again in the next
 * iteration. That hides the failure if no other thread stores there between the two: such a store
 * and this one are unordered by happens-before. A graph that has such a pair, or a race with such a
 * store, makes the exploration incomplete. Not under hb and oota, where only races are seen:
 * atomic stores hide nothing there.
 *
 * A wait: the choice comes when the thread has given back the mutex. If the wait is to end for no
 * reason, the thread leaves the condition as a timed wait does whose time is over, with the
 * assumption that no signal has come before.
 *
 * Where does that add nothing? Let T wait in a loop that the pass calls retried: an iteration tests
 * the predicate, waits, and does nothing else. Let E be an execution in which T's wait ends for no
 * reason. If the predicate is false then, T waits again, and E without the iteration differs in the
 * signals that come while T is awake. If it is true, T goes on before it was signalled, or though
 * nobody signals. Both are found without the spurious wake-up if T could have come late: take the
 * iteration out of E, with the lock of the mutex that T took before it, so that T takes the mutex
 * only where it did so at the end of the wait. The result is an execution if T has had no event
 * since it had taken the mutex, when it came to the loop, and has not printed; and if nobody tries
 * that mutex, and so sees that it was taken (trylock, a time limit). That is the common form
 * (lock, while, wait), and so is a wait that a signal has ended, which tests again at once.
 *
 * Otherwise (`arrived++; while (!ready) wait();`, or a barrier that reads its generation first) the
 * wait is explored: T cannot come late, and a spurious wake-up between the end of the other
 * thread's section and its signal is a new execution. One in a row is enough there: if the wait
 * ends for no reason twice, the first time can be left out, since a signal that came between the
 * two takes the place of the second.
 *
 * A loop that counts its attempts would be explored for each number of spurious failures. So a
 * thread fails so at most MOST_IN_A_ROW times in a row at one place; where one more is possible,
 * the exploration is not complete (SM_CUT_SPURIOUS). A wait that the pass has not recognised (in a
 * library that is not instrumented, in a loop that does something else) is limited in the same way,
 * but one in a row is enough if the thread comes back to it in the same state and has only read
 * (its predicate is in another file).
 */
#ifndef SM_VERIFY_RUN_SPURIOUS_H
#define SM_VERIFY_RUN_SPURIOUS_H

#include "runtime/event.h"
#include "verify/graph/graph.h"
#include "verify/trees/local.h"

void sm_spurious_start(void); /* once */
void sm_spurious_begin(void); /* before each run */

/* The thread is about to do this read-modify-write of shared memory, with no scheduling point in
   between: chooses whether it fails spuriously. `local`: its event in a graph, which is made one
   that fails; or NULL. */
bool sm_spurious_fails(const struct sm_event *event, struct sm_local *local);
/* Then: it has read. Returns if it reads the expected value, or in a run of a given execution. */
void sm_spurious_fail(struct sm_event *event, uint64_t read);
/* The same for private memory: true if it has failed. */
bool sm_spurious_fails_privately(struct sm_event *event);
/* A read-modify-write is done. */
void sm_spurious_done(const struct sm_event *event);

/* Waits for conditions. One begins, before the mutex is given up; whether it ends for no reason, a
   choice; it has ended so (`woken`: a signal has come first); it has ended otherwise. */
struct sm_spurious_wait {
    uint32_t thread;
    const void *pc;
    uint64_t state; /* of the thread; 0: not taken */
    bool explored;
};
struct sm_spurious_wait sm_spurious_waits(const struct sm_event *event, const void *mutex);
bool sm_spurious_ends(const struct sm_spurious_wait *wait);
void sm_spurious_ended(const struct sm_spurious_wait *wait, bool woken);
void sm_spurious_is_over(const struct sm_spurious_wait *wait);
/* A thread has locked a mutex, or `tried` to; it is at the header of a loop
   around a wait that is retried; it prints. */
void sm_spurious_locks(const struct sm_event *event, bool tried);
void sm_spurious_header(uint32_t thread);
void sm_spurious_prints(uint32_t thread);

/* In the pool: what marked stores have stored to, in any run. */
enum { SM_MOST_STORED = 64 };
extern struct sm_spurious_stored {
    uint16_t locs[SM_MOST_STORED];
    uint32_t n;
} *sm_spurious_stored;
void sm_spurious_look_at(const struct sm_graph *graph);

/* Stores before a compare-exchange that hides failures: one is made; a graph is complete; two sites
   race. */
void sm_spurious_stores(const struct sm_site *site, uint16_t loc);
static inline void sm_spurious_look(const struct sm_graph *graph)
{
    if (sm_spurious_stored->n)
        sm_spurious_look_at(graph);
}
void sm_spurious_race(uint32_t first, uint32_t second);

/* For choices that the runtime asks for. */
uint32_t sm_spurious_answer(void);
/* Hash of what later choices depend on. */
uint64_t sm_spurious_state(uint32_t thread);

#endif
