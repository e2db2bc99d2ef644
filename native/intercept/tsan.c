/*
 * tsan.c - the part of ThreadSanitizer's interface that only the native flavour supports: fibers,
 * and the destination of reports.
 *
 * To the detector a fiber is a thread. A switch to a fiber synchronises with it, unless the flags
 * say otherwise; destroying a fiber is like joining it.
 */
#include <stdint.h>

#include "core/libc/real.h"
#include "native/report.h"
#include "native/sync.h"

#pragma clang diagnostic ignored "-Wmissing-prototypes"

enum { SWITCH_NO_SYNC = 1 };

SM_EXPORT void *__tsan_get_current_fiber(void)
{
    return sm_current;
}

SM_EXPORT void *__tsan_create_fiber(SM_UNUSED unsigned flags)
{
    struct sm_detect_thread *self = sm_sync_enter(), *fiber;
    if (!self)
        return NULL;
    fiber = sm_thread_new(self);
    sm_history_trail(self->history, self->history->n, &fiber->created);
    sm_epoch_advance(self);
    sm_sync_leave(self);
    return fiber;
}

static void run(struct sm_detect_thread *fiber)
{
    if (fiber->history == &sm_history_of_nobody)
        sm_thread_enter(fiber);
    else
        sm_thread_resume(fiber);
}

SM_EXPORT void __tsan_switch_to_fiber(void *fiber, unsigned flags)
{
    if (!fiber || !sm_current)
        return;
    if (!(flags & SWITCH_NO_SYNC))
        sm_release(fiber, SM_KEY_NOTE);
    run(fiber);
    if (!(flags & SWITCH_NO_SYNC))
        sm_acquire(fiber, SM_KEY_NOTE);
}

SM_EXPORT void __tsan_destroy_fiber(void *fiber)
{
    struct sm_detect_thread *self = fiber ? sm_sync_enter() : NULL;
    if (!self)
        return;
    sm_thread_end(fiber);
    sm_thread_joined(self, fiber);
    sm_sync_leave(self);
}

SM_EXPORT void __tsan_set_fiber_name(SM_UNUSED void *fiber, SM_UNUSED const char *name) {}

SM_EXPORT void __sanitizer_set_report_path(const char *path)
{
    sm_reports_to(2, path);
}

SM_EXPORT void __sanitizer_set_report_fd(void *fd)
{
    sm_reports_to((int)(intptr_t)fd, NULL);
}

SM_EXPORT const char *__sanitizer_get_report_path(void)
{
    return sm_reports_path();
}
