#include "native/misuse.h"

#include <errno.h>
#include <string.h>

#include "base/module.h"
#include "base/sys.h"
#include "core/results.h"
#include "native/blocks.h"
#include "native/finding.h"
#include "native/modules.h"
#include "native/report.h"
#include "native/sync.h"

/* ---- reports ---- */

static struct sm_detected_harm harm; /* under the lock of reports */

static void name_object(const char *what, uintptr_t object, char *to, size_t size)
{
    const struct sm_global *global = sm_global_at(object);
    if (global)
        sm_format(to, size, "the %s '%s'", what, global->name);
    else
        sm_format(to, size, "the %s at 0x%lx", what, (unsigned long)object);
}

void sm_side_of_trail(struct sm_side *side, const struct sm_trail *trail)
{
    side->site = trail->n ? trail->frames[0] : NULL;
    side->trail.n = trail->n ? trail->n - 1 : 0;
    for (uint32_t i = 0; i < side->trail.n; i++)
        side->trail.frames[i] = trail->frames[i + 1];
}

void sm_side_of_thread(struct sm_side *side, const struct sm_detect_thread *thread)
{
    struct sm_trail trail;
    sm_history_trail(thread->history, thread->history->n, &trail);
    *side = (struct sm_side){.thread = thread, .locks = thread->history->held};
    sm_side_of_trail(side, &trail);
}

/* Adds the holder of the lock, if any, and where it acquired the lock. */
static void add_holder(uintptr_t object, enum sm_role role)
{
    struct sm_lock lock;
    const struct sm_detect_thread *holder = sm_thread_holding(object, &lock);
    if (!holder)
        return;
    harm.sides[harm.n++] =
        (struct sm_harm_side){.side = {.thread = holder, .site = lock.taken}, .role = role};
}

/* Misuse by a child process before it executes another program is not reported. */
static bool is_our_process(void)
{
    static long process;
    long now = sm_syscall(SYS_getpid);
    if (!process)
        process = now;
    return process == now;
}

__attribute__((constructor)) static void remember_process(void)
{
    is_our_process();
}

static void report(enum sm_misuse misuse, const char *what, uintptr_t object,
                   const struct sm_detect_thread *of_thread)
{
    const struct sm_misuse_rule *rule = &sm_misuse_rules[misuse];
    char name[256];
    struct sm_detect_thread *thread = misuse && is_our_process() ? sm_sync_enter() : NULL;
    if (!thread)
        return;
    sm_reports_lock();
    harm = (struct sm_detected_harm){.kind = rule->kind, .n = 1};
    sm_side_of_thread(&harm.sides[0].side, thread);
    name_object(what, object, name, sizeof name);
    sm_format(harm.detail, sizeof harm.detail, rule->text, name);
    thread->misused = harm.sides[0].side.site;
    if (rule->role == SM_ROLE_LOCKED)
        add_holder(object, rule->role);
    if (of_thread) {
        harm.sides[1] = (struct sm_harm_side){.side = {.thread = thread}, .role = rule->role};
        sm_side_of_trail(&harm.sides[1].side, &of_thread->created);
        harm.n = 2;
    }
    sm_harm_found(&harm);
    sm_reports_unlock();
    sm_sync_leave(thread);
}

static void misused(enum sm_misuse misuse, const char *what, const volatile void *object)
{
    if (misuse)
        report(misuse, what, (uintptr_t)object, NULL);
}

static bool misused_if_destroyed(const uint64_t *mark, bool destroys, const char *what,
                                 const void *object)
{
    if (SM_LIKELY(sm_mark_life(mark) != SM_LIFE_DESTROYED))
        return false;
    misused(destroys ? SM_MISUSE_DESTROYED_TWICE : SM_MISUSE_DESTROYED, what, object);
    return true;
}

/* ---- mutexes ---- */

static enum sm_holder holder_of(const pthread_mutex_t *mutex)
{
    int32_t owner = mutex->__data.__owner;
    if (sm_current && owner && (owner == sm_current->kernel_id || owner == sm_current->forked_id))
        return SM_HOLDER_SELF;
    return mutex->__data.__lock ? SM_HOLDER_OTHER : SM_HOLDER_NOBODY;
}

