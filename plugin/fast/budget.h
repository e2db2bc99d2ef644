/*
 * budget.h - the counter that makes a thread yield in loops that another thread can prolong.
 *
 * At a back edge whose loop may wait for memory the pass emits
 *     if (--sm_budget <= 0) sm_back_edge();
 * so a thread that spins on a flag reaches the scheduler even where none of its
 * accesses is watched. The runtime resets the counter in sm_back_edge; in a
 * program that runs without `stalemate` it starts so high that it never runs out.
 *
 * Written only by its own thread. Initial-exec, so that the decrement is one
 * instruction: the runtime is always there when the program starts.
 */
#ifndef SM_PLUGIN_FAST_BUDGET_H
#define SM_PLUGIN_FAST_BUDGET_H

#include <stdint.h>

extern __thread int64_t sm_budget __attribute__((tls_model("initial-exec")));

#endif
