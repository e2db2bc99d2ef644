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

static void release(const void *object, uint32_t key,
                    void (*give)(struct sm_clock *to, const struct sm_clock *from))
{
    struct sm_detect_thread *thread = sm_sync_enter();
    uintptr_t addr = (uintptr_t)object;
    if (!thread)
        return;
    sm_granule_lock(addr);
    sm_takeovers_verify(thread);
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

/* ---- locks that one thread holds: its clock needs no other ---- */

/* NULL if the lock has no clock yet. Without the granule's lock: once a clock is on the list
   of its record it stays until the lock is destroyed. */
static struct sm_clock *held_clock(uintptr_t addr)
{
    if (sm_cell_load(sm_cell_low(addr)).write != SM_CELL_LIST)
        return NULL;
    struct sm_sync_clock *clock = sm_record_at(addr)->clocks;
    while (clock && clock->key != SM_KEY_MAIN)
        clock = clock->next;
    return clock ? &clock->clock : NULL;
}

void sm_acquire_held(const void *lock)
{
    struct sm_clock *clock = held_clock((uintptr_t)lock);
    struct sm_detect_thread *thread = clock ? sm_sync_enter() : NULL;
    if (!thread) {
        sm_acquire(lock, SM_KEY_MAIN);
        return;
    }
    sm_clock_join(&thread->seen, clock);
    sm_sync_leave(thread);
}

void sm_release_held(const void *lock)
{
    struct sm_clock *clock = held_clock((uintptr_t)lock);
    struct sm_detect_thread *thread = clock ? sm_sync_enter() : NULL;
    if (!thread) {
        sm_release_store(lock, SM_KEY_MAIN);
        return;
    }
    sm_takeovers_verify_fenced(thread);
    sm_clock_copy(clock, &thread->seen);
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

void sm_lock_taken(const void *lock)
{
    sm_history_add(sm_own.history, SM_HISTORY_LOCK, (uintptr_t)lock, NULL);
}

void sm_lock_given_up(const void *lock)
{
    sm_history_add(sm_own.history, SM_HISTORY_UNLOCK, (uintptr_t)lock, NULL);
}