void sm_check_lock_slowly(pthread_mutex_t *mutex, bool for_ever)
{
    misused(sm_misuse_of_lock(mutex->__data.__kind, holder_of(mutex), for_ever), "mutex", mutex);
}

void sm_check_unlock_slowly(pthread_mutex_t *mutex)
{
    misused(sm_misuse_of_unlock(mutex->__data.__kind, holder_of(mutex)), "mutex", mutex);
}

bool sm_unlock_is_refused_slowly(const pthread_mutex_t *mutex)
{
    return sm_mutex_is_checked(mutex->__data.__kind) && holder_of(mutex) != SM_HOLDER_SELF;
}

void sm_check_destroy(pthread_mutex_t *mutex)
{
    misused(sm_misuse_of_destroy(mutex->__data.__kind, holder_of(mutex)), "mutex", mutex);
}

/* Only for a global variable is it known that its memory has not been reused since. */
void sm_check_init(pthread_mutex_t *mutex)
{
    if (sm_mutex_is_destroyed(mutex) || sm_mark_life(sm_mutex_mark(mutex)) != SM_LIFE_INITIALISED)
        return;
    const struct sm_global *global = sm_global_at((uintptr_t)mutex);
    misused(sm_misuse_of_init(holder_of(mutex), global && global->size <= SM_INIT_LARGEST), "mutex",
            mutex);
}

/* ---- read-write locks ---- */

/* The running thread's entry for a lock it holds; NULL: it does not, as far as is known. */
static const struct sm_lock *own_lock(uintptr_t lock)
{
    const struct sm_locks *held = &sm_own.history->held;
    for (uint32_t i = 0; i < held->n && i < SM_LOCKS_MAX; i++)
        if (held->held[i].addr == lock)
            return &held->held[i];
    return NULL;
}

/* The thread is registered, and its list of locks is complete. */
static bool knows_locks(void)
{
    return sm_current && !sm_current->busy && !sm_own.history->held.lost;
}

void sm_check_rwlock(pthread_rwlock_t *lock, bool writes, bool for_ever)
{
    misused_if_destroyed(sm_rwlock_mark(lock), false, "read-write lock", lock);
    const struct sm_lock *own = writes && for_ever ? own_lock((uintptr_t)lock) : NULL;
    if (own && (own->how & SM_HOLD_SHARED) && lock->__data.__readers >> SM_RWLOCK_READERS_SHIFT)
        misused(SM_MISUSE_UPGRADE, "read-write lock", lock);
}

static bool is_free(const pthread_rwlock_t *lock)
{
    return !(lock->__data.__readers >> SM_RWLOCK_READERS_SHIFT) && !lock->__data.__cur_writer;
}

void sm_check_rwlock_unlock(pthread_rwlock_t *lock)
{
    if (misused_if_destroyed(sm_rwlock_mark(lock), false, "read-write lock", lock))
        return;
    if (SM_LIKELY(own_lock((uintptr_t)lock)) || !knows_locks() || lock->__data.__shared)
        return;
    misused(is_free(lock) ? SM_MISUSE_UNLOCK_FREE : SM_MISUSE_UNLOCK_OTHERS, "read-write lock",
            lock);
}

void sm_check_rwlock_destroy(pthread_rwlock_t *lock)
{
    if (misused_if_destroyed(sm_rwlock_mark(lock), true, "read-write lock", lock))
        return;
    if (!is_free(lock))
        misused(SM_MISUSE_DESTROYS_HELD, "read-write lock", lock);
}

/* ---- spin locks ---- */

void sm_check_spin(pthread_spinlock_t *lock)
{
    if (SM_UNLIKELY(*lock != SM_SPIN_FREE) && own_lock((uintptr_t)lock))
        misused(SM_MISUSE_RELOCK, "spin lock", lock);
}

void sm_check_spin_unlock(pthread_spinlock_t *lock)
{
    if (SM_LIKELY(own_lock((uintptr_t)lock)) || !knows_locks())
        return;
    misused(*lock == SM_SPIN_FREE ? SM_MISUSE_UNLOCK_FREE : SM_MISUSE_UNLOCK_OTHERS, "spin lock",
            lock);
}

