/*
 * retried.h - weak compare-exchanges and waits for conditions in loops that hide it if one of them
 * fails, or ends, for no reason. verify does not explore that there.
 *
 * Let H be the header of a loop around the instruction C. C is retried if
 *
 *   - whatever the loop does between H and C only reads, so an iteration up to C has no effect;
 *   - after a spurious failure each path leads to H, without leaving the loop, and only atomics
 *     are read there;
 *   - at H each phi then has the value that it had: the failed exchange has returned the value that
 *     it expected, and the wait 0.
 *
 * So after a spurious failure the thread is where it was, with the same registers, and has only
 * read. Of an execution in which C fails spuriously the events since H can be removed: what is
 * left is an execution, with the same values, and it has every race that was there
 * (verify/loops/iteration.h has the argument). Only C's own iterations are meant: a loop that
 * counts its attempts, waits longer after each, or gives up, does not repeat the state.
 *
 * Stores. `node->next = old` before C, in a loop that pushes to a stack, is a store to memory that
 * nobody else sees yet. A plain or relaxed one may stand between H and C if it is made on every
 * way, at an address that is the same in each iteration, and if no plain read in the loop could see
 * it. Then the second of two equal iterations overwrites what the first has stored. If the expected
 * value is in memory (`compare_exchange_weak(&top, &node->next, node)`), a spurious failure stores
 * it where it is. A thread that could tell such stores apart stores there itself, and neither
 * happens before the other: their sites are marked, and the runtime looks for that
 * (verify/run/spurious.h).
 *
 * A wait (pthread_cond_wait, cnd_wait, std::condition_variable::wait) may read other memory on its
 * way, since the thread holds the mutex there, but not store. That the iteration is the same does
 * not make it superfluous: verify/run/spurious.h says what must be true when the thread arrives.
 *
 * What is not recognised is explored: a wrong "no" costs time only.
 */
#ifndef SM_PLUGIN_RETRIED_H
#define SM_PLUGIN_RETRIED_H

#include "plugin/pass.h"

/* Marks the rows of a unit (SM_VALUE_RETRIED). */
void sm_mark_retried(struct sm_pass *pass, const struct sm_unit *unit);
/* Before the function is read: puts a hook before each wait that is retried. */
void sm_mark_waits(struct sm_pass *pass, LLVMValueRef function);

#endif
