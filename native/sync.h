/*
 * sync.h - happens-before: what a thread gives and takes at an address.
 *
 * Who may call: the interceptors (intercept/) and the atomics, for the running thread. Each
 * call takes the record's lock itself. Keys tell apart several clocks of one address.
 */
#ifndef SM_NATIVE_SYNC_H
#define SM_NATIVE_SYNC_H

#include "base/sys.h"
#include "native/epoch.h"
#include "native/signals.h"

/* PHASE and PHASE + 1: barriers; NOTE: annotations; BYTE: what an atomic access to the first byte
   of a granule meets (atomic.c) */
enum {
    SM_KEY_BYTE = 1,
    SM_KEY_MAIN = 0x100,
    SM_KEY_READERS,
    SM_KEY_NOTE,
    SM_KEY_PHASE,
    SM_KEY_OPENMP = 0x200
};

/* The running thread, marked busy; NULL when nothing is to be done. Leave undoes it. */
static inline struct sm_detect_thread *sm_sync_enter(void)
{
    struct sm_detect_thread *thread = sm_current;
    if (!thread || thread->busy)
        return NULL;
    thread->busy = true;
    return thread;
}

static inline void sm_sync_leave(struct sm_detect_thread *thread)
{
    thread->busy = false;
    if (SM_UNLIKELY(thread->deferred))
        sm_signals_resend(thread);
}

void sm_acquire(const void *object, uint32_t key);
/* Adds to what the object holds; sm_release_store replaces it. A new epoch begins. */
void sm_release(const void *object, uint32_t key);
void sm_release_store(const void *object, uint32_t key);
/* For a lock that the thread holds, and is alone to hold when it releases: the lock itself
   keeps others from its clock (key MAIN), which saves two locked instructions. */
void sm_acquire_held(const void *lock);
void sm_release_held(const void *lock);
/* The object ends: forgets its clocks, with all that was known of its granule. */
void sm_forget(const void *object);
/* The same for one that has its granule not to itself. */
void sm_forget_part(const void *object);

/* The same for a lock that readers share. Locks order threads one way or the other: what they order
   is no reason why two threads cannot wait for each other (order.h). */
void sm_acquire_lock(const void *lock, uint32_t key);
void sm_release_lock(const void *lock, uint32_t key);

/* The running thread has taken a lock (enum sm_hold), is about to give it up: for reports. */
void sm_lock_taken(const void *lock, uint32_t how);
void sm_lock_given_up(const void *lock);

#endif
