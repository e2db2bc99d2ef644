/*
 * Mutexes of every type, and the pattern for the other files here: a scheduling point, a loop that
 * waits until the object can be taken, the event. Only the outermost lock and unlock of a
 * recursive mutex are events: the others order nothing.
 */
#include "abi/control.h"
#include "runtime/engine.h"
#include "runtime/intercept/real.h"
#include "runtime/sync/misuse.h"
#include "runtime/sync/object.h"
#include "runtime/sync/operations.h"

/* Bits of __data.__kind that matter here; protocol and sharing have no effect. */
enum { KIND_MASK = 3, ROBUST_BIT = 16, PRIO_INHERIT_BIT = 32 };
/* Results of an attempt besides errno values. */
enum { NESTED = -1, MUST_WAIT = -2 };

/* Newest first, so that the effect of an owner's death does not depend on addresses. */
static struct sm_object *robust_mutexes;

/* An adaptive mutex is a normal one that spins first. */
enum sm_mutex_type sm_mutex_type(const pthread_mutex_t *mutex)
{
    switch (mutex->__data.__kind & KIND_MASK) {
    case PTHREAD_MUTEX_RECURSIVE:
        return SM_MUTEX_RECURSIVE;
    case PTHREAD_MUTEX_ERRORCHECK:
        return SM_MUTEX_ERRORCHECK;
    default:
        return SM_MUTEX_NORMAL;
    }
}

bool sm_mutex_is_robust(const pthread_mutex_t *mutex)
{
    return sm_mutex_kind_is_robust(mutex->__data.__kind);
}

/* A mutex that libc locked before main belongs to the initial thread. */
static void adopt(struct sm_object *object)
{
    const pthread_mutex_t *mutex = object->addr;
    if (mutex->__data.__lock && mutex->__data.__kind >= 0) {
        object->state = SM_OBJECT_HELD;
        object->owner = sm_thread_by_id(0);
        object->mutex.depth = mutex->__data.__count ? mutex->__data.__count : 1;
    }
    if (sm_mutex_is_robust(mutex)) {
        object->older = robust_mutexes;
        if (object->older)
            object->older->newer_to = &object->older;
        object->newer_to = &robust_mutexes;
        robust_mutexes = object;
    }
}

static void release(const struct sm_object *object)
{
    pthread_mutex_t *mutex = (pthread_mutex_t *)object->addr;
    if (object->owner)
        mutex->__data.__nusers = 0; /* libc counts again */
    for (uint32_t i = 0; object->owner && i < object->mutex.depth; i++)
        SM_REAL(pthread_mutex_trylock)(mutex);
}

const struct sm_object_class sm_mutex_class = {adopt, release};

/* One of libc's fields marks the mutex as held. An initialiser at the same address (a reused frame
   that was left with the mutex held) clears it, and makes a new object. */
static void mark_held(const void *addr, bool held)
{
    pthread_mutex_t *mutex = (pthread_mutex_t *)addr;
    mutex->__data.__nusers = held;
}

static struct sm_object *get(const pthread_mutex_t *mutex)
{
    struct sm_object *object = sm_object_get(mutex, SM_OBJECT_MUTEX);
    if (!object->owner || mutex->__data.__nusers)
        return object;
    sm_object_forget(mutex); /* initialised again */
    return sm_object_get(mutex, SM_OBJECT_MUTEX);
}

static int relock(const pthread_mutex_t *mutex, struct sm_object *object, struct sm_limit limit)
{
    enum sm_mutex_type type = sm_mutex_type(mutex);
    switch (sm_mutex_relock(type, &object->mutex.depth)) {
    case SM_STEP_WAITS:
        return MUST_WAIT;
    case SM_STEP_FAILS:
        return sm_mutex_relock_error(type, limit.error == EBUSY);
    default:
        return NESTED;
    }
}

static int attempt(const pthread_mutex_t *mutex, struct sm_limit limit)
{
    if (mutex->__data.__kind < 0)
        return EINVAL; /* destroyed */
    struct sm_object *object = get(mutex);
    if (object->mutex.lost)
        return ENOTRECOVERABLE;
    const struct sm_thread *self = sm_self();
    if (object->owner == self)
        return relock(mutex, object, limit);
    if (sm_object_operate(object, SM_DO_LOCK, 0) == SM_STEP_WAITS)
        return MUST_WAIT;
    object->owner = self;
    mark_held(mutex, true);
    object->mutex.depth = 1;
    return object->mutex.inconsistent ? EOWNERDEAD : 0;
}

static int take(pthread_mutex_t *mutex, struct sm_limit limit, struct sm_event *event)
{
    int result;
    while ((result = attempt(mutex, limit)) == MUST_WAIT) {
        struct sm_wait wait = {.queue = mutex, .what = "mutex", .holder = get(mutex)->owner};
        if (sm_sync_wait(&wait, limit, event) == SM_TIMED_OUT) {
            result = limit.error;
            break;
        }
    }
    if (result == NESTED)
        return 0;
    if (result && result != EOWNERDEAD)
        event->kind = SM_EV_TRYLOCK_FAIL;
    sm_sync(event);
    return result;
}

/* Normal and adaptive mutexes do not check their owner: any thread may unlock them, and unlocking a
   free one succeeds. */
