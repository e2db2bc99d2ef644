#include "runtime/sync/misuse.h"

#include "base/module.h"
#include "base/sys.h"
#include "runtime/engine.h"
#include "runtime/harm.h"
#include "runtime/sched/sched.h"
#include "runtime/stack.h"
#include "runtime/sync/object.h"

/* ---- holders ---- */

static const struct sm_taken *taken_by(const struct sm_thread *thread, uintptr_t lock)
{
    for (uint32_t i = thread->n_taken; i > 0; i--)
        if (thread->taken[i - 1].lock == lock)
            return &thread->taken[i - 1];
    return NULL;
}

const struct sm_taken *sm_taken_find(uintptr_t lock, const struct sm_thread **holder)
{
    const struct sm_thread *self = sm_running();
    const struct sm_taken *taken = taken_by(self, lock);
    *holder = self;
    for (struct sm_thread *t = sm_thread_by_id(0); t && !taken; t = t->next) {
        *holder = t;
        taken = taken_by(t, lock);
    }
    return taken;
}

/* Some thread holds more locks than there is room for: then holders are not certain. */
static bool is_unsure(void)
{
    for (const struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        if (t->taken_lost)
            return true;
    return false;
}

static enum sm_holder holder_of(const void *lock)
{
    const struct sm_thread *holder;
    if (!sm_taken_find((uintptr_t)lock, &holder))
        return is_unsure() ? SM_HOLDER_SELF : SM_HOLDER_NOBODY;
    return holder == sm_running() ? SM_HOLDER_SELF : SM_HOLDER_OTHER;
}

/* It was locked, and then its memory was reused for another object: an initialiser erases the
   number that locking assigns (sm_note_locked). */
static bool is_another(const uint64_t *mark)
{
    return mark && !sm_mark_known_number(mark);
}

void sm_note_locked(uint64_t *mark)
{
    if (mark)
        sm_mark_number(mark);
}

static enum sm_holder holder_now(pthread_mutex_t *mutex)
{
    return is_another(sm_mutex_mark(mutex)) ? SM_HOLDER_NOBODY : holder_of(mutex);
}

/* verify may run a thread that uses a block before the one that allocates and initialises it. */
static enum sm_holder holder_before_init(pthread_mutex_t *mutex)
{
    bool known = sm_engine->in_order || taken_by(sm_running(), (uintptr_t)mutex);
    return known ? holder_now(mutex) : SM_HOLDER_NOBODY;
}

/* A mutex that libc locked before control began has an unknown holder. In verify the mark may have
   been cleared meanwhile, see above. */
static enum sm_holder mutex_holder(pthread_mutex_t *mutex)
{
    if (mutex->__data.__lock)
        return SM_HOLDER_SELF;
    return sm_engine->in_order ? holder_now(mutex) : holder_of(mutex);
}

static enum sm_holder rwlock_holder(const pthread_rwlock_t *lock)
{
    bool by_libc = lock->__data.__readers || lock->__data.__cur_writer;
    return by_libc ? SM_HOLDER_SELF : holder_of(lock);
}

/* ---- reports ---- */

static void report(enum sm_misuse misuse, const char *what, const void *object,
                   struct sm_harm_place place)
{
    const struct sm_misuse_rule *rule = &sm_misuse_rules[misuse];
    char name[64], text[SM_HARM_DETAIL];
    place.role = rule->role;
    sm_format(name, sizeof name, "the %s {name 0x%lx}", what, (unsigned long)object);
    sm_format(text, sizeof text, rule->text, name);
    sm_harm(rule->kind, (uintptr_t)object, &place, place.pc || place.site, "%s", text);
}

/* With the place where the lock was taken, if it is held. */
static void misused(enum sm_misuse misuse, const char *what, const void *object)
{
    const struct sm_thread *holder;
    const struct sm_taken *taken = misuse ? sm_taken_find((uintptr_t)object, &holder) : NULL;
    struct sm_harm_place place = {0};
    if (taken)
        place = (struct sm_harm_place){.thread = holder->id,
                                       .pc = taken->pc - 1,
                                       .stack = sm_stack_keep(taken->stack, taken->depth)};
    if (misuse)
        report(misuse, what, object, place);
}

static const struct sm_thread *waiter_of(const void *queue)
{
    const struct sm_thread *self = sm_running();
    for (const struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        if (t != self && t->state == SM_THREAD_BLOCKED && t->queue == queue)
            return t;
    return NULL;
}

/* With the place where a thread waits for it. */
static void misused_by_waiter(enum sm_misuse misuse, const char *what, const void *object,
                              const struct sm_thread *waiter)
{
    struct sm_harm_place place = {.thread = waiter->id};
    if (waiter->pending) {
        place.pc = waiter->pending->pc ? waiter->pending->pc - 1 : 0;
        place.site = waiter->pending->site;
    }
    report(misuse, what, object, place);
}

static void misused_if_destroyed(const uint64_t *mark, bool destroys, const char *what,
                                 const void *object)
{
    if (sm_mark_life(mark) == SM_LIFE_DESTROYED)
        misused(destroys ? SM_MISUSE_DESTROYED_TWICE : SM_MISUSE_DESTROYED, what, object);
}

/* ---- mutexes ---- */

/* Whether another thread holds it does not matter, and would need a look at every thread. */
void sm_check_lock(pthread_mutex_t *mutex, bool for_ever)
{
    bool own = taken_by(sm_running(), (uintptr_t)mutex) && !is_another(sm_mutex_mark(mutex));
    enum sm_holder holder = own ? SM_HOLDER_SELF : SM_HOLDER_NOBODY;
    misused(sm_misuse_of_lock(mutex->__data.__kind, holder, for_ever), "mutex", mutex);
}

void sm_check_unlock(pthread_mutex_t *mutex)
{
    misused(sm_misuse_of_unlock(mutex->__data.__kind, mutex_holder(mutex)), "mutex", mutex);
}

void sm_check_destroy(pthread_mutex_t *mutex)
{
    misused(sm_misuse_of_destroy(mutex->__data.__kind, holder_now(mutex)), "mutex", mutex);
}

/* Only for a variable is it known that its memory has not been reused. */
void sm_check_init(pthread_mutex_t *mutex)
{
    const struct sm_global *global = sm_global_at((uintptr_t)mutex);
    bool again = global && global->size <= SM_INIT_LARGEST && !sm_mutex_is_destroyed(mutex) &&
                 sm_mark_life(sm_mutex_mark(mutex)) == SM_LIFE_INITIALISED;
    misused(sm_misuse_of_init(holder_before_init(mutex), again), "mutex", mutex);
}

/* ---- read-write locks ---- */

void sm_check_rwlock(pthread_rwlock_t *lock, bool writes, bool for_ever)
{
    misused_if_destroyed(sm_rwlock_mark(lock), false, "read-write lock", lock);
    const struct sm_taken *taken = taken_by(sm_running(), (uintptr_t)lock);
    if (taken && taken->shared && writes && for_ever && !is_another(sm_rwlock_mark(lock)))
        misused(SM_MISUSE_UPGRADE, "read-write lock", lock);
}

void sm_check_rwlock_unlock(pthread_rwlock_t *lock)
{
    misused_if_destroyed(sm_rwlock_mark(lock), false, "read-write lock", lock);
    enum sm_holder holder = rwlock_holder(lock);
    if (holder != SM_HOLDER_SELF)
        misused(holder == SM_HOLDER_NOBODY ? SM_MISUSE_UNLOCK_FREE : SM_MISUSE_UNLOCK_OTHERS,
                "read-write lock", lock);
}

void sm_check_rwlock_destroy(pthread_rwlock_t *lock)
{
    const struct sm_thread *holder;
    misused_if_destroyed(sm_rwlock_mark(lock), true, "read-write lock", lock);
    if (sm_taken_find((uintptr_t)lock, &holder) && !is_another(sm_rwlock_mark(lock)))
        misused(SM_MISUSE_DESTROYS_HELD, "read-write lock", lock);
}

/* ---- spin locks ---- */

void sm_check_spin(pthread_spinlock_t *lock, bool for_ever)
{
    if (for_ever && taken_by(sm_running(), (uintptr_t)lock))
        misused(SM_MISUSE_RELOCK, "spin lock", (const void *)lock);
}

/* In libc's bytes a lock that was never locked there is free; otherwise libc locked it. */
void sm_check_spin_unlock(pthread_spinlock_t *lock)
{
    enum sm_holder holder = *lock == SM_SPIN_FREE ? holder_of((const void *)lock) : SM_HOLDER_SELF;
    if (holder != SM_HOLDER_SELF)
        misused(holder == SM_HOLDER_NOBODY ? SM_MISUSE_UNLOCK_FREE : SM_MISUSE_UNLOCK_OTHERS,
                "spin lock", (const void *)lock);
}

void sm_check_spin_destroy(pthread_spinlock_t *lock)
{
    const struct sm_thread *holder;
    if (sm_taken_find((uintptr_t)lock, &holder))
        misused(SM_MISUSE_DESTROYS_HELD, "spin lock", (const void *)lock);
}

/* ---- conditions ---- */

void sm_check_cond(pthread_cond_t *cond)
{
    if (sm_cond_is_destroyed(cond))
        misused(SM_MISUSE_DESTROYED, "condition variable", cond);
}

/* A thread that still waits, with another mutex. One that was woken waits no longer. */
static const struct sm_thread *other_waiter(const pthread_cond_t *cond,
                                            const pthread_mutex_t *mutex)
{
    for (const struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        if (t->state == SM_THREAD_BLOCKED && t->queue == cond && t->wait_mutex &&
            t->wait_mutex != mutex)
            return t;
    return NULL;
}

void sm_misused_by_waiting(uintptr_t cond, const struct sm_thread *other)
{
    misused_by_waiter(SM_MISUSE_WAIT_TWO, "condition variable", (const void *)cond, other);
}

void sm_check_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    sm_check_cond(cond);
    if (sm_misuse_of_wait(mutex->__data.__kind, mutex_holder(mutex)))
        misused(sm_misuse_of_wait(mutex->__data.__kind, mutex_holder(mutex)), "condition variable",
                cond);
    const struct sm_thread *other = other_waiter(cond, mutex);
    if (other)
        sm_misused_by_waiting((uintptr_t)cond, other);
}

void sm_check_cond_destroy(pthread_cond_t *cond)
{
    if (sm_cond_is_destroyed(cond))
        misused(SM_MISUSE_DESTROYED_TWICE, "condition variable", cond);
    const struct sm_thread *waiter = waiter_of(cond);
    if (waiter)
        misused_by_waiter(SM_MISUSE_DESTROYS_AWAITED, "condition variable", cond, waiter);
}

/* ---- barriers ---- */

void sm_check_barrier(pthread_barrier_t *barrier, uint32_t needed)
{
    misused_if_destroyed(sm_barrier_mark(barrier), false, "barrier", barrier);
    if (!needed)
        misused(SM_MISUSE_NEVER_INITIALISED, "barrier", barrier);
}

static void check_nobody_waits(enum sm_misuse misuse, pthread_barrier_t *barrier, uint64_t arrived)
{
    const struct sm_thread *waiter = arrived ? waiter_of(barrier) : NULL;
    if (waiter)
        misused_by_waiter(misuse, "barrier", barrier, waiter);
}

void sm_check_barrier_init(pthread_barrier_t *barrier, uint64_t arrived)
{
    check_nobody_waits(SM_MISUSE_BARRIER_RENEWED, barrier, arrived);
}

void sm_check_barrier_destroy(pthread_barrier_t *barrier, uint64_t arrived)
{
    misused_if_destroyed(sm_barrier_mark(barrier), true, "barrier", barrier);
    check_nobody_waits(SM_MISUSE_BARRIER_DESTROYED, barrier, arrived);
}

/* ---- semaphores ---- */

void sm_check_sem(sem_t *sem)
{
    misused_if_destroyed(sm_sem_mark(sem), false, "semaphore", sem);
}

void sm_check_sem_destroy(sem_t *sem)
{
    misused_if_destroyed(sm_sem_mark(sem), true, "semaphore", sem);
    const struct sm_thread *waiter = waiter_of(sem);
    if (waiter)
        misused_by_waiter(SM_MISUSE_DESTROYS_AWAITED, "semaphore", sem, waiter);
}

/* ---- threads ---- */

static void misused_thread(enum sm_misuse misuse, const struct sm_thread *thread)
{
    struct sm_harm_place place = {.thread = thread->parent, .pc = thread->created_at};
    report(misuse, "thread", thread, place);
}

void sm_check_join(const struct sm_thread *thread)
{
    if (!thread)
        return;
    if (thread->joined)
        misused_thread(SM_MISUSE_JOIN_JOINED, thread);
    if (thread->detached)
        misused_thread(SM_MISUSE_JOIN_DETACHED, thread);
}

void sm_check_detach(const struct sm_thread *thread)
{
    if (thread && (thread->joined || thread->detached))
        misused_thread(SM_MISUSE_DETACH_AGAIN, thread);
}

/* Its memory may have been freed before. In verify objects have no owner, and a variable's memory
   is never freed. */
static bool is_held(uintptr_t lock, const struct sm_thread *thread)
{
    const struct sm_object *object = sm_object_find((const void *)lock);
    return sm_engine->in_order ? object && object->owner == thread : sm_global_at(lock) != NULL;
}

void sm_check_end(void)
{
    const struct sm_thread *self = sm_running();
    for (uint32_t i = 0; i < self->n_taken; i++)
        if (is_held(self->taken[i].lock, self))
            misused(SM_MISUSE_ENDS_HOLDING, "lock", (const void *)self->taken[i].lock);
}
