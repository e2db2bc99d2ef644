/* Creating threads and waiting for their end. */
#define _GNU_SOURCE
#include "abi/control.h"
#include "runtime/engine.h"
#include "runtime/intercept/cancel.h"
#include "runtime/intercept/real.h"
#include "runtime/sched/carrier.h"
#include "runtime/sync/misuse.h"
#include "runtime/sync/sync.h"

/* Of a stack provided by the program only the size is used: stack addresses must not depend on the
   kernel's choice. */
int sm_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *),
              void *arg, void *pc)
{
    int detach_state = PTHREAD_CREATE_JOINABLE;
    size_t stack_size;
    if (attributes) {
        pthread_attr_getdetachstate(attributes, &detach_state);
        pthread_attr_getstacksize(attributes, &stack_size);
    } else {
        stack_size = sm_default_stack_size();
    }
    struct sm_event event = sm_sync_event(SM_EV_SPAWN, NULL, sm_thread_count(), pc);
    sm_point(&event);
    bool detached = detach_state == PTHREAD_CREATE_DETACHED;
    struct sm_thread *thread = sm_spawn(start, arg, stack_size, detached, (uintptr_t)pc);
    if (!thread)
        return EAGAIN;
    *handle = thread->handle;
    return 0;
}

static bool has_ended(const struct sm_thread *thread)
{
    return thread->state == SM_THREAD_ENDED || thread->exited;
}

static bool created_early;

void sm_created_early(void)
{
    created_early = true;
}

/* For a handle that no thread of the execution has. */
static int unknown(void)
{
    if (created_early)
        sm_refuse("the program joins or detaches a thread that a constructor created, and that "
                  "executions, which begin after the constructors, do not have; create it in main, "
                  "or where it is first used");
    return ESRCH;
}

static int refuse(const struct sm_thread *thread, struct sm_limit limit)
{
    if (!thread)
        return unknown();
    if (thread->joined)
        return ESRCH;
    if (thread->detached)
        return EINVAL;
    if (limit.error == EBUSY && !has_ended(thread))
        return EBUSY;        /* tryjoin checks no further */
    if (thread == sm_self()) /* glibc detects no longer cycle */
        return EDEADLK;
    if (thread->joiner)
        return EINVAL;
    return 0;
}

/* The joiner is set only while it waits: if it is cancelled the thread stays joinable. */
static enum sm_wake_reason wait_for_end(struct sm_thread *thread, struct sm_limit limit,
                                        struct sm_event *event)
{
    struct sm_wait wait = {
        .queue = thread,
        .what = "thread to end",
        .deadline = limit.deadline,
        .interruptible = true,
        .holder = thread,
    };
    thread->joiner = sm_self();
    enum sm_wake_reason reason = sm_block(&wait, event);
    thread->joiner = NULL;
    if (reason == SM_SIGNALLED)
        sm_test_cancel();
    return reason;
}

int sm_join(pthread_t handle, void **result, struct sm_limit limit, void *pc)
{
    sm_test_cancel();
    struct sm_thread *thread = sm_thread_by_handle(handle);
    struct sm_event event = sm_sync_event(SM_EV_JOIN, NULL, thread ? thread->id : 0, pc);
    sm_point(&event);
    if (limit.error)
        sm_engine_require(SM_FEATURE_TIMED_JOIN);
    sm_check_join(thread);
    int error = refuse(thread, limit);
    if (error)
        return error;
    while (!has_ended(thread)) {
        if (sm_limit_reached(limit))
            return limit.error;
        if (wait_for_end(thread, limit, &event) == SM_TIMED_OUT && !has_ended(thread))
            return limit.error;
    }
    thread->joined = true;
    thread->joined_by = sm_self()->id;
    if (result)
        *result = thread->result;
    if (result && thread->result)
        sm_engine_identified(thread->id);
    sm_sync(&event);
    return 0;
}

int sm_detach(pthread_t handle)
{
    struct sm_thread *thread = sm_thread_by_handle(handle);
    sm_check_detach(thread);
    if (!thread)
        return unknown();
    if (thread->joined)
        return ESRCH;
    if (thread->detached)
        return EINVAL;
    if (!thread->joiner) /* glibc: else the joining thread has it */
        thread->detached = true;
    return 0;
}
