/*
 * stalemate verify: the runtime explores every execution by itself (explore/); this starts
 * it, waits, takes each violation as it is found, and shows what came of it.
 */
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../checker/check.h"
#include "../report/verify.h"
#include "commands.h"
#include "input.h"
#include "interrupt.h"
#include "options.h"
#include "record.h"
#include "store.h"
#include "watch.h"
#include "witness.h"
#include "words.h"

struct verify {
    struct sm_settings settings;
    struct sm_target target;
    struct sm_sites sites;
    struct sm_verify_report report;
    struct timespec began;
    bool stopping;
    unsigned last_witness; /* number of its file */
};

static double seconds_since(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) / 1e9;
}

static bool check_usage(const struct sm_settings *settings, struct sm_error *error)
{
    if (!settings->operands.n)
        return sm_fail(error, SM_STATUS_USAGE,
                       "verify: no program given; type: stalemate verify [OPTIONS] -- PROGRAM "
                       "ARGS...");
    if (settings->options.carrier != SM_CARRIER_FIBER)
        return sm_fail(error, SM_STATUS_USAGE,
                       "verify: threads must be fibers; leave out --carrier");
    if (settings->expect && settings->options.model == SM_MODEL_HB)
        return sm_fail(error, SM_STATUS_USAGE,
                       "verify: --expect is for the models sc, tso, pso and c11");
    return true;
}

static bool open_target(struct verify *verify, struct sm_error *error)
{
    struct sm_settings *settings = &verify->settings;
    int input = sm_input_spool(STDIN_FILENO, error);
    if (input < 0 || !sm_target_open(&verify->target, settings->operands.items[0],
                                     settings->operands.items, input, -1, -1, error))
        return false;
    if (settings->memory)
        verify->target.limits.memory = settings->memory << 20;
    verify->target.serve = true;
    verify->target.shared.control->watch_mode = SM_WATCH_ALL;
    return sm_target_prepare(&verify->target, error);
}

/* ---- violations ---- */

static bool same_words(const struct sm_list *a, const struct sm_list *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; same && i < a->n; i++)
        same = strcmp(a->items[i], b->items[i]) == 0;
    return same;
}

/* By another program, or by this one with other arguments: a report may still speak of it. */
static bool is_taken(const char *path, const struct sm_target *target)
{
    struct sm_witness old;
    char why[SM_WHY_SIZE];
    if (!sm_witness_read(path, &old, why))
        return false;
    bool taken = strcmp(old.build_id, target->build_id) != 0 ||
                 !same_words(&old.arguments, &target->arguments);
    sm_witness_free(&old);
    return taken;
}

static char *witness_path(struct verify *verify)
{
    const char *out = verify->settings.out ? verify->settings.out : SM_OUT_DEFAULT;
    const char *model = sm_model_words[verify->settings.options.model];
    char *path = NULL;
    mkdir(out, 0777);
    do {
        free(path);
        path = sm_print("%s/verify-%s-%u.witness", out, model, ++verify->last_witness);
    } while (is_taken(path, &verify->target));
    return path;
}

/* The witness replays by choices alone, and is legal to somebody who knows nothing of how it
   was found. */
static bool write_witness(struct verify *verify, const struct sm_outcome *outcome, char **path,
                          struct sm_error *error)
{
    struct sm_witness witness;
    char why[SM_WHY_SIZE];
    struct sm_check_options check = {.model = (enum sm_model_id)verify->settings.options.model,
                                     .volatile_as =
                                         (enum sm_volatile_id)verify->settings.options.volatile_as,
                                     .prescient = verify->settings.options.prescient};
    struct sm_verdict verdict;
    sm_record_execution(&witness, &verify->target, outcome, &verify->sites);
    witness.options.explore = SM_EXPLORE_BY_CHOICES;
    *path = witness_path(verify);
    bool ok = sm_witness_write(*path, &witness, why) ||
              sm_fail(error, SM_STATUS_USAGE, "cannot write the witness %s: %s", *path, why);
    if (ok && !sm_check_records(witness.records, witness.n_records, &check, &verdict))
        ok = sm_fail(error, SM_STATUS_INTERNAL,
                     "internal error: verify found an execution that is not legal: %s: %s; please "
                     "report it with %s",
                     verdict.axiom, verdict.why, *path);
    if (ok && !verify->settings.quiet)
        sm_report_verify_graph(&witness, stderr);
    sm_witness_free(&witness);
    return ok;
}

