/*
 * signals.h - signals that arrive while their thread is inside the runtime.
 *
 * A handler that ran there would find the runtime busy: its atomics would synchronise with nothing,
 * and the data it publishes with them would look like a race. So the signal is deferred: the thread
 * sends it to itself again when it leaves the runtime. Faults are not deferred.
 */
#ifndef SM_NATIVE_SIGNALS_H
#define SM_NATIVE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

struct sm_detect_thread;

/* Called by the handler. False: there is no room. */
bool sm_signal_defer(struct sm_detect_thread *thread, const siginfo_t *info);
/* Called by the thread when it is no longer busy. Uses no vector registers. */
void sm_signals_resend(struct sm_detect_thread *thread);

#endif
