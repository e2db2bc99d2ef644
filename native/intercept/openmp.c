/*
 * openmp.c - OpenMP's happens-before (core/openmp/openmp.h) in the detector's clocks.
 */
#include "core/openmp/openmp.h"

#include "abi/site.h"
#include "base/sys.h"
#include "native/paths.h"
#include "native/shadow.h"
#include "native/sync.h"

/* The hook: in atomic.c. */
void sm_fence(const struct sm_site *site);

bool sm_openmp_start(void)
{
    return true;
}

static uint32_t key_of(uint32_t key)
{
    return SM_KEY_OPENMP + key;
}

void sm_openmp_release(const void *object, uint32_t key, const void *pc)
{
    (void)pc;
    sm_release(object, key_of(key));
}

void sm_openmp_acquire(const void *object, uint32_t key, const void *pc)
{
    (void)pc;
    sm_acquire(object, key_of(key));
}

void sm_openmp_forget(const void *object)
{
    sm_forget(object);
}

void *sm_openmp_alloc(size_t size)
{
    return sm_alloc(size);
}

void sm_openmp_free(void *object, size_t size)
{
    sm_free(object, size);
}

void sm_openmp_locked(const void *lock, const void *pc)
{
    (void)pc;
    sm_lock_taken(lock, SM_HOLD_OTHER);
    sm_acquire(lock, SM_KEY_OPENMP);
}

void sm_openmp_unlocked(const void *lock, const void *pc)
{
    (void)pc;
    sm_lock_given_up(lock);
    sm_release(lock, SM_KEY_OPENMP);
}

void sm_openmp_await(const void *const *owner, const void *pc)
{
    (void)owner, (void)pc;
    sm_syscall(SYS_sched_yield);
}

void sm_openmp_unowned(const void *const *owner)
{
    (void)owner;
}

bool sm_openmp_is_scheduled(void)
{
    return false;
}

void sm_openmp_point(const void *pc)
{
    (void)pc;
}

void sm_openmp_progress(void) {}

void sm_openmp_fence(const void *pc)
{
    (void)pc;
    static const struct sm_site flush = {.order = SM_ORDER_SEQ_CST};
    sm_fence(&flush);
}

void sm_openmp_new_memory(void *addr, size_t size, const void *pc)
{
    (void)pc;
    sm_shadow_clear((uintptr_t)addr, size);
    sm_ranges_forget();
}

/* The call into libomp that the thread is in: the last event of the history, unless libomp has
   freed memory since, as it does when it starts. */
const void *sm_openmp_region(const void *pc)
{
    const struct sm_site *call = pc ? sm_history_call(sm_own.history) : NULL;
    struct sm_trail trail = {.n = 0};
    if (pc && !call)
        sm_history_trail(sm_own.history, sm_own.history->n, &trail);
    return trail.n ? trail.frames[0] : call;
}

/* Begins a new epoch, so that for each access it is known whether it was made inside the region. */
void sm_openmp_member(const void *region, uint32_t number, uint32_t size)
{
    struct sm_detect_thread *thread = sm_sync_enter();
    if (!thread)
        return;
    sm_epoch_advance(thread);
    thread->teams[thread->n_teams % SM_MEMBERSHIPS] =
        (struct sm_membership){sm_clock_get(&thread->seen, thread->slot), number, size, region};
    __atomic_store_n(&thread->n_teams, thread->n_teams + 1, __ATOMIC_RELEASE); /* complete */
    sm_sync_leave(thread);
}
