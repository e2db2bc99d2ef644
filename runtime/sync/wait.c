/* Common to all kinds of objects: see sync.h. */
#include "runtime/intercept/cancel.h"
#include "runtime/sync/object.h"
#include "runtime/sync/sync.h"

struct sm_limit sm_until(clockid_t clock, const struct timespec *when)
{
    if (when->tv_nsec < 0 || when->tv_nsec >= SM_SECOND)
        return (struct sm_limit){0, EINVAL};
    return (struct sm_limit){sm_deadline(clock, when), ETIMEDOUT};
}

enum sm_wake_reason sm_sync_wait(const struct sm_wait *wait, struct sm_limit limit,
                                 struct sm_event *event)
{
    if (sm_limit_reached(limit))
        return SM_TIMED_OUT;
    struct sm_wait timed = *wait;
    timed.deadline = limit.deadline;
    timed.interruptible = sm_self()->cancel_async;
    sm_time_may_pass(limit.deadline);
    enum sm_wake_reason reason = sm_block(&timed, event);
    sm_test_cancel_async();
    return reason;
}

void sm_sync_renew(const void *object, void *pc)
{
    sm_object_forget(object);
    struct sm_event event = sm_sync_event(SM_EV_INIT, object, 0, pc);
    sm_sync(&event);
}
