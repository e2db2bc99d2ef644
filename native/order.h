/*
 * order.h - lock-order inversions in the native runtime.
 *
 * core/lock_order.h has the graph. A thread that acquires a lock while it holds others first looks
 * into a cache of its own, of what it has added since its last release by something other than a
 * lock. So a program that holds one lock at a time pays a comparison, and one that nests locks pays
 * a cache lookup.
 *
 * Two acquisitions are ordered independently of the locks if one happens before the last moment at
 * which the other's thread acquired by something other than a lock: at its creation, by a join, an
 * atomic, a semaphore. `before` is the thread's clock at that moment. It may also contain what the
 * thread acquired by locks, so an inversion may be missed, but no false one is reported.
 */
#ifndef SM_NATIVE_ORDER_H
#define SM_NATIVE_ORDER_H

#include "base/sys.h"
#include "native/epoch.h"
#include "native/paths.h"

extern bool sm_order_on; /* some thread has held two locks at once */

void sm_order_nested(uintptr_t lock, uint32_t how);
void sm_order_keep_before(struct sm_detect_thread *thread);

/* The running thread got the lock (`how`: enum sm_hold). Call it before acquiring the lock's
   clock. */
static inline void sm_order_taken(uintptr_t lock, uint32_t how)
{
    struct sm_detect_thread *thread = sm_current;
    if (!thread)
        return;
    if (SM_UNLIKELY(sm_order_on && thread->ordered))
        sm_order_keep_before(thread);
    if (SM_UNLIKELY(sm_own.history->held.n && !(how & SM_HOLD_TRIED)))
        sm_order_nested(lock, how);
}

#endif
