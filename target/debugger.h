/*
 * debugger.h - an execution inside gdb.
 *
 * The program is started exactly as for any other execution, but waits before it begins
 * until gdb has attached; so addresses, input and environment are the recorded ones.
 * gdb then runs it to the place where the recorded execution failed.
 *
 * Inside gdb there are commands about the execution (debugger.py). Each is a line that arrives over
 * a pipe, and is answered by the caller. An execution is a function of its choices, so gdb goes
 * back by restarting it and running to an earlier event: control's stop_at.
 */
#ifndef SM_TARGET_DEBUGGER_H
#define SM_TARGET_DEBUGGER_H

#include "target/target.h"

/* What gdb does with the program after an answer. */
enum sm_debug_action {
    SM_DEBUG_STAY,
    SM_DEBUG_CONTINUE,
    SM_DEBUG_AGAIN, /* from the start */
};

struct sm_debugger {
    struct sm_target *target;
    const struct sm_options *options;
    /* Adds the answer. */
    enum sm_debug_action (*answer)(void *context, const char *request, struct sm_buffer *text);
    /* Prepares the target as before the first execution; false on an error. */
    bool (*prepare)(void *context, struct sm_error *error);
    void *context;
};

/* Returns when the user has quit gdb. */
bool sm_debugger_run(const struct sm_debugger *debugger, struct sm_error *error);

extern const char sm_debugger_py[]; /* debugger.py */

#endif
