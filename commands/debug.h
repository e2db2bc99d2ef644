/*
 * debug.h - what the `stalemate` commands inside gdb answer (target/debugger.h).
 *
 * The whole recorded execution is known, wherever the program is at the moment; its control block
 * says where. So a command is a question about the witness, or the number of the event to run to.
 */
#ifndef SM_COMMANDS_DEBUG_H
#define SM_COMMANDS_DEBUG_H

#include "findings/why.h"
#include "target/debugger.h"

struct sm_debug {
    const struct sm_witness *witness;
    struct sm_control *control;
    struct sm_reasons *reasons;
};

/* The answer of struct sm_debugger; the context is a struct sm_debug. */
enum sm_debug_action sm_debug_answer(void *context, const char *request, struct sm_buffer *text);

#endif
