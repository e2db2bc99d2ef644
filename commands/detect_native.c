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
#include <xxhash.h>

#include "abi/detect.h"
#include "base/interrupt.h"
#include "campaign/shards.h"
#include "campaign/store.h"
#include "commands/detect.h"
#include "findings/parse.h"
#include "target/spawn.h"

struct native {
    struct sm_detect *detect;
    int findings; /* the file in memory */
    struct sm_detect_exits exits;
    struct sm_campaign campaign; /* only its identity: shards keep the findings of their
                                    executions */
};

/* In the child. */
static _Noreturn void become_program(const struct native *native)
{
    char number[16];
    snprintf(number, sizeof number, "%d", native->findings);
    setenv(SM_DETECT_ENV, number, 1);
    unsetenv(SM_OPTIONS_ENV);
    char *library_path = sm_spawn_library_path(environ);
    if (library_path)
        putenv(library_path);
    fcntl(native->findings, F_SETFD, 0);
    signal(SIGPIPE, SIG_DFL);
    /* JSON on standard output is for programs: nothing else may be printed there. */
    if (native->detect->settings.json && strcmp(native->detect->settings.json, "-") == 0)
        dup2(STDERR_FILENO, STDOUT_FILENO);
    setpgid(0, 0);
    execv(native->detect->path, native->detect->settings.operands.items);
    _exit(127);
}

/* How long the current execution may take; 0: no limit. */
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
    kill(-child, SIGKILL); /* what it left running */
    close(handle);
    return ended;
}

static bool is_over(const struct native *native)
{
    double budget = native->detect->settings.time;
    return sm_interrupt_signal() || (budget > 0 && sm_detect_seconds(native->detect) > budget);
}

/* Kind NONE and not exited: it was cut. */
static struct sm_result_facts facts_of(bool ended, int status)
{
    struct sm_result_facts facts = {.stopped = !ended};
    if (!ended)
        facts.kind = SM_FAILURE_HANG;
    else if (WIFSIGNALED(status))
        facts =
            (struct sm_result_facts){.kind = SM_FAILURE_SIGNAL, .exit_status = WTERMSIG(status)};
    else
        facts = (struct sm_result_facts){.exited = 1, .exit_status = WEXITSTATUS(status)};
    return facts;
}

static void judge(struct native *native, const struct sm_result_facts *facts)
{
    enum { OWN_STATUS = 66 }; /* of a program that had races */
    struct sm_detect *detect = native->detect;
    int number = facts->exit_status;
    detect->executions++;
    if (facts->kind == SM_FAILURE_SIGNAL)
        sm_detect_failed(detect, SM_FAILURE_SIGNAL,
                         sm_print("SIG%s (%s)", sigabbrev_np(number), strsignal(number)));
    else if (facts->kind == SM_FAILURE_HANG)
        sm_detect_failed(
            detect, SM_FAILURE_HANG,
            sm_print("still running after %g s (--timeout)", detect->settings.timeout));
    else if (number && number != OWN_STATUS)
        sm_detect_exited(&native->exits, number);
}

static char *read_findings(const struct native *native)
{
    struct sm_buffer text = {0};
    struct sm_capture all = {.fd = native->findings, .pass_to = -1};
    sm_capture_read(&all, &text);
    return text.data ? text.data : sm_copy_text("");
}

/* *done: it ended, or was stopped by --timeout. */
static bool execute(struct native *native, struct sm_result *result, bool *done,
                    struct sm_error *error)
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
    bool ended = wait_for(child, limit(detect), &status);
    *done = ended || !is_over(native);
    result->facts = facts_of(ended, status);
    result->text = read_findings(native);
    return true;
}

/* ---- findings ---- */

/* What one execution wrote (native/finding.h): races and failures as they were found, and a line
   at the end of each of its processes. */
struct found_race {
    uint64_t process;
    struct sm_data_race race;
};

struct findings {
    struct sm_detect *detect;
    struct found_race *races;
    size_t n;
    bool ended;     /* one of the processes has ended normally */
    uint64_t sites; /* of the one that has most */
};

static void take_race(struct findings *findings, const json_t *line)
{
    findings->races = sm_resize(findings->races, (findings->n + 1) * sizeof *findings->races);
    struct found_race *found = &findings->races[findings->n++];
    *found = (struct found_race){.process = sm_parse_number(line, "process"),
                                 .race = sm_parse_race(json_object_get(line, "race"))};
    found->race.count = 1;
}

static void take_end(struct findings *findings, const json_t *line)
{
    size_t i;
    json_t *note, *counts = json_object_get(line, "counts");
    uint64_t process = sm_parse_number(line, "process"), sites = sm_parse_number(line, "sites");
    for (i = 0; i < findings->n; i++)
        if (findings->races[i].process == process)
            findings->races[i].race.count = (uint64_t)json_integer_value(
                json_array_get(counts, findings->races[i].race.id - 1));
    json_array_foreach(json_object_get(line, "notes"), i, note)
        sm_list_add(&findings->detect->notes, json_string_value(note));
    findings->ended = true;
    findings->sites = sites > findings->sites ? sites : findings->sites;
}

