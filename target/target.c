#include "target/target.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/find.h"
#include "base/interrupt.h"
#include "base/now.h"
#include "target/spawn.h"

#define MAX_OUTPUT (1l << 30)

/* ---- making and unmaking ---- */

static uint64_t number_in_file(const char *path, const char *prefix)
{
    char text[4096];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[size > 0 ? size : 0] = 0;
    const char *at = strstr(text, prefix);
    return at ? strtoull(at + strlen(prefix), NULL, 10) : 0;
}

static uint64_t default_memory(void)
{
    uint64_t machine = number_in_file("/proc/meminfo", "MemTotal:") << 10;
    uint64_t group = number_in_file("/sys/fs/cgroup/memory.max", ""); /* "max" reads as 0 */
    return (group && group < machine ? group : machine) / 4 * 3;
}

bool sm_target_open(struct sm_target *target, const char *program, char *const *arguments,
                    int input, int output, int errors, struct sm_error *error)
{
    *target = (struct sm_target){.input = input, .server_fd = -1};
    target->limits.memory = default_memory();
    target->output.fd = target->errors.fd = -1;
    if (!sm_find_program(program, target->path, error) || !sm_image_check(target->path, error))
        return false;
    sm_image_build_id(target->path, target->build_id);
    for (char *const *argument = arguments; *argument; argument++)
        sm_list_add(&target->arguments, *argument);
    sm_spawn_environment(&target->environment);
    sm_spawn_fix_addresses();
    return sm_shared_open(&target->shared, error) &&
           sm_capture_open(&target->output, "standard output", output, error) &&
           sm_capture_open(&target->errors, "standard error", errors, error);
}

static void stop_server(struct sm_target *target)
{
    if (!target->server)
        return;
    close(target->server_fd);
    kill(-target->server, SIGKILL);
    waitpid(target->server, NULL, 0);
    target->server = 0;
    target->server_fd = -1;
}

void sm_target_close(struct sm_target *target)
{
    stop_server(target);
    sm_list_free(&target->arguments);
    sm_list_free(&target->environment);
    free(target->directory);
    if (target->input >= 0)
        close(target->input);
    sm_capture_close(&target->output);
    sm_capture_close(&target->errors);
    sm_shared_close(&target->shared);
}

/* ---- limits ---- */

