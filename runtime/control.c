#include "runtime/control.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "base/sys.h"

struct sm_control *sm_control;
struct sm_choice *sm_choices;
struct sm_record *sm_trace;
int sm_sites_fd = -1;

/* Removes NAME from the environment and returns its value. The string stays where it is. */
static const char *take_variable(char **environment, const char *name)
{
    size_t length = strlen(name);
    for (char **entry = environment; *entry; entry++) {
        if (strncmp(*entry, name, length) != 0 || (*entry)[length] != '=')
            continue;
        const char *value = *entry + length + 1;
        for (; *entry; entry++)
            entry[0] = entry[1];
        return value;
    }
    return NULL;
}

static const char *parse_fd(const char *text, int *fd)
{
    *fd = 0;
    while (*text >= '0' && *text <= '9')
        *fd = *fd * 10 + (*text++ - '0');
    return *text == ',' ? text + 1 : text;
}

static void *map_shared(int fd, size_t size)
{
    long result = sm_syscall(SYS_mmap, NULL, size, (long)(PROT_READ | PROT_WRITE),
                             (long)(MAP_SHARED | MAP_NORESERVE), (long)fd, 0L);
    if (result < 0 && result > -4096)
        sm_refuse("cannot map the control memory (error %ld)", -result);
    sm_syscall(SYS_fcntl, (long)fd, (long)F_SETFD, (long)FD_CLOEXEC);
    return (void *)result;
}

void sm_control_attach(char **environment)
{
    const char *text = take_variable(environment, SM_CONTROL_ENV);
    if (!text)
        return;
    int control_fd, choices_fd, trace_fd;
    text = parse_fd(text, &control_fd);
    text = parse_fd(text, &choices_fd);
    text = parse_fd(text, &trace_fd);
    parse_fd(text, &sm_sites_fd);
    struct sm_control *control = map_shared(control_fd, sizeof *control);
    if (control->magic != SM_CONTROL_MAGIC || control->version != sm_control_version()) {
        control->magic = SM_CONTROL_OTHER_VERSION; /* the driver explains it */
        sm_syscall(SYS_exit_group, (long)SM_EXIT_REFUSED);
    }
    sm_choices = map_shared(choices_fd, control->choices_limit * sizeof *sm_choices);
    sm_trace = map_shared(trace_fd, control->trace_limit * sizeof *sm_trace);
    sm_syscall(SYS_fcntl, (long)sm_sites_fd, (long)F_SETFD, (long)FD_CLOEXEC);
    sm_control = control;
    sm_control->attached = 1;
}

void sm_control_detach(void)
{
    if (!sm_control)
        return;
    sm_syscall(SYS_munmap, sm_choices, sm_control->choices_limit * sizeof *sm_choices);
    sm_syscall(SYS_munmap, sm_trace, sm_control->trace_limit * sizeof *sm_trace);
    sm_syscall(SYS_munmap, sm_control, sizeof *sm_control);
    sm_control = NULL;
    sm_choices = NULL;
    sm_trace = NULL;
}
