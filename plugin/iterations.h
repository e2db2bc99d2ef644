/*
 * iterations.h - tells the runtime where an iteration of a waiting loop begins.
 *
 * An iteration of a retry loop that changed nothing, and after which the thread is where it was,
 * need not be explored when another iteration follows it (verify/loops/iteration.h). At the header
 * of each loop that another thread can prolong (loops.h) the watched copy of a function shows a
 * hash of what the next iteration depends on: the header's phis, and those locals in memory that
 * are live there. Registers and stack slots that are dead do not count; compared as a whole, as
 * await.h does, they made loops that had failed look as if they had gone on.
 *
 * Stores to locals whose addresses escape are shown as others are. They do not count where none of
 * these locals is alive at the header (llvm.lifetime), which is said beside the hash: a temporary
 * object that each iteration makes and destroys.
 *
 * One phi may be a reload:
 *
 *     old = load(&x);
 *     while (!compare_exchange(&x, &old, f(old))) ;
 *
 * The value that a failed compare-exchange returns takes the place of the one loaded before the
 * loop. It is shown apart from the hash.
 */
#ifndef SM_PLUGIN_ITERATIONS_H
#define SM_PLUGIN_ITERATIONS_H

#include "plugin/pass.h"

/* Before the function's sites are instrumented. Iterations: in the watched copy alone. */
void sm_emit_iterations(struct sm_pass *pass, LLVMValueRef function);
/* Stores to private thread-local variables, in both copies. */
void sm_emit_effects(struct sm_pass *pass, LLVMValueRef function);

#endif