static bool take_violation(struct verify *verify, struct sm_error *error)
{
    struct sm_verify_report *report = &verify->report;
    const struct sm_control *control = verify->target.shared.control;
    struct sm_outcome outcome = {0};
    struct sm_ended ended = {.wait_status = (control->status & 0xff) << 8};
    struct sm_expectation expectation = {.exit_status = (int)control->options.expect_exit};
    if (!sm_outcome_judge(&outcome, &verify->target, &ended, &expectation, error))
        return false;
    if (outcome.failure.kind == SM_FAILURE_NONE && verify->settings.expect && *control->detail)
        outcome.failure = (struct sm_failure){.kind = SM_FAILURE_OUTPUT,
                                              .detail = sm_print("%s", control->detail)};
    if (outcome.failure.kind == SM_FAILURE_NONE)
        return sm_fail(error, SM_STATUS_INTERNAL,
                       "internal error: a violation did not come again when it was recorded");
    sm_outcome_locate(&outcome, &verify->target, &verify->sites);
    char *path = NULL;
    if (!write_witness(verify, &outcome, &path, error)) {
        free(path);
        return false;
    }
    report->violations =
        sm_resize(report->violations, (report->n_violations + 1) * sizeof *report->violations);
    report->violations[report->n_violations++] =
        (struct sm_verify_violation){.failure = outcome.failure, .witness = path};
    if (!verify->settings.quiet)
        sm_report_verify_violation(&report->violations[report->n_violations - 1], stderr);
    outcome.failure = (struct sm_failure){0};
    sm_outcome_free(&outcome);
    return true;
}

static void let_go_on(struct verify *verify)
{
    struct sm_explored *explored = &verify->target.shared.control->explored;
    if (verify->settings.first)
        explored->stop = 1;
    __atomic_store_n(&explored->state, SM_EXPLORED_RUNNING, __ATOMIC_RELEASE); /* after `stop` */
    syscall(SYS_futex, &explored->state, FUTEX_WAKE, 1);
}

/* ---- expected outcomes ---- */

/* "allow TEXT" or "forbid TEXT", where \\n stands for the end of a line. */
static bool take_expected_line(char *line, struct sm_explored *explored, uint64_t *forbidden)
{
    const char *text = NULL;
    bool allow = strncmp(line, "allow ", 6) == 0;
    if (allow || strncmp(line, "forbid ", 7) == 0)
        text = strchr(line, ' ') + 1;
    if (!text || explored->n_allowed + explored->n_forbidden == SM_MAX_EXPECTED)
        return false;
    char *to = line;
    for (; *text; text++) {
        bool is_end = text[0] == '\\' && text[1] == 'n';
        *to++ = is_end ? '\n' : *text;
        text += is_end;
    }
    uint64_t hash = sm_outcome_hash(line, (uint64_t)(to - line));
    if (allow)
        explored->expected[explored->n_allowed++] = hash;
    else
        forbidden[explored->n_forbidden++] = hash;
    return true;
}

static bool read_expected(const char *path, struct sm_explored *explored, struct sm_error *error)
{
    FILE *file = fopen(path, "re");
    uint64_t forbidden[SM_MAX_EXPECTED];
    char *line = NULL;
    size_t room = 0;
    bool ok = file ||
              sm_fail(error, SM_STATUS_USAGE, "verify: cannot read %s: %s", path, strerror(errno));
    for (unsigned n = 1; ok && getline(&line, &room, file) > 0; n++) {
        line[strcspn(line, "\n")] = 0;
        if (*line && *line != '#' && !take_expected_line(line, explored, forbidden))
            ok = sm_fail(error, SM_STATUS_USAGE,
                         "verify: %s:%u: write 'allow OUTCOME' or 'forbid OUTCOME', at most %d of "
                         "them",
                         path, n, SM_MAX_EXPECTED);
    }
    if (ok)
        memcpy(explored->expected + explored->n_allowed, forbidden,
               explored->n_forbidden * sizeof *forbidden);
    free(line);
    if (file)
        fclose(file);
    return ok;
}