static uint64_t resident(pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    return number_in_file(path, " ") * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* With a server, its child counts. */
static uint64_t memory_used(const struct sm_target *target, pid_t pid)
{
    if (!target->server)
        return resident(pid);
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    pid_t child = (pid_t)number_in_file(path, "");
    return child ? resident(child) : 0;
}

off_t sm_target_pass_output(struct sm_target *target)
{
    off_t output = sm_capture_pass(&target->output), errors = sm_capture_pass(&target->errors);
    if (target->watcher)
        target->watcher(target, target->watcher_context);
    return output > errors ? output : errors;
}

static enum sm_stop check_limits(struct sm_target *target, pid_t pid, double started)
{
    if (sm_interrupt_signal())
        return SM_STOP_INTERRUPT;
    if (sm_target_pass_output(target) > MAX_OUTPUT)
        return SM_STOP_OUTPUT;
    if (target->limits.seconds > 0 && sm_now() - started > target->limits.seconds)
        return SM_STOP_TIMEOUT;
    if (target->limits.deadline > 0 && sm_now() > target->limits.deadline)
        return SM_STOP_DEADLINE;
    if (memory_used(target, pid) > target->limits.memory)
        return SM_STOP_MEMORY;
    return SM_STOP_NONE;
}

/* The time in which it waits for another execution is not its own. */
static void skip_queue(const struct sm_target *target, double *started)
{
    if (target->shared.control->queued)
        *started = sm_now();
}

static int next_tick(const struct sm_target *target, double started)
{
    const struct sm_limits *limits = &target->limits;
    double now = sm_now(), left = SM_TARGET_TICK_MS / 1e3;
    if (limits->seconds > 0 && started + limits->seconds - now < left)
        left = started + limits->seconds - now;
    if (limits->deadline > 0 && limits->deadline - now < left)
        left = limits->deadline - now;
    return left > 0 ? (int)(left * 1e3) + 1 : 0;
}

/* Waits until `done` is readable or a limit is exceeded; then the process group is killed. */
static enum sm_stop watch(struct sm_target *target, pid_t pid, int done, double started)
{
    struct pollfd files[2] = {{.fd = done, .events = POLLIN},
                              {.fd = sm_interrupt_fd(), .events = POLLIN}};
    while (poll(files, 2, next_tick(target, started)) <= 0 || !files[0].revents) {
        skip_queue(target, &started);
        enum sm_stop stop = check_limits(target, pid, started);
        if (stop == SM_STOP_NONE)
            continue;
        kill(-pid, SIGKILL);
        return stop;
    }
    return SM_STOP_NONE;
}

/* ---- a process for each execution ---- */

static pid_t spawn(struct sm_target *target, int server_fd, bool wait_for_tracer,
                   struct sm_error *error)
{
    struct sm_spawn how = {
        .path = target->path,
        .arguments = target->arguments.items,
        .environment = target->environment.items,
        .directory = target->directory,
        .input = target->input,
        .output = target->output.fd,
        .errors = target->errors.fd,
        .shared = &target->shared,
        .server_fd = server_fd,
        .wait_for_tracer = wait_for_tracer,
    };
    return sm_spawn_program(&how, error);
}

static bool run_process(struct sm_target *target, struct sm_ended *ended, double started,
                        struct sm_error *error)
{
    pid_t pid = spawn(target, -1, false, error);
    if (pid < 0)
        return false;
    int done = (int)syscall(SYS_pidfd_open, pid, 0);
    if (done >= 0)
        ended->stop = watch(target, pid, done, started);
    siginfo_t info;
    /* Not yet reaped, so that the number of the group is not reused. */
    waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
    kill(-pid, SIGKILL);
    waitpid(pid, &ended->wait_status, 0);
    if (done >= 0)
        close(done);
    return true;
}

/* ---- fork server ---- */

static bool read_int(int fd, int *value)
{
    ssize_t got;
    do
        got = read(fd, value, sizeof *value);
    while (got < 0 && errno == EINTR);
    return got == sizeof *value;
}

bool sm_target_is_of_other_version(const struct sm_target *target, struct sm_error *error)
{
    return sm_fail(error, SM_STATUS_TARGET,
                   "%s was linked with another version of Stalemate; build it again with this one",
                   target->path);
}

bool sm_target_is_plain(const struct sm_target *target, struct sm_error *error)
{
    return sm_fail(error, SM_STATUS_USAGE,
                   "%s: nothing in it is instrumented, so nothing can be found; compile its files, "
                   "too, with: stalemate cc -g -c (or CC=stalemate-cc)",
                   target->path);
}

bool sm_target_refused(const struct sm_target *target, struct sm_error *error)
{
    const struct sm_control *control = target->shared.control;
    return sm_fail(error, control->repairs_unknown ? SM_STATUS_USAGE : SM_STATUS_TARGET, "%.*s",
                   SM_DETAIL_SIZE, control->detail);
}

static bool server_died(struct sm_target *target, struct sm_error *error)
{
    const struct sm_control *control = target->shared.control;
    stop_server(target);
    if (target->limits.deadline > 0 && sm_now() > target->limits.deadline)
        return sm_fail(error, SM_STATUS_TARGET,
                       "the time was over before %s came to its main function; give it more with "
                       "--time SECONDS",
                       target->path);
    if (control->magic == SM_CONTROL_OTHER_VERSION)
        return sm_target_is_of_other_version(target, error);
    if (control->end == SM_END_REFUSED)
        return sm_target_refused(target, error);
    if (control->end == SM_END_ERROR)
        return sm_fail(error, SM_STATUS_INTERNAL, "internal error: %.*s", SM_DETAIL_SIZE,
                       control->detail);
    return sm_fail(error, SM_STATUS_TARGET,
                   "%s ends before its main function; does it start without Stalemate?",
                   target->path);
}

/* A process that is slow to reach its main function, on a loaded machine or under a
 * sanitiser, is not an execution that hangs. */
enum { START_SECONDS = 60 };

static bool wait_until_ready(struct sm_target *target)
{
    struct sm_limits limits = target->limits;
    if (limits.seconds > 0 && limits.seconds < START_SECONDS)
        target->limits.seconds = START_SECONDS;
    int word = 0;
    bool ready = watch(target, target->server, target->server_fd, sm_now()) == SM_STOP_NONE &&
                 read_int(target->server_fd, &word) && word == SM_SERVER_READY;
    target->limits = limits;
    return ready;
}

static bool start_server(struct sm_target *target, struct sm_error *error)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return sm_fail(error, SM_STATUS_TARGET, "cannot make a socket: %s", strerror(errno));
    sm_shared_clear(&target->shared, true);
    pid_t pid = spawn(target, ends[1], false, error);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return false;
    }
    target->server = pid;
    target->server_fd = ends[0];
    return wait_until_ready(target) || server_died(target, error);
}

