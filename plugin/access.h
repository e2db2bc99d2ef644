/*
 * access.h - plain loads and stores, and calls that copy, fill or read memory: instrumented only in
 * the watched copy of a function.
 */
#ifndef SM_PLUGIN_ACCESS_H
#define SM_PLUGIN_ACCESS_H

#include "plugin/value.h"

/* A site of any kind: these, and those of atomic.h. */
void sm_emit_site(struct sm_emit *emit);
void sm_emit_load(struct sm_emit *emit, bool atomic);
void sm_emit_store(struct sm_emit *emit, bool atomic);
void sm_emit_copy(struct sm_emit *emit);
void sm_emit_fill(struct sm_emit *emit);
void sm_emit_library_call(struct sm_emit *emit);
void sm_emit_line(struct sm_emit *emit);

#endif
