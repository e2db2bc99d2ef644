/*
 * debugger.h - an execution inside gdb.
 *
 * The program is started exactly as for any other execution, but waits before it begins
 * until gdb has attached; so addresses, input and environment are the recorded ones.
 * gdb then runs it to the place where the recorded execution failed.
 */
#ifndef SM_TARGET_DEBUGGER_H
#define SM_TARGET_DEBUGGER_H

#include "target/target.h"

/* Returns when the user has left gdb. */
bool sm_debugger_run(struct sm_target *target, const struct sm_options *options,
                     struct sm_error *error);

#endif
