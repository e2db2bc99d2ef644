/*
 * tsan_calls.h - ThreadSanitizer's atomics and unaligned accesses, called by name.
 *
 * Programs call them where ThreadSanitizer would not see an access otherwise. They become the
 * instructions that they stand for, so that every model, name and check applies to them. A call
 * that may throw, as in C++, stays a call of the runtime (core/libc/tsan.c).
 */
#ifndef SM_PLUGIN_TSAN_CALLS_H
#define SM_PLUGIN_TSAN_CALLS_H

#include "plugin/pass.h"

/* Before the module is read. */
void sm_replace_tsan_calls(struct sm_pass *pass);

#endif