/* ---- waiting ---- */

/* Asks once; an execution that does not end by itself is killed a little later. */
static bool must_stop(struct verify *verify)
{
    const double grace = 2;
    double limit = verify->settings.time, passed = seconds_since(&verify->began);
    bool wanted = sm_interrupt_signal() || (limit > 0 && passed > limit);
    if (wanted && !verify->stopping) {
        verify->stopping = true;
        verify->target.shared.control->explored.stop = 1;
        clock_gettime(CLOCK_MONOTONIC, &verify->began);
        verify->settings.time = 0;
        return false;
    }
    return verify->stopping && passed > grace;
}

static bool wait_for_end(struct verify *verify, struct sm_error *error)
{
    struct sm_target *target = &verify->target;
    struct sm_ended ended;
    for (;;) {
        struct pollfd file = {.fd = target->server_fd, .events = POLLIN};
        int ready = poll(&file, 1, SM_TARGET_TICK_MS);
        if (__atomic_load_n(&target->shared.control->explored.state, __ATOMIC_ACQUIRE) ==
            SM_EXPLORED_VIOLATION) {
            if (!take_violation(verify, error))
                return false;
            let_go_on(verify);
        }
        if (ready > 0)
            return sm_target_look(target, true, &ended, error) == SM_LOOK_OVER;
        sm_target_pass_output(target);
        if (must_stop(verify)) {
            target->shared.control->explored.cut = 1;
            return true;
        }
    }
}

/* ---- results ---- */

static void take_outcomes(struct verify *verify)
{
    struct sm_verify_report *report = &verify->report;
    const struct sm_explored *explored = &verify->target.shared.control->explored;
    const char *at = (const char *)verify->target.shared.trace;
    if (explored->state != SM_EXPLORED_DONE)
        return;
    report->outcomes = sm_new((explored->n_outcomes + 1ul) * sizeof *report->outcomes);
    for (uint32_t i = 0; i < explored->n_outcomes; i++) {
        struct sm_explored_outcome header;
        memcpy(&header, at, sizeof header);
        report->outcomes[report->n_outcomes++] = (struct sm_verify_outcome){
            .output = sm_print("%.*s", (int)header.size, at + sizeof header),
            .count = header.count,
            .forbidden = sm_outcome_is_forbidden(explored,
                                                 sm_outcome_hash(at + sizeof header, header.size))};
        at += (sizeof header + header.size + 7) & ~7ul;
    }
}

static struct sm_verify_access access_of(const struct sm_race_access *access,
                                         const struct sm_sites *sites)
{
    static const char *const words[] = {
#define SM_EVENT(name, word, hb) word,
#include "../abi/events.def"
    };
    struct sm_verify_access result = {.kind = words[access->kind], .thread = access->thread};
    const struct sm_site_row *row = sm_sites_find(sites, access->site);
    if (!row)
        return result;
    result.place = (struct sm_place){.file = sm_copy_text(row->file),
                                     .function = sm_copy_text(row->function),
                                     .line = row->line,
                                     .column = row->column};
    result.variable = sm_copy_text(row->variable);
    return result;
}

static void take_races(struct verify *verify)
{
    struct sm_verify_report *report = &verify->report;
    const struct sm_control *control = verify->target.shared.control;
    report->races = sm_new((control->n_races + 1ul) * sizeof *report->races);
    for (uint32_t i = 0; i < control->n_races; i++)
        report->races[report->n_races++] =
            (struct sm_verify_race){.first = access_of(&control->races[i].first, &verify->sites),
                                    .second = access_of(&control->races[i].second, &verify->sites),
                                    .count = control->races[i].count};
}

