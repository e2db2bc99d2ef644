/*
 * sync.c - see sync.h.
 */
#include "sync.h"

#include "paths.h"
#include "record.h"

struct sm_detect_thread *sm_sync_enter(void)
{
    struct sm_detect_thread *thread = sm_current;
    if (!thread || thread->busy)
        return NULL;
    thread->busy = true;
    return thread;
}

void sm_sync_leave(struct sm_detect_thread *thread)
{
    thread->busy = false;
}

void sm_acquire(const void *object, uint32_t key)
{
    struct sm_detect_thread *thread = sm_sync_enter();
    uintptr_t addr = (uintptr_t)object;
    if (!thread)
        return;
    sm_granule_lock(addr);
    sm_clock_join(&thread->seen, sm_record_clock(sm_record_get(addr), key));
    sm_granule_unlock(addr);
    sm_sync_leave(thread);
}

static void release(const void *object, uint32_t key, void (*give)(struct sm_clock *to,
                                                                   const struct sm_clock *from))
{
    struct sm_detect_thread *thread = sm_sync_enter();
    uintptr_t addr = (uintptr_t)object;
    if (!thread)
        return;
    sm_takeovers_verify(thread);
    sm_granule_lock(addr);
    give(sm_record_clock(sm_record_get(addr), key), &thread->seen);
    sm_granule_unlock(addr);
    sm_epoch_advance(thread);
    sm_sync_leave(thread);
}

void sm_release(const void *object, uint32_t key)
{
    release(object, key, sm_clock_join);
}

void sm_release_store(const void *object, uint32_t key)
{
    release(object, key, sm_clock_copy);
}

void sm_forget(const void *object)
{
    struct sm_detect_thread *thread = sm_sync_enter();
    if (!thread)
        return;
    sm_record_drop((uintptr_t)object);
    sm_sync_leave(thread);
}

void sm_lock_taken(const void *lock)
{
    sm_history_add(sm_own.history, SM_HISTORY_LOCK, (uintptr_t)lock, NULL);
}

void sm_lock_given_up(const void *lock)
{
    sm_history_add(sm_own.history, SM_HISTORY_UNLOCK, (uintptr_t)lock, NULL);
}
