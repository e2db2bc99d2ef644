/*
 * counters.h - loops that count how often they have tried.
 *
 *     for (int i = 0; i < 16; i++)
 *         if (is_free(lock))
 *             return;
 *         else
 *             i < 12 ? pause() : yield();
 *     wait(lock);
 *
 * A counter is a phi of a loop's header on which only this depends: whether the loop ends, at its
 * header, before an iteration does anything; how long an iteration pauses; and other counters. It
 * is dead outside the loop. So an iteration is the same whatever the counter is, and executions
 * need not be told apart by how often the loop has tried (verify/loops/iteration.h).
 */
#ifndef SM_PLUGIN_COUNTERS_H
#define SM_PLUGIN_COUNTERS_H

#include "plugin/loops.h"

/* Before anything is instrumented: marks functions that only pause or yield. */
void sm_mark_pauses(LLVMModuleRef module);
bool sm_is_counter(const struct sm_waiting_loop *loop, LLVMValueRef phi);
/* The branch at the end of the header that ends the loop when a counter has reached a value that
   each of its steps brings closer; NULL: none. */
LLVMValueRef sm_counted_exit(const struct sm_waiting_loop *loop);

#endif
