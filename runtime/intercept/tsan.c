/*
 * tsan.c - parts of ThreadSanitizer's interface without meaning under control: the driver reports,
 * and a fiber belongs to its thread.
 */
#include <stddef.h>

#include "core/libc/real.h"

#pragma clang diagnostic ignored "-Wmissing-prototypes"

static char only_fiber;

SM_EXPORT void *__tsan_get_current_fiber(void)
{
    return &only_fiber;
}

SM_EXPORT void *__tsan_create_fiber(SM_UNUSED unsigned flags)
{
    return &only_fiber;
}

SM_EXPORT void __tsan_init(void) {}
SM_EXPORT void __tsan_switch_to_fiber(SM_UNUSED void *fiber, SM_UNUSED unsigned flags) {}
SM_EXPORT void __tsan_destroy_fiber(SM_UNUSED void *fiber) {}
SM_EXPORT void __tsan_set_fiber_name(SM_UNUSED void *fiber, SM_UNUSED const char *name) {}
SM_EXPORT void __sanitizer_set_report_path(SM_UNUSED const char *path) {}
SM_EXPORT void __sanitizer_set_report_fd(SM_UNUSED void *fd) {}

SM_EXPORT const char *__sanitizer_get_report_path(void)
{
    return "";
}