bool sm_target_prepare(struct sm_target *target, struct sm_error *error)
{
    return !target->serve || target->server || start_server(target, error);
}

static bool order(struct sm_target *target, struct sm_error *error)
{
    if (!target->server && !start_server(target, error))
        return false;
    target->started = sm_now();
    /* If the server was killed between two executions, that shows later as end of file. */
    return (target->server_fd >= 0 && send(target->server_fd, "", 1, MSG_NOSIGNAL) == 1) ||
           server_died(target, error);
}

/* The execution has ended, by itself or because it was stopped. */
static bool collect(struct sm_target *target, struct sm_ended *ended, struct sm_error *error)
{
    if (ended->stop == SM_STOP_NONE)
        return read_int(target->server_fd, &ended->wait_status) || server_died(target, error);
    stop_server(target);
    ended->wait_status = SIGKILL;
    return true;
}

static bool run_served(struct sm_target *target, struct sm_ended *ended, struct sm_error *error)
{
    if (!order(target, error))
        return false;
    ended->stop = watch(target, target->server, target->server_fd, target->started);
    return collect(target, ended, error);
}

/* ---- both ---- */

static void set_out(struct sm_target *target, const struct sm_options *options)
{
    target->started = sm_now();
    target->shared.control->options = *options;
    sm_shared_clear(&target->shared, !target->server);
    sm_capture_reset(&target->output);
    sm_capture_reset(&target->errors);
    lseek(target->input, 0, SEEK_SET);
}

static void wind_up(struct sm_target *target, struct sm_ended *ended)
{
    sm_target_pass_output(target);
    ended->seconds = sm_now() - target->started;
}

bool sm_target_run(struct sm_target *target, const struct sm_options *options,
                   struct sm_ended *ended, struct sm_error *error)
{
    *ended = (struct sm_ended){0};
    set_out(target, options);
    bool ok = target->serve ? run_served(target, ended, error)
                            : run_process(target, ended, target->started, error);
    wind_up(target, ended);
    return ok;
}

bool sm_target_start(struct sm_target *target, const struct sm_options *options,
                     struct sm_error *error)
{
    set_out(target, options);
    return order(target, error);
}

enum sm_look sm_target_look(struct sm_target *target, bool readable, struct sm_ended *ended,
                            struct sm_error *error)
{
    *ended = (struct sm_ended){0};
    if (!readable) {
        skip_queue(target, &target->started);
        ended->stop = check_limits(target, target->server, target->started);
        if (ended->stop == SM_STOP_NONE)
            return SM_LOOK_RUNNING;
    }
    bool ok = collect(target, ended, error);
    wind_up(target, ended);
    return ok ? SM_LOOK_OVER : SM_LOOK_ERROR;
}

pid_t sm_target_start_traced(struct sm_target *target, const struct sm_options *options,
                             struct sm_error *error)
{
    set_out(target, options);
    return spawn(target, -1, true, error);
}
