/*
 * init.c - from the loader to the program, and what happens when all fails.
 */
#include <stdio.h>

#include "base/sys.h"
#include "core/libc/callers.h"
#include "core/libc/real.h"
#include "core/openmp/openmp.h"
#include "native/intercept/thread.h"
#include "native/report.h"
#include "native/shadow.h"
#include "native/window.h"

static _Noreturn void give_up(int status, const char *introduction, const char *format,
                              va_list arguments)
{
    char text[1024];
    sm_vformat(text, sizeof text, format, arguments);
    sm_warn("%s%s", introduction, text);
    for (;;)
        sm_syscall(SYS_exit_group, (long)status);
}

void sm_die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    give_up(SM_EXIT_ERROR, "internal error: ", format, arguments);
}

void sm_refuse(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    give_up(SM_EXIT_REFUSED, "", format, arguments);
}

__attribute__((constructor)) static void start(int argc, char **argv, char **environment)
{
    (void)argc, (void)argv;
    sm_shadow_map();
    sm_window_init();
    sm_reports_init(environment);
    sm_openmp_prepare(environment);
    sm_callers_init();
    sm_threads_init();
}

__attribute__((destructor)) static void finish(void)
{
    int status = sm_reports_finish();
    if (status < 0)
        return;
    fflush(NULL); /* exit() would have done it after the destructors */
    sm_syscall(SYS_exit_group, (long)status);
}
