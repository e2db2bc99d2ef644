#include "target/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_noise(const char *entry)
{
    static const char *const noise[] = {
#define SM_NOISE(name) name,
#include "base/environment.def"
    };
    size_t length = strcspn(entry, "=");
    for (size_t i = 0; i < sizeof noise / sizeof noise[0]; i++) {
        size_t n = strlen(noise[i]);
        if (noise[i][n - 1] == '*' ? strncmp(entry, noise[i], n - 1) == 0
                                   : n == length && strncmp(entry, noise[i], n) == 0)
            return true;
    }
    return false;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorted: a batch system may set them in another order on each node, and they are on the stack. */
void sm_spawn_environment(struct sm_list *environment)
{
    for (char **entry = environ; *entry; entry++)
        if (!is_noise(*entry))
            sm_list_add(environment, *entry);
    if (environment->n)
        qsort(environment->items, environment->n, sizeof *environment->items, by_name);
}

void sm_spawn_fix_addresses(void)
{
    static bool done;
    int now = done ? 0 : personality(0xffffffff);
    if (!done && (now == -1 || personality((unsigned long)now | ADDR_NO_RANDOMIZE) == -1))
        fprintf(stderr,
                "stalemate: address randomisation cannot be switched off here (%s): pointers to "
                "globals may differ between executions; in a container, allow personality(2)\n",
                strerror(errno));
    done = true;
}

/* ---- in the child, between fork and exec ---- */

enum { FIRST_HIGH_FD = 1000, HIGH_FDS = 8, USUAL_STACK = 8 << 20 };

static void set_limits(void)
{
    struct rlimit stack, none = {0, 0};
    if (getrlimit(RLIMIT_STACK, &stack) == 0) {
        stack.rlim_cur = stack.rlim_max < USUAL_STACK ? stack.rlim_max : USUAL_STACK;
        setrlimit(RLIMIT_STACK, &stack);
    }
    /* A core file of the sparse arena takes minutes to write. */
    setrlimit(RLIMIT_CORE, &none);
}

static void reset_signals(void)
{
    sigset_t empty;
    sigemptyset(&empty);
    sigprocmask(SIG_SETMASK, &empty, NULL);
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
}

static int first_high_fd(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur > FIRST_HIGH_FD + HIGH_FDS)
        return FIRST_HIGH_FD;
    return files.rlim_cur > 64 ? (int)files.rlim_cur - HIGH_FDS : 32;
}

/* Copies fd to the next free number from `next` on. */
static bool move_up(int fd, int *next, int *moved)
{
    if (fd < 0)
        return true;
    *moved = fcntl(fd, F_DUPFD_CLOEXEC, *next);
    *next = *moved + 1;
    return *moved >= 0;
}

static void keep_on_exec(int fd)
{
    if (fd >= 0)
        fcntl(fd, F_SETFD, 0);
}

/* Returns the number of the error pipe after the move, -1 on error. */
static int arrange_files(const struct sm_spawn *spawn, int error_fd,
                         char control_variable[static 64])
{
    int shared[SM_SHARED_FILES], server = -1, report = -1, next = first_high_fd();
    for (int i = 0; i < SM_SHARED_FILES; i++)
        if (!move_up(spawn->shared->fds[i], &next, &shared[i]))
            return -1;
    if (!move_up(spawn->server_fd, &next, &server) || !move_up(error_fd, &next, &report))
        return -1;
    if (dup2(spawn->input, 0) < 0 || dup2(spawn->output, 1) < 0 || dup2(spawn->errors, 2) < 0)
        return -1;
    close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
    for (int i = 0; i < SM_SHARED_FILES; i++)
        keep_on_exec(shared[i]);
    keep_on_exec(server);
    spawn->shared->control->server_fd = server;
    spawn->shared->control->serve = server >= 0;
    snprintf(control_variable, 64, SM_CONTROL_ENV "=%d,%d,%d,%d", shared[SM_SHARED_CONTROL],
             shared[SM_SHARED_CHOICES], shared[SM_SHARED_TRACE], shared[SM_SHARED_SITES]);
    return report;
}

