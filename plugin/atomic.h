/*
 * atomic.h - read-modify-writes, fences, assembly and the calls of libatomic. Like atomic loads and
 * stores (access.h) they are instrumented in both copies of a function.
 */
#ifndef SM_PLUGIN_ATOMIC_H
#define SM_PLUGIN_ATOMIC_H

#include "plugin/value.h"

void sm_emit_rmw(struct sm_emit *emit);
void sm_emit_cas(struct sm_emit *emit);
void sm_emit_fence(struct sm_emit *emit);
void sm_emit_asm(struct sm_emit *emit);
void sm_emit_atomic_call(struct sm_emit *emit);

#endif
