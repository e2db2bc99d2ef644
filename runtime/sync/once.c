/*
 * pthread_once and call_once. Libc's own word says that a routine is done, so that code
 * that runs later without us agrees; the table holds only those under way. The routine
 * may be left by an exception, by pthread_exit or by cancellation: then it counts as not
 * begun, and the next caller runs it. This file is compiled with -fexceptions for that.
 */
#include "../sys.h"
#include "object.h"
#include "sync.h"

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

struct run {
    pthread_once_t *once;
    bool done;
};

static void end_run(struct run *run)
{
    sm_object_forget(run->once);
    if (run->done)
        sm_wake_all(run->once);
    else
        sm_wake_one(run->once);
}

static void run_routine(pthread_once_t *once, void (*routine)(void), void *pc)
{
    __attribute__((cleanup(end_run))) struct run run = {once, false};
    sm_object_get(once, SM_OBJECT_ONCE)->owner = sm_self();
    routine();
    struct sm_event event = sm_sync_event(SM_EV_ONCE_DONE, once, 0, pc);
    sm_sync(&event);
    *once = NATIVE_DONE;
    run.done = true;
}

int sm_once(pthread_once_t *once, void (*routine)(void), void *pc)
{
    struct sm_event event = sm_sync_event(SM_EV_ONCE_PASS, once, 0, pc);
    sm_point(&event);
    while (!(*once & NATIVE_DONE)) {
        const struct sm_thread *runner = sm_object_get(once, SM_OBJECT_ONCE)->owner;
        if (!runner) {
            run_routine(once, routine, pc);
            return 0;
        }
        struct sm_wait wait = {.queue = once, .what = "once routine", .holder = runner};
        sm_sync_wait(&wait, SM_FOREVER, &event);
    }
    sm_sync(&event);
    return 0;
}