void sm_check_spin_destroy(pthread_spinlock_t *lock)
{
    if (*lock != SM_SPIN_FREE && own_lock((uintptr_t)lock))
        misused(SM_MISUSE_DESTROYS_HELD, "spin lock", lock);
}

/* ---- conditions ----
 * Condition variables with waiters, and the mutex they wait with. After a signal it is unknown who
 * still waits, until no waiter is left. Waits with a time limit do not count: they may be over. */

#define WAIT_BUCKETS 256
struct waited {
    const pthread_cond_t *cond;
    const pthread_mutex_t *mutex;
    uint32_t waiters;
    bool signalled;
    struct waited *next;
};
static struct waited *buckets[WAIT_BUCKETS];
static uint32_t lock_of_waits;

static struct waited **find_waited(const pthread_cond_t *cond)
{
    struct waited **at = &buckets[((uintptr_t)cond >> 3) * 0x9e3779b97f4a7c15u >> 56];
    while (*at && (*at)->cond != cond)
        at = &(*at)->next;
    return at;
}
_Static_assert(WAIT_BUCKETS == 1 << (64 - 56), "eight bits of the product");

/* True: another thread waits, with a different mutex. */
static bool begin_wait(const pthread_cond_t *cond, const pthread_mutex_t *mutex, bool for_ever)
{
    sm_lock_word(&lock_of_waits, SM_LOCK_WAITS);
    struct waited **at = find_waited(cond);
    bool other = *at && (*at)->mutex != mutex && !(*at)->signalled;
    if (!*at && for_ever) {
        *at = sm_alloc(sizeof **at);
        **at = (struct waited){.cond = cond, .mutex = mutex};
    }
    if (for_ever)
        (*at)->waiters++;
    sm_unlock_word(&lock_of_waits, SM_LOCK_WAITS);
    return other;
}

void sm_wait_is_over(pthread_cond_t *cond)
{
    sm_lock_word(&lock_of_waits, SM_LOCK_WAITS);
    struct waited **at = find_waited(cond), *entry = *at;
    if (entry && !--entry->waiters) {
        *at = entry->next;
        sm_free(entry, sizeof *entry);
    }
    sm_unlock_word(&lock_of_waits, SM_LOCK_WAITS);
}

void sm_wait_is_signalled(pthread_cond_t *cond)
{
    sm_lock_word(&lock_of_waits, SM_LOCK_WAITS);
    struct waited *entry = *find_waited(cond);
    if (entry)
        entry->signalled = true;
    sm_unlock_word(&lock_of_waits, SM_LOCK_WAITS);
}

static bool is_waited_for(const pthread_cond_t *cond)
{
    sm_lock_word(&lock_of_waits, SM_LOCK_WAITS);
    const struct waited *entry = *find_waited(cond);
    bool waits = entry && !entry->signalled;
    sm_unlock_word(&lock_of_waits, SM_LOCK_WAITS);
    return waits;
}

void sm_check_cond(pthread_cond_t *cond)
{
    if (SM_UNLIKELY(sm_cond_is_destroyed(cond)))
        misused(SM_MISUSE_DESTROYED, "condition variable", cond);
}

void sm_check_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, bool for_ever)
{
    sm_check_cond(cond);
    misused(sm_misuse_of_wait(mutex->__data.__kind, holder_of(mutex)), "condition variable", cond);
    if (begin_wait(cond, mutex, for_ever))
        misused(SM_MISUSE_WAIT_TWO, "condition variable", cond);
}

void sm_check_cond_destroy(pthread_cond_t *cond)
{
    if (sm_cond_is_destroyed(cond))
        misused(SM_MISUSE_DESTROYED_TWICE, "condition variable", cond);
    else if (is_waited_for(cond))
        misused(SM_MISUSE_DESTROYS_AWAITED, "condition variable", cond);
}

/* ---- barriers ---- */

