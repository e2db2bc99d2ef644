/* Semaphores, unnamed and named. */
#include "runtime/engine.h"
#include "runtime/intercept/real.h"
#include "runtime/intercept/signals.h"
#include "runtime/sync/misuse.h"
#include "runtime/sync/object.h"
#include "runtime/sync/operations.h"

int sm_sem_native_value(sem_t *sem)
{
    int value = 0;
    SM_REAL(sem_getvalue)(sem, &value);
    return value;
}

static void adopt(struct sm_object *object)
{
    object->state = (uint64_t)sm_sem_native_value((sem_t *)object->addr);
}

static void release(const struct sm_object *object)
{
    sem_t *sem = (sem_t *)object->addr;
    int64_t ours = (int64_t)object->state;
    for (int64_t value = sm_sem_native_value(sem); value < ours; value++)
        SM_REAL(sem_post)(sem);
    for (int64_t value = sm_sem_native_value(sem); value > ours; value--)
        SM_REAL(sem_trywait)(sem);
}

const struct sm_object_class sm_sem_class = {adopt, release};

static struct sm_object *get(const sem_t *sem)
{
    return sm_object_get(sem, SM_OBJECT_SEM);
}

void sm_sem_write_back(sem_t *sem)
{
    release(get(sem));
}

/* Waits for a post; 0: there may have been one. */
static int wait_for_post(sem_t *sem, struct sm_limit limit, struct sm_event *event)
{
    if (sm_limit_reached(limit))
        return limit.error;
    struct sm_wait wait = {
        .queue = sem,
        .what = "semaphore",
        .deadline = limit.deadline,
        .interruptible = true,
    };
    switch (sm_block(&wait, event)) {
    case SM_TIMED_OUT:
        return limit.error;
    case SM_SIGNALLED:
        return sm_signals_interrupted(sm_self()) ? EINTR : 0;
    default:
        return 0;
    }
}

static int fail(int error, struct sm_event *event)
{
    event->kind = SM_EV_TRYLOCK_FAIL;
    sm_sync(event);
    return error;
}

static int wait(sem_t *sem, struct sm_limit limit, struct sm_event *event)
{
    sm_point(event);
    while (sm_object_operate(get(sem), SM_DO_SEM_WAIT, 0) == SM_STEP_WAITS) {
        int error = wait_for_post(sem, limit, event);
        if (error)
            return fail(error, event);
    }
    sm_sync(event);
    return 0;
}

static int post(sem_t *sem, struct sm_event *event)
{
    sm_point(event);
    if (sm_object_operate(get(sem), SM_DO_SEM_POST, 0) == SM_STEP_FAILS)
        return EOVERFLOW;
    sm_sync(event);
    sm_wake_one(sem);
    return 0;
}

static int value(sem_t *sem, struct sm_event *event)
{
    sm_point(event);
    return (int)get(sem)->state;
}

static void renew(sem_t *sem, struct sm_event *event)
{
    (void)sem;
    (void)event;
}

const struct sm_sem_operations sm_sem_sampling = {wait, post, value, renew};

void sm_sem_renew(sem_t *sem, void *pc)
{
    sm_sync_renew(sem, pc);
    sm_mark_set_life(sm_sem_mark(sem), SM_LIFE_INITIALISED);
    struct sm_event event = sm_sync_event(SM_EV_INIT, sem, 0, pc);
    sm_engine->sync->sem->renew(sem, &event);
}

int sm_sem_wait(sem_t *sem, struct sm_limit limit, void *pc)
{
    sm_signals_begin_call(sm_self());
    struct sm_event event = sm_sync_event(SM_EV_SEM_WAIT, sem, 0, pc);
    sm_check_sem(sem);
    return sm_engine->sync->sem->wait(sem, limit, &event);
}

int sm_sem_post(sem_t *sem, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_SEM_POST, sem, 0, pc);
    sm_check_sem(sem);
    return sm_engine->sync->sem->post(sem, &event);
}

int sm_sem_getvalue(sem_t *sem, int *value)
{
    struct sm_event event = sm_sync_event(SM_EV_TRYLOCK_FAIL, sem, 0, NULL);
    *value = sm_engine->sync->sem->value(sem, &event);
    return 0;
}

int sm_sem_destroy(sem_t *sem, void *pc)
{
    sm_check_sem_destroy(sem);
    sm_sync_renew(sem, pc);
    int result = SM_REAL(sem_destroy)(sem);
    if (!result)
        sm_mark_set_life(sm_sem_mark(sem), SM_LIFE_DESTROYED);
    return result;
}
