/*
 * order.h - lock-order inversions of the native runtime.
 *
 * core/lock_order.h has the graph. A thread that takes a lock while it holds others looks into a
 * cache of its own first; what is there was added before, and it has ordered nothing since. So a
 * program that takes its locks one at a time pays a comparison, and one that nests them a look at
 * the cache.
 *
 * What is ordered, whatever order the locks came in, is what a thread had seen when it last took
 * something from another that is no lock (`before`): from its creation, a join, an atomic, a
 * semaphore. That is more than must be so, for what it had seen then may have come by locks: an
 * inversion may be missed for it, and none is made up.
 */
#ifndef SM_NATIVE_ORDER_H
#define SM_NATIVE_ORDER_H

#include "base/sys.h"
#include "native/epoch.h"
#include "native/paths.h"

extern bool sm_order_on; /* some thread has held two locks */

void sm_order_nested(uintptr_t lock, uint32_t how);
void sm_order_keep_before(struct sm_detect_thread *thread);

/* The running thread has got the lock (enum sm_hold): before it acquires what others released. */
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
