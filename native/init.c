/*
 * init.c - start, exit, and fatal errors.
 */
#include <stdio.h>
#include <sys/resource.h>

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

/* With an unlimited stack, or a limit of many terabytes, the kernel puts libraries where the shadow
   is to be mapped. So the program is executed again with a limit that nobody else uses, and then
   gets its own limit back: none, as far as it may. */
static void bound_stack(char **argv, char **environment)
{
    const rlim_t bounded = 0x3ffff000; /* 1 GiB, less a page */
    const rlim_t most = (rlim_t)1 << 40;
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0)
        return;
    bool unlimited = limit.rlim_cur > most;
    if (!unlimited && limit.rlim_cur != bounded)
        return;
    limit.rlim_cur = unlimited ? bounded : limit.rlim_max;
    setrlimit(RLIMIT_STACK, &limit);
    if (unlimited)
        sm_syscall(SYS_execve, "/proc/self/exe", argv, environment);
}

/* The program may define it. */
__attribute__((weak, visibility("default"))) void __tsan_on_initialize(void);

__attribute__((constructor)) static void start(int argc, char **argv, char **environment)
{
    (void)argc;
    bound_stack(argv, environment);
    sm_shadow_map();
    sm_window_init();
    sm_reports_init(environment);
    sm_openmp_prepare(environment);
    sm_callers_init();
    sm_threads_init();
    if (__tsan_on_initialize)
        __tsan_on_initialize();
}

__attribute__((destructor)) static void finish(void)
{
    int status = sm_reports_finish();
    if (status < 0)
        return;
    fflush(NULL); /* exit() would have done it after the destructors */
    sm_syscall(SYS_exit_group, (long)status);
}
