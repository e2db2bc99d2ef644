/*
 * cancel.h - how a thread ends: by return, by pthread_exit, by cancellation.
 *
 * A thread may be a fiber on the stack and the thread-local storage of a parked kernel thread, so
 * libc's own pthread_exit and pthread_cancel must never see it. Everything they do is done here:
 * the stack is unwound (cleanup handlers of C, destructors of C++), then the destructors of
 * thread_local objects run, then those of keys, then robust mutexes are passed on, and the
 * scheduler removes the thread.
 */
#ifndef SM_RUNTIME_INTERCEPT_CANCEL_H
#define SM_RUNTIME_INTERCEPT_CANCEL_H

#include "runtime/thread.h"

/* A cancellation point: does not return if the thread has been cancelled. Does nothing
   when no controlled thread calls. */
void sm_test_cancel(void);
/* A scheduling point: the same for a thread with asynchronous cancellation. */
void sm_test_cancel_async(void);

/* pthread_exit: unwinds the stack of the calling thread, then finishes it. */
_Noreturn void sm_thread_exit(void *result);
/* The start routine has returned, or the stack is unwound. */
_Noreturn void sm_thread_finish(void *result);

/* keys.c: runs the destructors of all values of the calling thread. */
void sm_keys_destroy(struct sm_thread *self);
/* keys.c: in the child of a fork, returns the values of the only thread to libc. */
void sm_keys_release(struct sm_thread *self);

#endif