static bool take_results(struct verify *verify, struct sm_error *error)
{
    struct sm_verify_report *report = &verify->report;
    const struct sm_control *control = verify->target.shared.control;
    if (control->end == SM_END_REFUSED)
        return sm_fail(error, SM_STATUS_TARGET, "%.*s", SM_DETAIL_SIZE / 4, control->detail);
    if (control->end == SM_END_ERROR)
        return sm_fail(error, SM_STATUS_INTERNAL, "internal error in the runtime: %.*s",
                       SM_DETAIL_SIZE / 4, control->detail);
    report->target = verify->settings.operands.items;
    report->model = verify->settings.options.model;
    report->executions = control->executions;
    report->blocked = control->explored.blocked;
    report->weak = control->explored.weak;
    report->expects = verify->settings.expect;
    report->iterations = control->explored.iterations;
    report->states = control->explored.states;
    report->writes = control->explored.writes;
    report->complete = !control->explored.cut && control->explored.state == SM_EXPLORED_DONE;
    take_outcomes(verify);
    take_races(verify);
    return true;
}

static bool explore(struct verify *verify, struct sm_error *error)
{
    struct sm_options options = verify->settings.options;
    struct timespec began;
    options.explore = SM_EXPLORE_EVERYTHING;
    if (verify->settings.expect_exit != SM_NO_EXPECTATION)
        options.expect_exit = verify->settings.expect_exit;
    verify->target.shared.control->explored = (struct sm_explored){0};
    if (verify->settings.expect &&
        !read_expected(verify->settings.expect, &verify->target.shared.control->explored, error))
        return false;
    sm_shared_sites(&verify->target.shared, &verify->sites);
    clock_gettime(CLOCK_MONOTONIC, &verify->began);
    began = verify->began;
    bool ok = sm_target_start(&verify->target, &options, error) && wait_for_end(verify, error) &&
              take_results(verify, error);
    verify->report.seconds = seconds_since(&began);
    return ok;
}

static bool show(struct verify *verify, struct sm_error *error)
{
    if (!verify->settings.quiet)
        sm_report_verify_text(&verify->report, stderr);
    return !verify->settings.json ||
           sm_report_verify_json(&verify->report, verify->settings.json, error);
}

static bool store(const struct verify *verify, struct sm_error *error)
{
    char *json = sm_verify_json_text(&verify->report);
    bool ok = sm_store_result(&verify->settings, "verify", json, error);
    free(json);
    return ok;
}

static void free_access(struct sm_verify_access *access)
{
    sm_place_free(&access->place);
    free(access->variable);
}

static void free_report(struct sm_verify_report *report)
{
    for (size_t i = 0; i < report->n_outcomes; i++)
        free(report->outcomes[i].output);
    for (size_t i = 0; i < report->n_violations; i++) {
        struct sm_outcome outcome = {.failure = report->violations[i].failure};
        sm_outcome_free(&outcome);
        free(report->violations[i].witness);
    }
    for (size_t i = 0; i < report->n_races; i++) {
        free_access(&report->races[i].first);
        free_access(&report->races[i].second);
    }
    free(report->outcomes);
    free(report->violations);
    free(report->races);
}

int sm_verify_main(int argc, char **argv)
{
    (void)argc;
    struct verify verify = {.target = {.input = -1, .output.fd = -1, .errors.fd = -1}};
    struct sm_error error = {0};
    bool ok = sm_settings_parse(&verify.settings, SM_COMMAND_VERIFY, true, argv, &error);
    if (ok && verify.settings.help) {
        sm_command_help("verify", SM_COMMAND_VERIFY);
        sm_settings_free(&verify.settings);
        return SM_STATUS_OK;
    }
    sm_interrupt_catch();
    verify.settings.options.prescient =
        verify.settings.options.model == SM_MODEL_HB && !verify.settings.no_prescient;
    ok = ok && check_usage(&verify.settings, &error) && open_target(&verify, &error) &&
         explore(&verify, &error) && show(&verify, &error) && store(&verify, &error);
    int status = !ok                          ? sm_error_print(&error)
                 : verify.report.n_violations ? SM_STATUS_FOUND
                                              : SM_STATUS_OK;
    free_report(&verify.report);
    sm_sites_free(&verify.sites);
    sm_target_close(&verify.target);
    sm_settings_free(&verify.settings);
    sm_interrupt_finish();
    return status;
}
