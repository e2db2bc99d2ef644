/*
 * end.h - how an execution ends, written down before it does.
 *
 * sm_end (sched.h) and sm_die (sys.h) are defined here too: each writes the result to
 * the control block and leaves the process without running anything of the program's.
 */
#ifndef SM_END_H
#define SM_END_H

#include <signal.h>

/* Writes down that the program exits; it still has its handlers to run. */
void sm_end_exit(int status);
/* Writes down a fatal signal with the faulting place and stack. The caller, a signal
   handler, then lets the program die of it. */
void sm_crash(int signo, const siginfo_t *info, void *ucontext);
/* Exit status of a process that the runtime ends for a reason of its own; the control
   block says which. */
#define SM_EXIT_ENDED 98

#endif