static bool may_unlock(const pthread_mutex_t *mutex)
{
    bool checked = sm_mutex_type(mutex) != SM_MUTEX_NORMAL ||
                   (mutex->__data.__kind & (ROBUST_BIT | PRIO_INHERIT_BIT));
    return !checked || get(mutex)->owner == sm_self();
}

int sm_mutex_give_up(pthread_mutex_t *mutex, void *pc)
{
    if (mutex->__data.__kind < 0)
        return EINVAL;
    if (!may_unlock(mutex))
        return EPERM;
    struct sm_object *object = get(mutex);
    if (object->state == SM_OBJECT_FREE ||
        sm_mutex_unlock_step(sm_mutex_type(mutex), &object->mutex.depth) != SM_STEP_TAKES)
        return 0;
    object->state = SM_OBJECT_FREE;
    object->owner = NULL;
    mark_held(mutex, false);
    object->mutex.lost = object->mutex.inconsistent;
    struct sm_event event = sm_sync_event(SM_EV_UNLOCK, mutex, 0, pc);
    sm_sync(&event);
    if (object->mutex.lost)
        sm_wake_all(mutex);
    else
        sm_wake_one(mutex);
    return 0;
}

static int lock(pthread_mutex_t *mutex, struct sm_limit limit, struct sm_event *event)
{
    sm_point(event);
    return take(mutex, limit, event);
}

static int lock_again(pthread_mutex_t *mutex, struct sm_event *event)
{
    return take(mutex, SM_FOREVER, event);
}

static int unlock(pthread_mutex_t *mutex, struct sm_event *event)
{
    sm_point(event);
    return sm_mutex_give_up(mutex, (void *)event->pc);
}

const struct sm_mutex_operations sm_mutex_sampling = {lock, lock_again, unlock, may_unlock};

/* Checked again afterwards: it may have been destroyed while the thread waited for it. */
int sm_mutex_lock(pthread_mutex_t *mutex, struct sm_limit limit, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_LOCK, mutex, 0, pc);
    sm_check_lock(mutex, !limit.error);
    event.thread->tries = limit.error;
    int error = sm_engine->sync->mutex->lock(mutex, limit, &event);
    event.thread->tries = false;
    if (!error)
        sm_note_locked(sm_mutex_mark(mutex));
    if (sm_mutex_is_destroyed(mutex))
        sm_check_lock(mutex, false);
    return error;
}

int sm_mutex_lock_again(pthread_mutex_t *mutex, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_LOCK, mutex, 0, pc);
    return sm_engine->sync->mutex->lock_again(mutex, &event);
}

int sm_mutex_unlock(pthread_mutex_t *mutex, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_UNLOCK, mutex, 0, pc);
    sm_check_unlock(mutex);
    return sm_engine->sync->mutex->unlock(mutex, &event);
}

bool sm_mutex_may_unlock(const pthread_mutex_t *mutex)
{
    return sm_engine->sync->mutex->may_unlock(mutex);
}

/* ---- atomic sections ---- */

static void begin_section(pthread_mutex_t *section, void *pc)
{
    sm_mutex_lock(section, SM_FOREVER, pc);
    sm_self()->no_switch++;
}

static void end_section(pthread_mutex_t *section, void *pc)
{
    struct sm_thread *self = sm_self();
    sm_mutex_unlock(section, pc);
    if (self->no_switch)
        self->no_switch--;
}

const struct sm_section_operations sm_section_sampling = {begin_section, end_section};

int sm_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes, void *pc)
{
    sm_check_init(mutex);
    int error = SM_REAL(pthread_mutex_init)(mutex, attributes);
    if (!error) {
        sm_sync_renew(mutex, pc);
        sm_mark_set_life(sm_mutex_mark(mutex), SM_LIFE_INITIALISED);
    }
    return error;
}

/* In verify objects have no owner: only the thread's own locks are known. */
static bool is_held(const pthread_mutex_t *mutex)
{
    const struct sm_thread *holder;
    return get(mutex)->owner ||
           (sm_taken_find((uintptr_t)mutex, &holder) && holder == sm_running());
}

int sm_mutex_destroy(pthread_mutex_t *mutex, void *pc)
{
    sm_check_destroy(mutex);
    if (mutex->__data.__kind < 0)
        return EINVAL;
    if (is_held(mutex) && !sm_mutex_is_robust(mutex))
        return EBUSY;
    sm_sync_renew(mutex, pc);
    SM_REAL(pthread_mutex_destroy)(mutex);
    return 0;
}

int sm_mutex_consistent(pthread_mutex_t *mutex)
{
    struct sm_object *object = get(mutex);
    if (!sm_mutex_is_robust(mutex) || !object->mutex.inconsistent || object->owner != sm_self())
        return EINVAL;
    object->mutex.inconsistent = false;
    return 0;
}

void sm_mutex_owner_ends(const struct sm_thread *thread)
{
    for (struct sm_object *object = robust_mutexes; object; object = object->older) {
        if (object->owner != thread)
            continue;
        object->state = SM_OBJECT_FREE;
        object->owner = NULL;
        mark_held(object->addr, false);
        object->mutex.inconsistent = true;
        struct sm_event event = sm_sync_event(SM_EV_UNLOCK, object->addr, 0, NULL);
        sm_sync(&event);
        sm_wake_one(object->addr);
    }
}
