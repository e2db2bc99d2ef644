/*
 * Read-write locks. In happens-before a lock is two objects: (lock, 0) is released by writers,
 * (lock, 1) by readers (abi/events.def). As in glibc, readers overtake waiting writers unless the
 * lock's kind is PREFER_WRITER_NONRECURSIVE.
 */
#include "abi/control.h"
#include "runtime/engine.h"
#include "runtime/intercept/real.h"
#include "runtime/sync/misuse.h"
#include "runtime/sync/object.h"
#include "runtime/sync/operations.h"

enum { RWLOCK_MUST_WAIT = -1 };

static void adopt(struct sm_object *object)
{
    const pthread_rwlock_t *lock = object->addr;
    object->state = lock->__data.__readers >> SM_RWLOCK_READERS_SHIFT;
    if (lock->__data.__cur_writer) {
        object->state = SM_OBJECT_WRITER;
        object->owner = sm_thread_by_id(0);
    }
}

static void release(const struct sm_object *object)
{
    pthread_rwlock_t *lock = (pthread_rwlock_t *)object->addr;
    if (object->state == SM_OBJECT_WRITER)
        SM_REAL(pthread_rwlock_trywrlock)(lock);
    for (uint64_t i = 0; object->state != SM_OBJECT_WRITER && i < object->state; i++)
        SM_REAL(pthread_rwlock_tryrdlock)(lock);
}

const struct sm_object_class sm_rwlock_class = {adopt, release};

static struct sm_object *get(const pthread_rwlock_t *lock)
{
    return sm_object_get(lock, SM_OBJECT_RWLOCK);
}

bool sm_rwlock_prefers_writers(const pthread_rwlock_t *lock)
{
    return lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

/* The writer that holds the lock requests it again. */
static int relock_error(struct sm_limit limit)
{
    return limit.error == EBUSY ? EBUSY : EDEADLK;
}

static int attempt_read(const pthread_rwlock_t *lock, struct sm_limit limit)
{
    struct sm_object *object = get(lock);
    if (object->owner == sm_self())
        return relock_error(limit);
    uint32_t before_us = sm_rwlock_prefers_writers(lock) ? object->rwlock.writers_waiting : 0;
    switch (sm_object_operate(object, SM_DO_READ_LOCK, before_us)) {
    case SM_STEP_WAITS:
        return RWLOCK_MUST_WAIT;
    case SM_STEP_FAILS:
        return EAGAIN;
    default:
        object->rwlock.reader = sm_self();
        return 0;
    }
}

static int attempt_write(const pthread_rwlock_t *lock, struct sm_limit limit)
{
    struct sm_object *object = get(lock);
    if (object->owner == sm_self())
        return relock_error(limit);
    if (sm_object_operate(object, SM_DO_WRITE_LOCK, 0) == SM_STEP_WAITS)
        return RWLOCK_MUST_WAIT;
    object->owner = sm_self();
    return 0;
}

static bool wait_for(pthread_rwlock_t *lock, struct sm_limit limit, struct sm_event *event)
{
    struct sm_object *object = get(lock);
    struct sm_wait wait = {
        .queue = lock,
        .what = "read-write lock",
        .holder = object->owner ? object->owner : object->rwlock.reader,
    };
    return sm_sync_wait(&wait, limit, event) != SM_TIMED_OUT;
}

/* A waiting writer counts only while it waits: one that timed out does not hold up readers. */
static bool wait_to_write(pthread_rwlock_t *lock, struct sm_limit limit, struct sm_event *event)
{
    get(lock)->rwlock.writers_waiting++;
    bool in_time = wait_for(lock, limit, event);
    if (!--get(lock)->rwlock.writers_waiting && !in_time)
        sm_wake_all(lock);
    return in_time;
}

static int finish(int result, struct sm_event *event)
{
    if (result)
        event->kind = SM_EV_TRYLOCK_FAIL;
    sm_sync(event);
    return result;
}

static int read_lock(pthread_rwlock_t *lock, struct sm_limit limit, struct sm_event *event)
{
    sm_point(event);
    int result;
    while ((result = attempt_read(lock, limit)) == RWLOCK_MUST_WAIT)
        if (!wait_for(lock, limit, event)) {
            result = limit.error;
            break;
        }
    return finish(result, event);
}

static int write_lock(pthread_rwlock_t *lock, struct sm_limit limit, struct sm_event *event)
{
    sm_point(event);
    int result;
    while ((result = attempt_write(lock, limit)) == RWLOCK_MUST_WAIT)
        if (!wait_to_write(lock, limit, event)) {
            result = limit.error;
            break;
        }
    return finish(result, event);
}

static int unlock(pthread_rwlock_t *lock, void *pc)
{
    bool writes = get(lock)->owner == sm_self();
    struct sm_event event =
        sm_sync_event(writes ? SM_EV_WRITE_UNLOCK : SM_EV_READ_UNLOCK, lock, writes ? 0 : 1, pc);
    sm_point(&event);
    struct sm_object *object = get(lock);
    if (!writes && sm_object_operate(object, SM_DO_READ_UNLOCK, 0) == SM_STEP_FAILS)
        return EPERM; /* glibc would continue with a corrupt lock */
    if (writes) {
        object->state = SM_OBJECT_FREE;
        object->owner = NULL;
    }
    sm_sync(&event);
    if (object->state == SM_OBJECT_FREE)
        sm_wake_all(lock);
    return 0;
}

const struct sm_rwlock_operations sm_rwlock_sampling = {read_lock, write_lock, unlock};

int sm_rwlock_read_lock(pthread_rwlock_t *lock, struct sm_limit limit, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_READ_LOCK, lock, 0, pc);
    sm_check_rwlock(lock, false, !limit.error);
    event.thread->tries = limit.error;
    int error = sm_engine->sync->rwlock->read_lock(lock, limit, &event);
    event.thread->tries = false;
    if (!error)
        sm_note_locked(sm_rwlock_mark(lock));
    return error;
}

int sm_rwlock_write_lock(pthread_rwlock_t *lock, struct sm_limit limit, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_WRITE_LOCK, lock, 0, pc);
    sm_check_rwlock(lock, true, !limit.error);
    event.thread->tries = limit.error;
    int error = sm_engine->sync->rwlock->write_lock(lock, limit, &event);
    event.thread->tries = false;
    if (!error)
        sm_note_locked(sm_rwlock_mark(lock));
    return error;
}

int sm_rwlock_unlock(pthread_rwlock_t *lock, void *pc)
{
    sm_check_rwlock_unlock(lock);
    return sm_engine->sync->rwlock->unlock(lock, pc);
}

int sm_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes, void *pc)
{
    sm_sync_renew(lock, pc);
    return SM_REAL(pthread_rwlock_init)(lock, attributes);
}

int sm_rwlock_destroy(pthread_rwlock_t *lock, void *pc)
{
    sm_check_rwlock_destroy(lock);
    sm_sync_renew(lock, pc);
    int error = SM_REAL(pthread_rwlock_destroy)(lock);
    if (!error)
        sm_mark_set_life(sm_rwlock_mark(lock), SM_LIFE_DESTROYED);
    return error;
}
