/*
 * tsan_calls.h - ThreadSanitizer's atomics and unaligned accesses, called by name.
 *
 * Programs call them where they want ThreadSanitizer to see an access that it would not. They
 * become the instructions that they stand for, so that every model, name and check holds for them
 * as well. A call that may throw, as C++ has it, stays one of the runtime's functions
 * (core/libc/tsan.c).
 */
#ifndef SM_PLUGIN_TSAN_CALLS_H
#define SM_PLUGIN_TSAN_CALLS_H

#include "plugin/pass.h"

/* Before anything is read. */
void sm_replace_tsan_calls(struct sm_pass *pass);

#endif
