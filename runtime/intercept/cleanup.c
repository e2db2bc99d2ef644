/* The end of a thread: see cancel.h. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <unwind.h>

#include "runtime/assume.h"
#include "runtime/control.h"
#include "runtime/intercept/cancel.h"
#include "runtime/intercept/real.h"
#include "runtime/sched/carrier.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/misuse.h"
#include "runtime/sync/sync.h"

/* ---- unwinding the stack ---- */

/* The buffer of pthread_cleanup_push holds its frame's registers; we use the part that belongs to
   the library: the next buffer outwards, the cancellation type. */
enum { PAD_OUTER, PAD_TYPE };

static void not_rethrown(_Unwind_Reason_Code reason, struct _Unwind_Exception *exception)
{
    (void)reason;
    (void)exception;
    sm_end(SM_END_SIGNAL, SIGABRT,
           "FATAL: exception not rethrown: a catch (...) kept pthread_exit or a cancellation "
           "from unwinding; add 'throw;' to it");
}

static _Noreturn void run_handler(__pthread_unwind_buf_t *buffer)
{
    longjmp((struct __jmp_buf_tag *)(void *)buffer->__cancel_jmp_buf, 1);
}

/* Called by the unwinder before each frame. A C cleanup handler runs when all frames inside its own
   are done; the buffer lies in that frame, so a frame that begins above it is further out. The last
   frame is that of the caller of the start routine. */
static _Unwind_Reason_Code stop(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                struct _Unwind_Exception *exception,
                                struct _Unwind_Context *context, void *arg)
{
    (void)version;
    (void)class;
    (void)exception;
    struct sm_thread *self = arg;
    bool last = (actions & _UA_END_OF_STACK) ||
                _Unwind_GetRegionStart(context) == (uintptr_t)sm_thread_body;
    if (self->cleanups && (last || _Unwind_GetCFA(context) > (uintptr_t)self->cleanups))
        run_handler(self->cleanups);
    if (last)
        sm_thread_finish(self->exit_result);
    return _URC_NO_REASON;
}

static _Noreturn void unwind(struct sm_thread *self)
{
    if (!self->unwinding)
        self->unwinding = sm_alloc(sizeof(struct _Unwind_Exception));
    struct _Unwind_Exception *exception = self->unwinding;
    *exception = (struct _Unwind_Exception){.exception_cleanup = not_rethrown};
    _Unwind_Reason_Code reason = _Unwind_ForcedUnwind(exception, stop, self);
    sm_die("the stack of thread %u cannot be unwound (reason %d)", self->id, (int)reason);
}

_Noreturn void sm_thread_exit(void *result)
{
    struct sm_thread *self = sm_self();
    self->cancel_pending = false;
    self->cancel_disabled = true;
    self->exit_result = result;
    unwind(self);
}

SM_EXPORT void __pthread_register_cancel(__pthread_unwind_buf_t *buffer)
{
    SM_PASS(__pthread_register_cancel, buffer);
    struct sm_thread *self = sm_self();
    buffer->__pad[PAD_OUTER] = self->cleanups;
    self->cleanups = buffer;
}

SM_EXPORT void __pthread_unregister_cancel(__pthread_unwind_buf_t *buffer)
{
    SM_PASS(__pthread_unregister_cancel, buffer);
    sm_self()->cleanups = buffer->__pad[PAD_OUTER];
}

SM_EXPORT void __pthread_register_cancel_defer(__pthread_unwind_buf_t *buffer)
{
    SM_PASS(__pthread_register_cancel_defer, buffer);
    __pthread_register_cancel(buffer);
    buffer->__pad[PAD_TYPE] = (void *)(uintptr_t)sm_self()->cancel_async;
    sm_self()->cancel_async = false;
}

SM_EXPORT void __pthread_unregister_cancel_restore(__pthread_unwind_buf_t *buffer)
{
    SM_PASS(__pthread_unregister_cancel_restore, buffer);
    __pthread_unregister_cancel(buffer);
    sm_self()->cancel_async = buffer->__pad[PAD_TYPE] != NULL;
    sm_test_cancel_async();
}

/* A handler of pthread_cleanup_push has run: continues with the outer frames. */
SM_EXPORT void __pthread_unwind_next(__pthread_unwind_buf_t *buffer)
{
    if (!sm_self())
        SM_REAL(__pthread_unwind_next)(buffer);
    sm_self()->cleanups = buffer->__pad[PAD_OUTER];
    unwind(sm_self());
}

/* ---- thread_local objects of C++ ---- */

/* Never freed: libc's list points to it too, until the kernel thread ends. */
struct destructor {
    void (*function)(void *); /* NULL when it has run */
    void *object;
    struct destructor *older;
};

int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *dso);

static void run_destructor(void *arg)
{
    struct destructor *destructor = arg;
    void (*function)(void *) = destructor->function;
    destructor->function = NULL;
    if (function)
        function(destructor->object);
}

/* Registered with libc as well, which runs those of a thread that calls exit() or returns from
   main: exit() calls them before anything the runtime could register there. */
