#include "target/debugger.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TICK_US = 20000 };

/* sm_end is where the runtime ends an execution that did not end by itself: deadlocks, failed
   assertions, budgets. It is there once main is; its first argument is an enum sm_end. A
   fatal signal stops gdb without our help. */
static const char script[] = "set pagination off\n"
                             "set confirm off\n"
                             "set breakpoint pending on\n"
                             "handle SIGCHLD nostop noprint pass\n"
                             "attach %d\n"
                             "tcatch exec\n"
                             "continue\n"
                             "tbreak main\n"
                             "continue\n"
                             "break *sm_end if $edi != %d\n"
                             "set pagination on\n"
                             "set confirm on\n"
                             "continue\n";

static int write_script(pid_t pid)
{
    int fd = memfd_create("gdb-commands", 0);
    if (fd >= 0)
        dprintf(fd, script, (int)pid, SM_END_EXIT);
    return fd;
}

static _Noreturn void exec_gdb(int script_fd)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", script_fd);
    signal(SIGINT, SIG_DFL);
    execlp("gdb", "gdb", "-q", "-nx", "-x", path, (char *)NULL);
    _exit(127);
}

/* gdb has the terminal and gets its Ctrl-C; we only hand on the program's output. */
static int wait_for_gdb(struct sm_target *target, pid_t gdb)
{
    int status;
    while (waitpid(gdb, &status, WNOHANG) == 0) {
        sm_target_pass_output(target);
        usleep(TICK_US);
    }
    sm_target_pass_output(target);
    return status;
}

bool sm_debugger_run(struct sm_target *target, const struct sm_options *options,
                     struct sm_error *error)
{
    pid_t pid = sm_target_start_traced(target, options, error);
    if (pid < 0)
        return false;
    int script_fd = write_script(pid);
    signal(SIGINT, SIG_IGN);
    fflush(NULL);
    pid_t gdb = fork();
    if (gdb == 0)
        exec_gdb(script_fd);
    int status = gdb < 0 ? -1 : wait_for_gdb(target, gdb);
    kill(-pid, SIGKILL);
    waitpid(pid, NULL, 0);
    close(script_fd);
    if (gdb < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
        return sm_fail(error, SM_STATUS_USAGE, "gdb cannot be run; install it: apt install gdb");
    return true;
}
