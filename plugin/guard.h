/*
 * guard.h - the fast path of instrumented code: byte tests and the loop counter.
 *
 * All code that the pass adds to the program's fast path is emitted here: one load, one compare and
 * one branch marked unlikely for a site or a function; a decrement for a back edge. The builder is
 * left where the slow path's code goes.
 */
#ifndef SM_PLUGIN_GUARD_H
#define SM_PLUGIN_GUARD_H

#include "plugin/pass.h"

struct sm_fork { /* ends of the two paths around an instruction */
    LLVMValueRef hook_end;
    LLVMValueRef native_end;
};

/* Moves the instruction to a path of its own beside one for the hook, which is taken if
 * the site is watched and `also` (a condition, or NULL for none) holds. */
struct sm_fork sm_guard_fork(struct sm_pass *pass, uint32_t row, LLVMValueRef instruction,
                             LLVMValueRef also);
/* The condition under which an outlined access calls its hook: outline.h. `address` may be NULL:
 * then samples are ignored. */
LLVMValueRef sm_guard_condition(struct sm_pass *pass, LLVMValueRef row, LLVMValueRef address);
/* Where the paths meet, hook_result stands for the instruction's result. */
void sm_guard_join(struct sm_fork fork, LLVMValueRef instruction, LLVMValueRef hook_result);
/* A path for the hook before the instruction, which then runs in any case. */
void sm_guard_before(struct sm_pass *pass, uint32_t row, LLVMValueRef instruction);
/* A path before the instruction, taken if the function's byte has a bit of `mask`.
 * Returns the path's terminator. */
LLVMValueRef sm_guard_function(struct sm_pass *pass, uint32_t unit, uint8_t mask,
                               LLVMValueRef before);
/* A path before the instruction, taken if an engine observes iterations (iterations.h). */
void sm_guard_iterations(struct sm_pass *pass, LLVMValueRef before);
/* if (--sm_budget <= 0) sm_back_edge(); */
void sm_guard_back_edge(struct sm_pass *pass, LLVMValueRef terminator);

#endif
