/*
 * pthread_once, call_once, and the static locals of C++. Libc's own word records that a routine is
 * done, so that code that runs later without us agrees; the table holds only those in progress.
 * The routine may be left by an exception, by pthread_exit or by cancellation: then it counts as
 * not begun, and the next caller runs it. This file is compiled with -fexceptions for that.
 *
 * A run, complete or not, happens before the next run and before every return that finds it
 * complete: a run begins with ONCE_PASS and ends with ONCE_DONE.
 */
#include "abi/site.h"
#include "base/sys.h"
#include "runtime/engine.h"
#include "runtime/step.h"
#include "runtime/sync/object.h"
#include "runtime/sync/operations.h"

static void adopt(struct sm_object *object)
{
    (void)object;
}

static void release(const struct sm_object *object)
{
    (void)object;
}

const struct sm_object_class sm_once_class = {adopt, release};

static void mark(int kind, const void *once, void *pc)
{
    struct sm_event event = sm_sync_event(kind, once, 0, pc);
    sm_sync(&event);
}

/* For a routine that is not done: the caller runs it, or waits for the thread that does. */
static bool begin_or_wait(const void *once, struct sm_event *event)
{
    struct sm_object *object = sm_object_get(once, SM_OBJECT_ONCE);
    if (sm_object_operate(object, SM_DO_ONCE, 0) == SM_STEP_TAKES) {
        object->owner = sm_self();
        mark(SM_EV_ONCE_PASS, once, (void *)event->pc);
        return true;
    }
    struct sm_wait wait = {.queue = once, .what = "once routine", .holder = object->owner};
    sm_sync_wait(&wait, SM_FOREVER, event);
    return false;
}

static void end(const void *once, bool done)
{
    sm_object_forget(once);
    if (done)
        sm_wake_all(once);
    else
        sm_wake_one(once);
}

/* ---- pthread_once ---- */

static bool once_begin(pthread_once_t *once, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_ONCE_PASS, once, 0, pc);
    sm_point(&event);
    while (sm_once_native_state(once) != SM_ONCE_DONE)
        if (begin_or_wait(once, &event))
            return true;
    sm_sync(&event);
    return false;
}

static void once_end(pthread_once_t *once, bool done, void *pc)
{
    mark(SM_EV_ONCE_DONE, once, pc);
    if (done)
        *once = SM_ONCE_NATIVE_DONE;
    end(once, done);
}

struct run {
    pthread_once_t *once;
    void *pc;
    bool done;
};

static void end_run(struct run *run)
{
    sm_engine->sync->once->end(run->once, run->done, run->pc);
}

int sm_once(pthread_once_t *once, void (*routine)(void), void *pc)
{
    if (!sm_engine->sync->once->begin(once, pc))
        return 0;
    __attribute__((cleanup(end_run))) struct run run = {once, pc, false};
    routine();
    run.done = true;
    return 0;
}

/* ---- static locals ---- */

/* Compiled code reads the first byte of a guard by its own acquire load: it must see a release
   store, not a byte that changed unnoticed. */
static uint64_t access_guard(int kind, uint64_t *guard, uint8_t order, void *pc)
{
    struct sm_event event = sm_sync_event(kind, guard, 0, pc);
    event.size = 1;
    event.order = order;
    event.value = 1; /* if it is a store */
    sm_step(&event);
    return event.value;
}

void sm_guard_set(uint64_t *guard, void *pc)
{
    access_guard(SM_EV_ATOMIC_STORE, guard, SM_ORDER_RELEASE, pc);
}

static bool guard_begin(uint64_t *guard, void *pc)
{
    while (!access_guard(SM_EV_ATOMIC_LOAD, guard, SM_ORDER_ACQUIRE, pc)) {
        struct sm_event event = sm_sync_event(SM_EV_ONCE_PASS, guard, 0, pc);
        if (begin_or_wait(guard, &event))
            return true;
    }
    return false;
}

static void guard_end(uint64_t *guard, bool done, void *pc)
{
    mark(SM_EV_ONCE_DONE, guard, pc);
    if (done)
        sm_guard_set(guard, pc);
    end(guard, done);
}

const struct sm_once_operations sm_once_sampling = {once_begin, once_end, guard_begin, guard_end};

bool sm_guard_acquire(uint64_t *guard, void *pc)
{
    return sm_engine->sync->once->guard_begin(guard, pc);
}

void sm_guard_release(uint64_t *guard, void *pc)
{
    sm_engine->sync->once->guard_end(guard, true, pc);
}

void sm_guard_abort(uint64_t *guard, void *pc)
{
    sm_engine->sync->once->guard_end(guard, false, pc);
}