static bool is_traced(void)
{
    char text[4096], *at;
    int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[size > 0 ? size : 0] = 0;
    at = strstr(text, "TracerPid:");
    return !at || atoi(at + strlen("TracerPid:")) != 0;
}

static void await_tracer(void)
{
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY); /* the debugger is not an ancestor of this process */
    while (!is_traced())
        usleep(1000);
}

char *sm_spawn_library_path(char *const *environment)
{
    static const char name[] = "LD_LIBRARY_PATH=";
    const char *copies = getenv(SM_LIBRARIES_ENV), *before = NULL;
    if (!copies)
        return NULL;
    for (; *environment; environment++)
        if (strncmp(*environment, name, sizeof name - 1) == 0)
            before = *environment + sizeof name - 1;
    return sm_print("%s%s%s%s", name, copies, before ? ":" : "", before ? before : "");
}

/* Of two library paths the loader uses the last. */
static char **with_control(char *const *environment, char *control_variable)
{
    size_t n = 0;
    char *library_path = sm_spawn_library_path(environment);
    while (environment[n])
        n++;
    char **all = sm_new((n + 3) * sizeof *all);
    memcpy(all, environment, n * sizeof *all);
    if (library_path)
        all[n++] = library_path;
    all[n] = control_variable;
    return all;
}

/* Tells the parent which step failed, and why. */
struct report {
    int error;
    char step[32];
};

static _Noreturn void give_up(int fd, const char *step)
{
    struct report report = {.error = errno};
    snprintf(report.step, sizeof report.step, "%s", step);
    (void)!write(fd, &report, sizeof report);
    _exit(127);
}

static _Noreturn void child(const struct sm_spawn *spawn, pid_t parent, int error_fd)
{
    char control_variable[64];
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* if we are killed with kill -9, nothing is left running */
    if (getppid() != parent)
        _exit(127);
    set_limits();
    reset_signals();
    if (spawn->directory && chdir(spawn->directory) != 0)
        give_up(error_fd, "directory");
    int moved = arrange_files(spawn, error_fd, control_variable);
    if (moved < 0)
        give_up(error_fd, "descriptors");
    close(error_fd);
    char **environment = with_control(spawn->environment, control_variable);
    if (spawn->wait_for_tracer) {
        close(moved); /* so that the parent continues and starts the debugger */
        await_tracer();
    }
    execve(spawn->path, spawn->arguments, environment);
    give_up(moved, "exec");
}

/* ---- in the parent ---- */

static bool explain(const struct sm_spawn *spawn, const struct report *report,
                    struct sm_error *error)
{
    if (strcmp(report->step, "directory") == 0)
        return sm_fail(error, SM_STATUS_USAGE, "cannot go to directory %s: %s", spawn->directory,
                       strerror(report->error));
    if (strcmp(report->step, "descriptors") == 0)
        return sm_fail(error, SM_STATUS_TARGET, "no room for descriptors: %s; try: ulimit -n 1024",
                       strerror(report->error));
    return sm_fail(error, SM_STATUS_TARGET,
                   "%s cannot be run: %s; does it start without "
                   "Stalemate?",
                   spawn->path, strerror(report->error));
}

pid_t sm_spawn_program(const struct sm_spawn *spawn, struct sm_error *error)
{
    int ends[2];
    struct report report;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        sm_fail(error, SM_STATUS_TARGET, "cannot make a pipe: %s", strerror(errno));
        return -1;
    }
    fflush(NULL);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        child(spawn, parent, ends[1]);
    close(ends[1]);
    if (pid < 0) {
        sm_fail(error, SM_STATUS_TARGET, "cannot start a process: %s", strerror(errno));
    } else if (read(ends[0], &report, sizeof report) == sizeof report) {
        waitpid(pid, NULL, 0);
        explain(spawn, &report, error);
        pid = -1;
    }
    close(ends[0]);
    return pid;
}