SM_EXPORT int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *dso)
{
    SM_PASS(__cxa_thread_atexit_impl, function, object, dso);
    struct sm_thread *self = sm_self();
    struct destructor *destructor = sm_alloc(sizeof(*destructor));
    *destructor = (struct destructor){function, object, self->destructors};
    self->destructors = destructor;
    return SM_REAL(__cxa_thread_atexit_impl)(run_destructor, destructor, dso);
}

static void run_destructors(struct sm_thread *self)
{
    while (self->destructors) {
        struct destructor *newest = self->destructors;
        self->destructors = newest->older;
        run_destructor(newest);
    }
}

/* ---- the end ---- */

static bool others_live(const struct sm_thread *self)
{
    for (const struct sm_thread *thread = sm_thread_by_id(0); thread; thread = thread->next)
        if (thread != self && thread->state != SM_THREAD_ENDED && !thread->exited)
            return true;
    return false;
}

/* The initial thread has no frame to return to: it waits for ever, and the last of the others ends
   the process. */
static _Noreturn void end_initial(struct sm_thread *self, void *result)
{
    struct sm_event event = sm_sync_event(SM_EV_END, NULL, 0, NULL);
    sm_sync(&event);
    self->result = result;
    self->exited = true;
    sm_wake_all(self);
    struct sm_wait wait = {
        .queue = &self->exited,
        .what = "thread to end, after pthread_exit in main",
        .deadline = SM_NO_DEADLINE,
    };
    for (;;)
        sm_block(&wait, NULL);
}

/* A thread checks whether it is the last one in the same step in which it ends: if others ran in
   between, each of the last two threads would think that the other is still alive. */
_Noreturn void sm_thread_finish(void *result)
{
    struct sm_thread *self = sm_self();
    struct sm_event end = sm_sync_event(SM_EV_END, NULL, 0, NULL);
    self->cancel_disabled = true;
    sm_assume_thread_ends();
    run_destructors(self);
    sm_keys_destroy(self);
    sm_mutex_owner_ends(self);
    sm_check_end();
    if (self->id != 0)
        sm_point(&end);
    bool initial_ended = self->id == 0 || sm_thread_by_id(0)->exited;
    if (initial_ended && !others_live(self)) {
        self->exited = true;
        exit(0);
    }
    if (self->id == 0)
        end_initial(self, result);
    sm_thread_end(result);
}

/* ---- cancellation ---- */

static bool cancelled(const struct sm_thread *self)
{
    return self && self->cancel_pending && !self->cancel_disabled;
}

/* The object through which pthread_cancel orders what the thread does when it acts on it. */
static uint64_t request_to(const struct sm_thread *thread)
{
    return NSIG + thread->id;
}

static _Noreturn void act_on_cancel(void)
{
    struct sm_event event = sm_sync_event(SM_EV_HAPPENS_AFTER, NULL, request_to(sm_self()), NULL);
    sm_sync(&event);
    sm_thread_exit(PTHREAD_CANCELED);
}

void sm_test_cancel(void)
{
    if (SM_UNLIKELY(cancelled(sm_self())))
        act_on_cancel();
}

void sm_test_cancel_async(void)
{
    if (SM_UNLIKELY(cancelled(sm_self()) && sm_self()->cancel_async))
        act_on_cancel();
}

SM_EXPORT void pthread_testcancel(void)
{
    SM_PASS(pthread_testcancel);
    sm_test_cancel();
}

SM_EXPORT int pthread_setcancelstate(int state, int *old)
{
    SM_PASS(pthread_setcancelstate, state, old);
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    struct sm_thread *self = sm_self();
    if (old)
        *old = self->cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
    self->cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
    sm_test_cancel_async();
    return 0;
}

SM_EXPORT int pthread_setcanceltype(int type, int *old)
{
    SM_PASS(pthread_setcanceltype, type, old);
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
        return EINVAL;
    struct sm_thread *self = sm_self();
    if (old)
        *old = self->cancel_async ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
    self->cancel_async = type == PTHREAD_CANCEL_ASYNCHRONOUS;
    sm_test_cancel_async();
    return 0;
}

SM_EXPORT int pthread_cancel(pthread_t handle)
{
    SM_PASS(pthread_cancel, handle);
    struct sm_thread *target = sm_thread_by_handle(handle);
    if (!target)
        return ESRCH;
    struct sm_event event = sm_sync_event(SM_EV_KILL, NULL, request_to(target), SM_CALLER());
    sm_point(&event);
    sm_sync(&event);
    if (target->state == SM_THREAD_ENDED || target->exited)
        return 0;
    target->cancel_pending = true;
    if (target == sm_self())
        sm_test_cancel_async();
    else if (target->interruptible && !target->cancel_disabled)
        sm_wake_thread(target, SM_SIGNALLED);
    return 0;
}

SM_EXPORT void pthread_exit(void *result)
{
    if (!sm_self())
        SM_REAL(pthread_exit)(result);
    sm_thread_exit(result);
}
