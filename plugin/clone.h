/*
 * clone.h - the two copies of a function.
 *
 * The plain copy keeps the name, the address and the linkage. Its entry tests the
 * function's byte and, if that is set, jumps to the watched copy `name.sm` with the
 * arguments it was given: a musttail call, so the frame, the return address and the
 * variable arguments are the watched copy's own (a struct passed by value is the exception). The
 * watched copy is internal to the object file, even for an inline function that the linker merges:
 * whichever copy of the function the linker keeps, it brings its own byte and its own watched copy.
 */
#ifndef SM_PLUGIN_CLONE_H
#define SM_PLUGIN_CLONE_H

#include "plugin/pass.h"

/* Must it be instrumented in place, because a jump to a copy would change its meaning? */
bool sm_must_stay_single(LLVMValueRef function);
/* Makes the watched copy; the n instructions in `mapped` become the copy's. */
LLVMValueRef sm_make_watched_copy(LLVMValueRef function, LLVMValueRef *mapped, size_t n);
/* Makes the plain copy's entry go to the watched copy if the function is watched. */
void sm_dispatch(struct sm_pass *pass, uint32_t unit, LLVMValueRef plain, LLVMValueRef watched);
/* After the optimiser: see clone.c. */
void sm_repair_jumps(LLVMModuleRef module);
/* sm_enter at the entry, sm_leave before each return, if the byte has bit 1; sm_local_ends for each
 * of the unit's locals, in this copy, if it has bit 2. For the watched copy, which has a frame of
 * its own because it is never inlined. */
void sm_trace_calls(struct sm_pass *pass, uint32_t unit, LLVMValueRef function,
                    LLVMValueRef *locals);
/* The same for a function without a copy; none if it has to be inlined. */
void sm_trace_single(struct sm_pass *pass, uint32_t unit, LLVMValueRef function);

#endif
