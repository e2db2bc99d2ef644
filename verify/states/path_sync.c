/* path_sync.c - synchronisation objects of the state engine: each operation is one step of the
   machine (sm_paths_operate). */
#include "runtime/control.h"
#include "runtime/sched/sched.h"
#include "verify/explore.h"
#include "verify/run/share.h"
#include "verify/states/paths.h"

static enum sm_step operate(struct sm_event *event, const struct sm_explored_op *op)
{
    return (enum sm_step)sm_paths_operate(event, op);
}

static uint64_t operate_as(struct sm_event *event, enum sm_object_op op, uint64_t arg)
{
    return sm_paths_operate(event, &(struct sm_explored_op){.op = op, .arg = arg});
}

static void release(struct sm_event *event, uint64_t state)
{
    sm_point(event);
    sm_paths_release(event, state, false);
}

static void renew(struct sm_event *event, uint64_t state)
{
    sm_paths_release(event, state, true);
}

static uint32_t sem_value(struct sm_event *event, uint64_t initial)
{
    return (uint32_t)sm_paths_operate(
        event, &(struct sm_explored_op){.op = SM_DO_SEM_VALUE, .initial = initial});
}

static void cond_enter(struct sm_event *event)
{
    operate_as(event, SM_DO_COND_ENTER, event->thread->id);
}

static void cond_leave(struct sm_event *event)
{
    operate_as(event, SM_DO_COND_LEAVE, event->thread->id);
}

static bool cond_leave_timed(struct sm_event *event)
{
    return operate_as(event, SM_DO_COND_LEAVE_TIMED, event->thread->id);
}

static void cond_signal(struct sm_event *event)
{
    operate_as(event, SM_DO_COND_SIGNAL, 0);
}

static void cond_broadcast(struct sm_event *event)
{
    operate_as(event, SM_DO_COND_BROADCAST, 0);
    sm_wake_all((void *)event->addr);
}

static bool cond_drain(struct sm_event *event)
{
    (void)event;
    return false;
}

static enum sm_step rwlock_lock(struct sm_event *event, bool writes, bool try)
{
    struct sm_explored_op op = {.op = writes ? SM_DO_WRITE_LOCK : SM_DO_READ_LOCK, .try = try};
    return operate(event, &op);
}

static void rwlock_unlock(struct sm_event *event, bool writes)
{
    if (writes)
        release(event, SM_OBJECT_FREE);
    else
        operate_as(event, SM_DO_READ_UNLOCK, 0);
}

static bool barrier_arrive(struct sm_event *event, uint32_t needed, bool looks)
{
    (void)looks;
    operate_as(event, SM_DO_BARRIER_ARRIVE, sm_barrier_argument(event->thread->id, needed));
    return true;
}

static bool barrier_depart(struct sm_event *event)
{
    return operate_as(event, SM_DO_BARRIER_DEPART, event->thread->id);
}

/* The order of renewal and arrivals is not explored. */
static void barrier_renew(struct sm_event *event)
{
    if (sm_share_threads() && !sm_share_is_alone(event->thread->id))
        sm_control->explored.cut |= SM_CUT_BIT(RENEWED);
}

const struct sm_object_operations sm_objects_states = {
    .operate = operate,
    .release = release,
    .renew = renew,
    .sem_value = sem_value,
    .cond_enter = cond_enter,
    .cond_leave = cond_leave,
    .cond_leave_timed = cond_leave_timed,
    .cond_signal = cond_signal,
    .cond_broadcast = cond_broadcast,
    .cond_drain = cond_drain,
    .rwlock_lock = rwlock_lock,
    .rwlock_unlock = rwlock_unlock,
    .barrier_arrive = barrier_arrive,
    .barrier_depart = barrier_depart,
    .barrier_renew = barrier_renew,
};