void sm_check_barrier(pthread_barrier_t *barrier, uint32_t needed)
{
    if (!misused_if_destroyed(sm_barrier_mark(barrier), false, "barrier", barrier) && !needed)
        misused(SM_MISUSE_NEVER_INITIALISED, "barrier", barrier);
}

void sm_check_barrier_init(pthread_barrier_t *barrier, uint64_t arrived)
{
    if (arrived)
        misused(SM_MISUSE_BARRIER_RENEWED, "barrier", barrier);
}

void sm_check_barrier_destroy(pthread_barrier_t *barrier, uint64_t arrived)
{
    if (!misused_if_destroyed(sm_barrier_mark(barrier), true, "barrier", barrier) && arrived)
        misused(SM_MISUSE_BARRIER_DESTROYED, "barrier", barrier);
}

/* ---- semaphores ---- */

void sm_check_sem(sem_t *sem)
{
    misused_if_destroyed(sm_sem_mark(sem), false, "semaphore", sem);
}

/* glibc: the low half is the value, the high half the number of waiters. At least one of them still
   waits. */
void sm_check_sem_destroy(sem_t *sem)
{
    uint64_t both = __atomic_load_n((uint64_t *)sem, __ATOMIC_RELAXED);
    if (!misused_if_destroyed(sm_sem_mark(sem), true, "semaphore", sem) &&
        (uint32_t)both < both >> 32)
        misused(SM_MISUSE_DESTROYS_AWAITED, "semaphore", sem);
}

/* ---- threads ---- */

/* The lock's memory may have been unmapped. */
static bool is_held_mutex(const struct sm_lock *lock, const struct sm_detect_thread *thread)
{
    pthread_mutex_t mutex;
    return (lock->how & SM_HOLD_KIND) == SM_HOLD_MUTEX &&
           sm_memory_copy(&mutex, lock->addr, sizeof mutex) &&
           mutex.__data.__owner == thread->kernel_id &&
           !sm_mutex_kind_is_robust(mutex.__data.__kind);
}

void sm_check_end(const struct sm_detect_thread *thread)
{
    const struct sm_locks held = thread->history->held;
    for (uint32_t i = 0; i < held.n; i++)
        if (is_held_mutex(&held.held[i], thread))
            misused(SM_MISUSE_ENDS_HOLDING, "mutex", (const void *)held.held[i].addr);
}

void sm_check_handle(enum sm_misuse misuse, const struct sm_detect_thread *thread)
{
    if (misuse)
        report(misuse, "thread", 0, thread);
}

/* ---- results that the program ignores ---- */

/* The call was already reported as misuse. */
static bool is_misused(const struct sm_detect_thread *thread, const struct sm_site *site)
{
    const struct sm_site *misused = thread->misused;
    return misused && site && misused->line == site->line && misused->column == site->column &&
           strcmp(SM_SITE_TEXT(misused, file), SM_SITE_TEXT(site, file)) == 0;
}

static void describe_unchecked(enum sm_result_of call, int64_t result, int number, uintptr_t object)
{
    const struct sm_global *global = object ? sm_global_at(object) : NULL;
    char name[256] = "";
    if (global)
        sm_format(name, sizeof name, "'%s'", global->name);
    sm_result_describe(call, result, number, name, harm.detail, sizeof harm.detail);
}

SM_EXPORT void sm_unchecked(void *object, uint64_t result, uint64_t call);
SM_EXPORT void sm_unchecked(void *object, uint64_t result, uint64_t call)
{
    int number = errno;
    struct sm_detect_thread *thread = is_our_process() ? sm_sync_enter() : NULL;
    if (!thread)
        return;
    sm_reports_lock();
    harm = (struct sm_detected_harm){.kind = SM_FAILURE_UNCHECKED, .n = 1};
    sm_side_of_thread(&harm.sides[0].side, thread);
    describe_unchecked((enum sm_result_of)call, (int64_t)result, number, (uintptr_t)object);
    if (*harm.detail && !is_misused(thread, harm.sides[0].side.site))
        sm_harm_found(&harm);
    sm_reports_unlock();
    sm_sync_leave(thread);
    errno = number;
}
