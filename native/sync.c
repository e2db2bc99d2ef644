/*
 * sync.c - see sync.h.
 */
#include "native/sync.h"

#include "native/paths.h"
#include "native/record.h"

/* Objects that share a granule (two spin locks may) have separate clocks. */
static uint32_t key_at(uintptr_t addr, uint32_t key)
{
    return key + ((uint32_t)(addr % 8) << 16);
}

/* Annotations count even where other synchronisation is ignored. */
static struct sm_detect_thread *enter(uint32_t key)
{
    struct sm_detect_thread *thread = sm_sync_enter();
    if (!thread || SM_LIKELY(!thread->sync_ignored) || key == SM_KEY_NOTE)
        return thread;
    sm_sync_leave(thread);
    return NULL;
}

void sm_acquire_lock(const void *lock, uint32_t key)
{
    struct sm_detect_thread *thread = enter(key);
    if (!thread)
        return;
    struct sm_granule_record *record = sm_record_lock((uintptr_t)lock, true);
    sm_clock_take(&thread->seen, sm_record_clock(record, key_at((uintptr_t)lock, key)));
    sm_record_unlock(record);
    sm_sync_leave(thread);
}

void sm_acquire(const void *object, uint32_t key)
{
    sm_acquire_lock(object, key);
    if (sm_current)
        sm_current->ordered = true;
    if (sm_own.exact < SM_EXACT_TOGETHER) /* others may have waited for the same event */
        sm_own.exact = SM_EXACT_TOGETHER;
}

static void release(const void *object, uint32_t key,
                    void (*give)(struct sm_sync_clock *, const struct sm_clock *, uint32_t))
{
    struct sm_detect_thread *thread = enter(key);
    if (!thread)
        return;
    sm_thread_take_cancel(thread);
    struct sm_granule_record *record = sm_record_lock((uintptr_t)object, true);
    give(sm_record_clock(record, key_at((uintptr_t)object, key)), &thread->seen, sm_own.epoch);
    sm_record_unlock(record);
    sm_epoch_advance(thread);
    sm_sync_leave(thread);
}

void sm_release_lock(const void *lock, uint32_t key)
{
    release(lock, key, sm_clock_add);
}

void sm_release(const void *object, uint32_t key)
{
    release(object, key, sm_clock_add);
    if (sm_current)
        sm_current->given++;
}

void sm_release_store(const void *object, uint32_t key)
{
    release(object, key, sm_clock_replace);
}

/* ---- locks held by one thread: the lock itself protects its clock ---- */

/* NULL if the lock has no clock yet. Without the record's lock: once a clock is in the list of its
   record, it stays until the lock is destroyed. */
static struct sm_sync_clock *held_clock(uintptr_t addr)
{
    struct sm_granule_record *record = sm_record_find(addr);
    struct sm_sync_clock *clock = record ? &record->first : NULL;
    uint32_t key = key_at(addr, SM_KEY_MAIN);
    while (clock && __atomic_load_n(&clock->key, __ATOMIC_ACQUIRE) != key)
        clock = clock->next;
    return clock;
}

void sm_acquire_held(const void *lock)
{
    struct sm_sync_clock *clock = held_clock((uintptr_t)lock);
    struct sm_detect_thread *thread = clock ? enter(SM_KEY_MAIN) : NULL;
    if (!thread) {
        sm_acquire_lock(lock, SM_KEY_MAIN);
        return;
    }
    sm_clock_take(&thread->seen, clock);
    sm_sync_leave(thread);
}

void sm_release_held(const void *lock)
{
    struct sm_sync_clock *clock = held_clock((uintptr_t)lock);
    struct sm_detect_thread *thread = clock ? enter(SM_KEY_MAIN) : NULL;
    if (!thread) {
        sm_release_store(lock, SM_KEY_MAIN);
        return;
    }
    sm_thread_take_cancel(thread);
    sm_clock_replace(clock, &thread->seen, sm_own.epoch);
    sm_epoch_advance(thread);
    sm_sync_leave(thread);
}

void sm_forget(const void *object)
{
    struct sm_detect_thread *thread = sm_sync_enter();
    if (!thread)
        return;
    sm_record_drop((uintptr_t)object);
    sm_sync_leave(thread);
}

void sm_forget_part(const void *object)
{
    struct sm_detect_thread *thread = sm_sync_enter();
    if (!thread)
        return;
    struct sm_granule_record *record = sm_record_lock((uintptr_t)object, true);
    sm_clock_empty(sm_record_clock(record, key_at((uintptr_t)object, SM_KEY_MAIN)));
    sm_record_unlock(record);
    sm_sync_leave(thread);
}

void sm_lock_taken(const void *lock, uint32_t how)
{
    sm_history_lock(sm_own.history, (uintptr_t)lock, how);
}

void sm_lock_given_up(const void *lock)
{
    sm_history_unlock(sm_own.history, (uintptr_t)lock);
}
