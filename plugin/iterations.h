/*
 * iterations.h - tells the runtime where an iteration of a waiting loop begins.
 *
 * An iteration of a retry loop that changed nothing, and after which the thread is where it was,
 * need not be explored when another iteration follows it (verify/loops/iteration.h). At the header
 * of each loop that another thread can prolong (loops.h) the watched copy of a function passes a
 * hash of what the next iteration depends on to the runtime: the header's phis, and those locals in
 * memory that are live there. Dead registers and stack slots are excluded: comparing the whole
 * frame, as await.h does, made failed iterations look like progress.
 *
 * Stores to locals whose addresses escape are instrumented like others. They do not count where
 * none of these locals is live at the header (llvm.lifetime), as for a temporary object that each
 * iteration creates and destroys; a flag beside the hash says so.
 *
 * One phi may be a reload:
 *
 *     old = load(&x);
 *     while (!compare_exchange(&x, &old, f(old))) ;
 *
 * The value that a failed compare-exchange returns replaces the one loaded before the loop. It is
 * passed separately from the hash.
 */
#ifndef SM_PLUGIN_ITERATIONS_H
#define SM_PLUGIN_ITERATIONS_H

#include "plugin/pass.h"

/* Before the function's sites are instrumented. Only in the watched copy. */
void sm_emit_iterations(struct sm_pass *pass, LLVMValueRef function);
/* Stores to private thread-local variables, in both copies. */
void sm_emit_effects(struct sm_pass *pass, LLVMValueRef function);

#endif
