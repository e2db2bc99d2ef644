/*
 * signals.h - signals under control.
 *
 * A signal that the program sends to itself (raise, kill, pthread_kill, timers) never reaches the
 * kernel: it is queued here and its handler runs at the next scheduling point of the thread it is
 * for, as an ordinary call. One that comes from outside is caught by a handler of ours, which only
 * records it; from then on it is treated the same. The program's signal masks also exist only
 * here: the kernel's masks never change, so no signal is blocked where we cannot see it.
 *
 * A fault (SIGSEGV and its like) is handled where it happens: by the program's handler if it has
 * one, else by recording where it was (sm_crash) and dying of it.
 */
#ifndef SM_RUNTIME_INTERCEPT_SIGNALS_H
#define SM_RUNTIME_INTERCEPT_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/event.h"
#include "runtime/intercept/cancel.h"
#include "runtime/thread.h"

/* Not 0: a signal is pending. Read at every scheduling point. */
extern volatile int sm_signals_waiting;

/* Takes over the program's dispositions; before main, once the program is under control. */
void sm_signals_install(void);
/* Before a restart restores our data: which dispositions the program has set, as a bit set; after
   it: reinstalls the old ones in the kernel. */
uint64_t sm_signals_changed(void);
void sm_signals_reinstall(uint64_t signals);
/* Returns them to the kernel; in the child of a fork. */
void sm_signals_release(const struct sm_thread *self);
/* Runs the handlers of signals that are pending for self and not blocked. */
void sm_signals_deliver(struct sm_thread *self);
/* Passes signals from outside, if there are any, to threads that accept them. */
void sm_signals_import(void);

/* Sends a signal to a thread, or (NULL) to the process: then one of the threads that do
   not block it is chosen. */
void sm_signal_send(struct sm_thread *to, const siginfo_t *info);

/* For signalfd. Takes a signal of the set that is pending for the running thread. */
bool sm_signal_take(const sigset_t *set, siginfo_t *info);
/* Waits until there may be one. False, with errno EINTR, if a handler comes first. */
bool sm_signal_await(const sigset_t *set, struct sm_event *event);
/* Is one pending, for whatever thread? */
bool sm_signal_is_pending(const sigset_t *set);

/* Replaces self's mask until sm_signals_unmask, as pselect and the like do: signals that the old
   mask blocked are delivered, and count as an interruption. */
void sm_signals_mask(struct sm_thread *self, const sigset_t *mask, sigset_t *before);
void sm_signals_unmask(struct sm_thread *self, const sigset_t *before);

/* After a wait returned SM_SIGNALLED: runs handlers and handles a cancellation. True if the call
   must fail with EINTR; false if it restarts (SA_RESTART). */
bool sm_signals_interrupted(struct sm_thread *self);
/* Forgets earlier handlers: those that run from here on interrupt the call that begins now. */
void sm_signals_begin_call(struct sm_thread *self);

/* The result of gettid: that of the process for the initial thread, as in the kernel. */
int sm_thread_tid(const struct sm_thread *thread);

/* Sets the kernel's mask to the program's while a child is created that inherits it. */
void sm_signals_lend_mask(const struct sm_thread *self, sigset_t *before);
void sm_signals_take_mask(const sigset_t *before);
/* abort(): runs the program's handler, if it has one. It may not return. */
void sm_signals_abort(struct sm_thread *self);
/* False if the program ignores SIGCHLD: then the end of a child is not signalled. */
bool sm_signals_child_seen(void);

#endif
