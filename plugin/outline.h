/*
 * outline.h - outlined accesses of watched copies.
 *
 * In a watched copy an access is a call of a small function of the module: one for each kind of
 * access, size and test. It tests the byte of the site and accesses memory, or jumps to the hook,
 * which then returns to the watched copy as if that had called it. With the same test inline a
 * watched copy took LLVM five times as long as the function itself; with calls it takes about
 * half, and the call costs the running program a nanosecond (docs/bench.md has the figures).
 */
#ifndef SM_PLUGIN_OUTLINE_H
#define SM_PLUGIN_OUTLINE_H

#include "plugin/pass.h"

/* Calls the function for `hook` (sm_load, sm_store, sm_line), with its arguments except the site.
   `size`: bytes accessed; `sampled`: the access lies in one granule, whose byte is tested, too. */
LLVMValueRef sm_outlined_call(struct sm_pass *pass, enum sm_hook hook, uint64_t size, bool sampled,
                              LLVMValueRef *arguments, uint32_t row);
/* After all code: the first of these functions, and the end of the last; NULL if there are none. */
void sm_outlined_range(struct sm_pass *pass, LLVMValueRef *first, LLVMValueRef *end);

#endif
