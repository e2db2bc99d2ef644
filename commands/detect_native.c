/* detect_native.c - executions of the detect flavour, natively and in parallel. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/detect.h"
#include "base/interrupt.h"
#include "commands/detect.h"
#include "findings/parse.h"

struct native {
    struct sm_detect *detect;
    int findings;   /* the file in memory */
    uint64_t exits; /* with a status other than 0 */
};

/* In the child. */
static _Noreturn void become_program(const struct native *native)
{
    char number[16];
    snprintf(number, sizeof number, "%d", native->findings);
    setenv(SM_DETECT_ENV, number, 1);
    unsetenv(SM_OPTIONS_ENV);
    fcntl(native->findings, F_SETFD, 0);
    signal(SIGPIPE, SIG_DFL);
    /* JSON on standard output is for a program to read: nothing else may stand there. */
    if (native->detect->settings.json && strcmp(native->detect->settings.json, "-") == 0)
        dup2(STDERR_FILENO, STDOUT_FILENO);
    setpgid(0, 0);
    execv(native->detect->path, native->detect->settings.operands.items);
    _exit(127);
}

/* How long the execution at hand may take; 0: no limit. */
static double limit(const struct sm_detect *detect)
{
    double left = detect->settings.time - sm_detect_seconds(detect);
    double timeout = detect->settings.timeout;
    if (detect->settings.time <= 0 || (timeout > 0 && timeout < left))
        return timeout;
    return left > 0.001 ? left : 0.001;
}

/* True when it ended by itself. */
static bool wait_for(pid_t child, double seconds, int *status)
{
    int handle = (int)syscall(SYS_pidfd_open, child, 0);
    struct pollfd ready[] = {{handle, POLLIN, 0}, {sm_interrupt_fd(), POLLIN, 0}};
    poll(ready, 2, seconds > 0 ? (int)(seconds * 1000) + 1 : -1);
    bool ended = ready[0].revents != 0;
    if (!ended)
        kill(-child, SIGKILL);
    while (waitpid(child, status, 0) < 0 && errno == EINTR)
        ;
    kill(-child, SIGKILL); /* what it left behind */
    close(handle);
    return ended;
}

static bool is_over(const struct native *native)
{
    double budget = native->detect->settings.time;
    return sm_interrupt_signal() || (budget > 0 && sm_detect_seconds(native->detect) > budget);
}

static void judge(struct native *native, int status)
{
    enum { OWN_STATUS = 66 }; /* of a program that had races */
    struct sm_detect *detect = native->detect;
    detect->executions++;
    if (WIFSIGNALED(status))
        sm_detect_failed(
            detect, SM_FAILURE_SIGNAL,
            sm_print("SIG%s (%s)", sigabbrev_np(WTERMSIG(status)), strsignal(WTERMSIG(status))));
    else if (WEXITSTATUS(status) && WEXITSTATUS(status) != OWN_STATUS)
        native->exits++;
}

static bool execute(struct native *native, struct sm_error *error)
{
    struct sm_detect *detect = native->detect;
    int status = 0;
    if (ftruncate(native->findings, 0) != 0)
        return sm_fail(error, SM_STATUS_INTERNAL, "cannot empty a file: %s", strerror(errno));
    lseek(native->findings, 0, SEEK_SET);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        become_program(native);
    if (child < 0)
        return sm_fail(error, SM_STATUS_TARGET, "cannot start a process: %s", strerror(errno));
    if (wait_for(child, limit(detect), &status)) {
        judge(native, status);
    } else if (is_over(native)) {
        detect->cut = true;
    } else {
        detect->executions++;
        sm_detect_failed(
            detect, SM_FAILURE_HANG,
            sm_print("still running after %g s (--timeout)", detect->settings.timeout));
    }
    return true;
}

/* ---- findings ---- */

/* What one execution wrote: races as they were found, and the last line. */
struct findings {
    struct sm_data_race *races;
    size_t n;
    json_t *last;
};

static void take_line(struct findings *findings, const char *line)
{
    json_t *object = json_loads(line, 0, NULL);
    if (!json_object_get(object, "variable")) {
        json_decref(findings->last);
        findings->last = object;
        return;
    }
    findings->races = sm_resize(findings->races, (findings->n + 1) * sizeof *findings->races);
    findings->races[findings->n++] = sm_parse_race(object);
    json_decref(object);
}

static void add_findings(struct sm_detect *detect, struct findings *findings)
{
    size_t i;
    json_t *note, *counts = json_object_get(findings->last, "counts");
    for (i = 0; i < findings->n; i++) {
        const json_t *count = json_array_get(counts, i);
        findings->races[i].count = count ? (uint64_t)json_integer_value(count) : 1;
        sm_detect_add(detect, &findings->races[i]);
    }
    /* A program that did not come to its end does not say how much of it is instrumented. */
    detect->sites += findings->last ? sm_parse_number(findings->last, "sites") : 1;
    json_array_foreach(json_object_get(findings->last, "notes"), i, note)
        sm_list_add(&detect->notes, json_string_value(note));
}

/* A program that was killed leaves its findings without the last line, or half a line. */
static void read_findings(struct native *native)
{
    struct findings findings = {0};
    char *line = NULL;
    size_t room = 0;
    lseek(native->findings, 0, SEEK_SET);
    int copy = dup(native->findings);
    FILE *file = copy < 0 ? NULL : fdopen(copy, "r");
    while (file && getline(&line, &room, file) > 0)
        take_line(&findings, line);
    if (file)
        fclose(file);
    free(line);
    add_findings(native->detect, &findings);
    free(findings.races);
    json_decref(findings.last);
}

/* One after the other: each has all cores. */
static bool run_trials(struct native *native, struct sm_error *error)
{
    uint64_t trials = native->detect->settings.trials;
    uint64_t i = 0;
    for (; i < trials && !is_over(native); i++) {
        if (!execute(native, error))
            return false;
        read_findings(native);
    }
    native->detect->cut |= i < trials;
    if (native->exits) {
        char *note = sm_print("%lu of the executions ended with a status other than 0",
                              (unsigned long)native->exits);
        sm_list_add(&native->detect->notes, note);
        free(note);
    }
    return true;
}

bool sm_detect_native(struct sm_detect *detect, struct sm_error *error)
{
    struct native native = {detect, memfd_create("stalemate findings", MFD_CLOEXEC), 0};
    if (native.findings < 0)
        return sm_fail(error, SM_STATUS_INTERNAL, "no file in memory: %s", strerror(errno));
    bool ok = run_trials(&native, error);
    close(native.findings);
    return ok;
}
