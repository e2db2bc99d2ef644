/*
 * pthread_once, call_once, and the static locals of C++. Libc's own word says that a routine
 * is done, so that code that runs later without us agrees; the table holds only those under
 * way. The routine may be left by an exception, by pthread_exit or by cancellation: then it
 * counts as not begun, and the next caller runs it. This file is compiled with -fexceptions
 * for that.
 *
 * What a run has done, complete or not, happens before the next run and before every return
 * that finds it complete: a run begins with ONCE_PASS and ends with ONCE_DONE.
 */
#include "abi/site.h"
#include "base/sys.h"
#include "runtime/step.h"
#include "runtime/sync/object.h"
#include "runtime/sync/sync.h"
#include "verify/explore.h"

enum { NATIVE_DONE = 2 }; /* glibc: __PTHREAD_ONCE_DONE */

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

static void begin(const void *once, void *pc)
{
    sm_object_get(once, SM_OBJECT_ONCE)->owner = sm_self();
    mark(SM_EV_ONCE_PASS, once, pc);
}

static void end(const void *once, bool done)
{
    sm_object_forget(once);
    if (done)
        sm_wake_all(once);
    else
        sm_wake_one(once);
}

/* Until nobody runs it. */
static void wait_for_runner(const void *once, struct sm_event *event)
{
    const struct sm_thread *runner = sm_object_get(once, SM_OBJECT_ONCE)->owner;
    struct sm_wait wait = {.queue = once, .what = "once routine", .holder = runner};
    sm_sync_wait(&wait, SM_FOREVER, event);
}

static bool is_running(const void *once)
{
    return sm_object_get(once, SM_OBJECT_ONCE)->owner;
}

/* The graph says who runs it. True: the caller does. */
static bool explored_begin(struct sm_event *event, uint64_t state)
{
    struct sm_explored_op op = {.op = SM_DO_ONCE, .initial = state};
    bool runs = sm_explore_operate(event, &op) == SM_STEP_TAKES;
    sm_sync(event);
    return runs;
}

static void explored_end(const void *once, bool done, void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_ONCE_DONE, once, 0, pc);
    sm_explore_release(&event, done ? NATIVE_DONE : 0);
    sm_sync(&event);
}

/* ---- pthread_once ---- */

struct run {
    pthread_once_t *once;
    void *pc;
    bool done;
};

static void end_run(struct run *run)
{
    if (sm_exploring) {
        explored_end(run->once, run->done, run->pc);
        return;
    }
    mark(SM_EV_ONCE_DONE, run->once, run->pc);
    if (run->done)
        *run->once = NATIVE_DONE;
    end(run->once, run->done);
}

static void run_explored(pthread_once_t *once, void (*routine)(void), void *pc)
{
    __attribute__((cleanup(end_run))) struct run run = {once, pc, false};
    routine();
    run.done = true;
}

static void run_routine(pthread_once_t *once, void (*routine)(void), void *pc)
{
    __attribute__((cleanup(end_run))) struct run run = {once, pc, false};
    begin(once, pc);
    routine();
    run.done = true;
}

int sm_once(pthread_once_t *once, void (*routine)(void), void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_ONCE_PASS, once, 0, pc);
    if (sm_exploring) {
        if (explored_begin(&event, *once & NATIVE_DONE))
            run_explored(once, routine, pc);
        return 0;
    }
    sm_point(&event);
    while (!(*once & NATIVE_DONE)) {
        if (!is_running(once)) {
            run_routine(once, routine, pc);
            return 0;
        }
        wait_for_runner(once, &event);
    }
    sm_sync(&event);
    return 0;
}

/* ---- static locals ---- */

/* The first byte of a guard is what compiled code looks at, by an acquire load of its own:
   it must see a release store, not a byte that changed behind its back. */
static uint64_t access_guard(int kind, uint64_t *guard, uint8_t order, void *pc)
{
    struct sm_event event = sm_sync_event(kind, guard, 0, pc);
    event.size = 1;
    event.order = order;
    event.value = 1; /* if it is a store */
    sm_step(&event);
    return event.value;
}

bool sm_guard_acquire(uint64_t *guard, void *pc)
{
    if (sm_exploring) {
        struct sm_event event = sm_sync_event(SM_EV_ONCE_PASS, guard, 0, pc);
        return explored_begin(&event, *guard & 1 ? NATIVE_DONE : 0);
    }
    while (!access_guard(SM_EV_ATOMIC_LOAD, guard, SM_ORDER_ACQUIRE, pc)) {
        if (!is_running(guard)) {
            begin(guard, pc);
            return true;
        }
        struct sm_event event = sm_sync_event(SM_EV_ONCE_PASS, guard, 0, pc);
        wait_for_runner(guard, &event);
    }
    return false;
}

void sm_guard_release(uint64_t *guard, void *pc)
{
    if (sm_exploring) {
        access_guard(SM_EV_ATOMIC_STORE, guard, SM_ORDER_RELEASE, pc);
        explored_end(guard, true, pc);
        return;
    }
    mark(SM_EV_ONCE_DONE, guard, pc);
    access_guard(SM_EV_ATOMIC_STORE, guard, SM_ORDER_RELEASE, pc);
    end(guard, true);
}

void sm_guard_abort(uint64_t *guard, void *pc)
{
    if (sm_exploring) {
        explored_end(guard, false, pc);
        return;
    }
    mark(SM_EV_ONCE_DONE, guard, pc);
    end(guard, false);
}
