/*
 * signals.h - signals that come while their thread is inside the runtime.
 *
 * A handler that ran there would find the runtime busy: its atomics would order nothing, and what
 * it hands on by them would look like a race. So the handler waits: the signal is sent again, by
 * the thread to itself, when it leaves the runtime. Faults do not wait.
 */
#ifndef SM_NATIVE_SIGNALS_H
#define SM_NATIVE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

struct sm_detect_thread;

/* By the handler of the running thread. False: there is no room. */
bool sm_signal_defer(struct sm_detect_thread *thread, const siginfo_t *info);
/* By the thread, when it is busy no longer. Uses no vector registers. */
void sm_signals_resend(struct sm_detect_thread *thread);

#endif