static void take_line(struct findings *findings, const char *text)
{
    json_t *line = json_loads(text, 0, NULL);
    const json_t *failure = json_object_get(line, "failure");
    if (failure)
        sm_detect_harm(findings->detect, failure);
    else if (json_object_get(line, "race"))
        take_race(findings, line);
    else if (json_object_get(line, "counts"))
        take_end(findings, line);
    json_decref(line);
}

static void add_findings(struct sm_detect *detect, struct findings *findings)
{
    for (size_t i = 0; i < findings->n; i++)
        sm_detect_add(detect, &findings->races[i].race);
    /* A program that did not end normally does not report how much of it is instrumented. */
    detect->sites += findings->ended ? findings->sites : 1;
}

/* A program that was killed leaves its findings without the last line, or with half a line. */
static void learn(struct native *native, const struct sm_result *result)
{
    struct findings findings = {.detect = native->detect};
    char *text = sm_copy_text(result->text ? result->text : ""), *rest = text, *line;
    while ((line = strsep(&rest, "\n")))
        if (*line)
            take_line(&findings, line);
    free(text);
    add_findings(native->detect, &findings);
    free(findings.races);
}

/* ---- shards ---- */

/* Executions are parallel, so not deterministic: each is identified by its number. */
static struct sm_store_key key_of(const struct native *native, uint64_t i)
{
    const uint64_t words[] = {native->campaign.identity[0], native->campaign.identity[1], i};
    XXH128_hash_t hash = XXH3_128bits(words, sizeof words);
    return (struct sm_store_key){{hash.low64, hash.high64}};
}

/* True: it was already made, or is not made here. */
static bool is_settled(struct native *native, uint64_t i)
{
    struct sm_campaign *campaign = &native->campaign;
    struct sm_result result;
    if (!sm_campaign_is_mine(campaign, i))
        return true;
    if (!campaign->store)
        return false;
    bool found = sm_store_find(campaign->store, key_of(native, i), &result);
    if (found) {
        judge(native, &result.facts);
        learn(native, &result);
        sm_result_free(&result);
        campaign->found++;
        campaign->made++;
    }
    native->detect->cut |= !found && campaign->gathered;
    return found || campaign->gathered;
}

static bool keep(struct native *native, uint64_t i, const struct sm_result *result,
                 struct sm_error *error)
{
    struct sm_campaign *campaign = &native->campaign;
    campaign->executions++;
    campaign->made++;
    campaign->failed += result->facts.kind != SM_FAILURE_NONE;
    if (!campaign->store)
        return true;
    sm_store_keep(campaign->store, key_of(native, i), result);
    return sm_store_flush(campaign->store, error);
}

/* ---- all ---- */

static bool make_one(struct native *native, uint64_t i, struct sm_error *error)
{
    struct sm_result result = {0};
    bool done = false, ok = execute(native, &result, &done, error);
    if (ok && done) {
        judge(native, &result.facts);
        ok = keep(native, i, &result, error);
    } else {
        native->detect->cut = true;
    }
    if (ok) /* findings from before it was cut count */
        learn(native, &result);
    sm_result_free(&result);
    return ok;
}

/* One after the other: each has all cores. */
static bool run_trials(struct native *native, struct sm_error *error)
{
    uint64_t trials = native->detect->settings.trials;
    uint64_t i = 0;
    for (; i < trials && !is_over(native); i++)
        if (!is_settled(native, i) && !make_one(native, i, error))
            return false;
    native->detect->cut |= i < trials;
    sm_detect_note_exits(native->detect, &native->exits);
    return true;
}

static bool run_all(struct native *native, struct sm_error *error)
{
    const struct sm_settings *settings = &native->detect->settings;
    struct sm_campaign *campaign = &native->campaign;
    bool shard = settings->shard.of;
    if (shard && !sm_shard_begin(campaign, settings, SM_COMMAND_DETECT, error))
        return false;
    bool ok = run_trials(native, error);
    campaign->cut = native->detect->cut;
    campaign->planned = campaign->made;
    return ok && (!shard || sm_shard_finish(campaign, settings, SM_COMMAND_DETECT, 0, error));
}

bool sm_detect_native(struct sm_detect *detect, struct sm_store *store, struct sm_error *error)
{
    struct native native = {.detect = detect,
                            .findings = memfd_create("stalemate findings", MFD_CLOEXEC)};
    if (native.findings < 0)
        return sm_fail(error, SM_STATUS_INTERNAL, "no file in memory: %s", strerror(errno));
    bool ok =
        sm_campaign_open_native(&native.campaign, &detect->settings, detect->path, store, error) &&
        run_all(&native, error);
    sm_campaign_close(&native.campaign);
    close(native.findings);
    return ok;
}
