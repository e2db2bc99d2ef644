/* Spin locks. A thread that would spin in libc blocks here: nothing is lost, since only the holder
   can end it, and a deadlock is detected at once. */
#include "runtime/engine.h"
#include "runtime/intercept/real.h"
#include "runtime/sync/misuse.h"
#include "runtime/sync/object.h"
#include "runtime/sync/operations.h"

static void adopt(struct sm_object *object)
{
    if (*(const pthread_spinlock_t *)object->addr != SM_SPIN_FREE) {
        object->state = SM_OBJECT_HELD;
        object->owner = sm_thread_by_id(0);
    }
}

static void release(const struct sm_object *object)
{
    if (object->state == SM_OBJECT_HELD)
        SM_REAL(pthread_spin_trylock)((pthread_spinlock_t *)object->addr);
}

const struct sm_object_class sm_spin_class = {adopt, release};

static struct sm_object *get(const pthread_spinlock_t *lock)
{
    return sm_object_get((const void *)lock, SM_OBJECT_SPIN);
}

static int fail(int error, struct sm_event *event)
{
    event->kind = SM_EV_TRYLOCK_FAIL;
    sm_sync(event);
    return error;
}

static int lock_it(pthread_spinlock_t *lock, struct sm_limit limit, struct sm_event *event)
{
    sm_point(event);
    while (sm_object_operate(get(lock), SM_DO_SPIN, 0) == SM_STEP_WAITS) {
        struct sm_wait wait = {
            .queue = (const void *)lock,
            .what = "spin lock",
            .holder = get(lock)->owner,
        };
        if (sm_sync_wait(&wait, limit, event) == SM_TIMED_OUT)
            return fail(limit.error, event);
    }
    get(lock)->owner = sm_self();
    sm_sync(event);
    return 0;
}

static void unlock(pthread_spinlock_t *lock, struct sm_event *event)
{
    sm_point(event);
    struct sm_object *object = get(lock);
    object->state = SM_OBJECT_FREE;
    object->owner = NULL;
    sm_sync(event);
    sm_wake_one((const void *)lock);
}

const struct sm_spin_operations sm_spin_sampling = {lock_it, unlock};

int sm_spin_lock(pthread_spinlock_t *lock, struct sm_limit limit, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_LOCK, (const void *)lock, 0, pc);
    sm_check_spin(lock, !limit.error);
    event.thread->tries = limit.error;
    int error = sm_engine->sync->spin->lock(lock, limit, &event);
    event.thread->tries = false;
    return error;
}

int sm_spin_unlock(pthread_spinlock_t *lock, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_UNLOCK, (const void *)lock, 0, pc);
    sm_check_spin_unlock(lock);
    sm_engine->sync->spin->unlock(lock, &event);
    return 0;
}

int sm_spin_destroy(pthread_spinlock_t *lock, void *pc)
{
    sm_check_spin_destroy(lock);
    sm_sync_renew((const void *)lock, pc);
    return SM_REAL(pthread_spin_destroy)(lock);
}
