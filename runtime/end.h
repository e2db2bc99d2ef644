/*
 * end.h - how an execution ends, recorded before it does.
 *
 * sm_end (sched.h) and sm_die (sys.h) are defined here too: each writes the result to the control
 * block and leaves the process without running any code of the program.
 */
#ifndef SM_RUNTIME_END_H
#define SM_RUNTIME_END_H

#include <signal.h>
#include <stdbool.h>

#include "abi/control.h"

/* Records that the program exits; its exit handlers are still to run. */
void sm_end_exit(int status);
/* gdb has a breakpoint in it, at sm_debug_stop (target/debugger.h). Called before an execution
   ends, except by exit, and at the record that control's stop_at names. */
void sm_debug_reach(enum sm_debug_reason reason);
/* Records a fatal signal with the faulting place and stack. The caller, a signal handler, then lets
   the program die of it. */
void sm_crash(int signo, const siginfo_t *info, void *ucontext);
/*
 * As long as a foreseen value has not been stored (model/speculation.h) the execution may turn out
 * invalid. A thread that fails is held where it is, with its failure recorded, and the others run
 * on; one that exits waits. When the last value has been stored, the held failure ends the
 * execution at the next scheduling point.
 */
void sm_end_settled(void);
void sm_end_wait(void);
extern bool sm_end_due;
_Noreturn void sm_end_held(void);
/* A failure is already recorded: later ones do not count. */
bool sm_end_is_held(void);

/* The running thread has failed: it takes no further step. */
static inline bool sm_end_is_failure(int end)
{
    return end == SM_END_ASSERT || end == SM_END_SIGNAL || end == SM_END_HARM;
}

/* Exit status of a process that the runtime ends; the control block has the reason. */
#define SM_EXIT_ENDED 98

#endif
