/*
 * init.c - from the loader to the program, and what happens when all fails.
 */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "../runtime/sys.h"
#include "intercept/real.h"
#include "intercept/thread.h"
#include "report.h"
#include "shadow.h"

#define STATUS_ERROR 70

void sm_die(const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    size_t used = sm_format(line, sizeof line, "stalemate: internal error: ");
    used += sm_vformat(line + used, sizeof line - used - 1, format, arguments);
    va_end(arguments);
    line[used++] = '\n';
    sm_syscall(SYS_write, 2L, line, used);
    for (;;)
        sm_syscall(SYS_exit_group, (long)STATUS_ERROR);
}

void *sm_real_lookup(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        sm_die("libc has no %s; this program needs the libc that Stalemate was built for", name);
    return found;
}

__attribute__((constructor)) static void start(int argc, char **argv, char **environment)
{
    (void)argc, (void)argv;
    sm_shadow_map();
    sm_reports_init(environment);
    sm_threads_init();
}

__attribute__((destructor)) static void finish(void)
{
    sm_reports_finish();
}
