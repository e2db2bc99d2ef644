/*
 * sync.h - happens-before: release and acquire at an address.
 *
 * Callers: the interceptors (intercept/) and the atomics, for the running thread. Each call
 * acquires the record's lock itself. The key selects one of several clocks at an address.
 */
#ifndef SM_NATIVE_SYNC_H
#define SM_NATIVE_SYNC_H

#include "base/sys.h"
#include "native/epoch.h"
#include "native/signals.h"

/* PHASE and PHASE + 1: barriers; NOTE: annotations; BYTE: the clock of an atomic access to the
   first byte of a granule (atomic.c) */
enum {
    SM_KEY_BYTE = 1,
    SM_KEY_MAIN = 0x100,
    SM_KEY_READERS,
    SM_KEY_NOTE,
    SM_KEY_PHASE,
    SM_KEY_OPENMP = 0x200
};

/* The running thread, marked busy; NULL if there is nothing to do. Leave undoes it. */
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
/* sm_release joins the thread's clock to the object's; sm_release_store replaces it. A new epoch
   begins. */
void sm_release(const void *object, uint32_t key);
void sm_release_store(const void *object, uint32_t key);
/* For a lock that the thread holds, alone when it releases it: the lock itself protects its clock
   (key MAIN), which saves two locked instructions. */
void sm_acquire_held(const void *lock);
void sm_release_held(const void *lock);
/* The object is destroyed: drops its clocks, and everything known of its granule. */
void sm_forget(const void *object);
/* The same for an object that shares its granule. */
void sm_forget_part(const void *object);

/* The same for a lock that readers share. Locks may order threads either way: that order does not
   rule out a deadlock between them (order.h). */
void sm_acquire_lock(const void *lock, uint32_t key);
void sm_release_lock(const void *lock, uint32_t key);

/* The running thread has acquired a lock (enum sm_hold), is about to release it: for reports. */
void sm_lock_taken(const void *lock, uint32_t how);
void sm_lock_given_up(const void *lock);

#endif
