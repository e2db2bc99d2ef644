/*
 * stalemate verify: the runtime explores every execution by itself (verify/), in one process or in
 * several (team.h), on this machine or on more (member.h); this takes each violation as it is
 * found, adds up the results of all parts, and shows them.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/now.h"
#include "base/options.h"
#include "base/words.h"
#include "campaign/expectancy.h"
#include "campaign/member.h"
#include "campaign/store.h"
#include "checker/check.h"
#include "commands/commands.h"
#include "commands/expected.h"
#include "commands/on/on.h"
#include "commands/verify_parcels.h"
#include "findings/story.h"
#include "findings/verify.h"
#include "hunt/certify.h"
#include "hunt/describe_race.h"
#include "hunt/races.h"
#include "target/record.h"
#include "target/symbols.h"
#include "target/watch.h"
#include "witness/witness.h"

struct verify {
    struct sm_member member; /* first: the handlers of its team cast it back */
    struct sm_settings settings;
    struct sm_sites sites;
    struct sm_watchlist lied; /* --variable */
    struct sm_verify_report report;
    struct sm_race *races;
    size_t n_races;
    struct sm_harm *warnings;
    uint32_t n_warnings;
    unsigned last_witness; /* number of its file */
    struct example {       /* --examples: of the output with this hash */
        uint64_t hash;
        char *witness;
    } *examples;
    size_t n_examples;
    struct sm_expectancy expectancy;
    /* --parcels */
    struct sm_parcels_plan plan;
    struct sm_crew crew;
    double shown;
};

static struct verify *owner_of(struct sm_team *team)
{
    return (struct verify *)team;
}

static bool stops_at_race(const struct sm_settings *settings)
{
    return settings->first && sm_fails_on_races(settings->fail_on);
}

static bool is_bounded(const struct sm_settings *settings)
{
    return settings->options.preemptions != SM_ANY_PREEMPTIONS;
}

/* Schedules are counted only under sc; and processes that share the work would have to share the
   visited states (verify/graph/preempt.h). */
static bool check_preemptions(const struct sm_settings *settings, struct sm_error *error)
{
    if (!is_bounded(settings))
        return true;
    if (settings->options.model != SM_MODEL_SC)
        return sm_fail(error, SM_STATUS_USAGE,
                       "verify: --preemptions is for the model sc; leave out --model, or leave out "
                       "--preemptions");
    if (settings->options.symmetry)
        return sm_fail(error, SM_STATUS_USAGE,
                       "verify: --preemptions counts switches between threads that --symmetry "
                       "takes as one; leave out one of them");
    return !settings->parcels ||
           sm_fail(error, SM_STATUS_USAGE,
                   "verify: --preemptions is for one process; leave out --parcels");
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
    if (settings->options.symmetry && settings->no_symmetry)
        return sm_fail(error, SM_STATUS_USAGE,
                       "verify: --symmetry and --no-symmetry exclude each other; leave out one");
    if (settings->options.states && settings->options.model != SM_MODEL_SC)
        return sm_fail(error, SM_STATUS_USAGE,
                       "verify: --states is for model sc; hb and oota always work on states");
    if (settings->options.states &&
        (settings->options.symmetry || is_bounded(settings) || settings->parcels))
        return sm_fail(error, SM_STATUS_USAGE,
                       "verify: --states goes neither with --symmetry nor with --preemptions or "
                       "--parcels");
    if (settings->options.symmetry && settings->options.model >= SM_MODEL_HB)
        return sm_fail(error, SM_STATUS_USAGE,
                       "verify: --symmetry is for the models sc, tso, pso and c11");
    if (!check_preemptions(settings, error))
        return false;
    if (settings->variables.n && settings->parcels)
        return sm_fail(error, SM_STATUS_USAGE,
                       "verify: --variable is for one machine; leave out --parcels");
    if (stops_at_race(settings) && settings->parcels)
        return sm_fail(error, SM_STATUS_USAGE,
                       "verify: --first with --fail-on race is for one machine; leave out "
                       "--parcels");
    if (settings->examples && settings->parcels)
        return sm_fail(error, SM_STATUS_USAGE,
                       "verify: --examples is for one machine; leave out --parcels");
    return true;
}

/* ---- violations ---- */

static bool same_words(const struct sm_list *a, const struct sm_list *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; same && i < a->n; i++)
        same = strcmp(a->items[i], b->items[i]) == 0;
    return same;
}

/* Taken by another program, or by this one with other arguments: a report may still refer to it. */
static bool is_taken(const char *path, const struct sm_target *target)
{
    struct sm_witness old;
    char why[SM_WHY_SIZE];
    if (!sm_witness_read(path, &old, why))
        return false;
    bool taken = strcmp(old.build_id, target->build_id) != 0 ||
                 strcmp(old.repairs, target->shared.control->repairs) != 0 ||
                 !same_words(&old.arguments, &target->arguments);
    sm_witness_free(&old);
    return taken;
}

static char *witness_path(struct verify *verify, const struct sm_target *worker)
{
    const char *out = verify->settings.out ? verify->settings.out : SM_OUT_DEFAULT;
    const char *model = sm_model_words[verify->settings.options.model];
    char *path = NULL;
    if (verify->member.parcels)
        return sm_parcels_violation(verify->member.parcels, ++verify->last_witness, "witness");
    mkdir(out, 0777);
    do {
        free(path);
        path = sm_print("%s/verify-%s-%u.witness", out, model, ++verify->last_witness);
    } while (is_taken(path, worker));
    return path;
}

static bool fail_unrestored(const struct sm_outcome *outcome, struct sm_error *error)
{
    enum sm_failure_kind kind = outcome->failure.kind;
    const char *what = kind == SM_FAILURE_NONE ? "forbidden outcome" : sm_failure_words[kind];
    return sm_fail(error, SM_STATUS_TARGET,
                   "verify: an execution that fails here (%s) does not in a process of its own: "
                   "the program keeps state that is not restored before each execution (of libc: "
                   "rand(), streams, the locale; of the kernel: files, descriptors, what a pipe "
                   "holds; or of a library that is not instrumented), or waits for such; use "
                   "stalemate hunt --no-exact",
                   what);
}

static bool comes_again(const struct sm_witness *witness, const struct sm_outcome *outcome,
                        struct sm_error *error)
{
    bool again = true;
    if (outcome->failure.kind != SM_FAILURE_NONE &&
        !sm_explored_comes_again(witness, &again, error))
        return false;
    return again || fail_unrestored(outcome, error);
}

/* hb and oota do not explore the orders of free() and accesses: what they take for an execution may
   read from before a free. That is none, and is left out. */
static bool is_across_free(const struct verify *verify, const struct sm_verdict *verdict)
{
    return verify->settings.options.model >= SM_MODEL_HB && strcmp(verdict->axiom, "lifetime") == 0;
}

/* The witness replays by choices only, and the checker must find it legal, independently of how it
   was found. Without an error *path is NULL if there is no such execution. */
static bool write_witness(struct verify *verify, const struct sm_target *worker,
                          const struct sm_outcome *outcome, char **path, struct sm_error *error)
{
    struct sm_witness witness;
    char why[SM_WHY_SIZE];
    struct sm_verdict verdict;
    sm_record_execution(&witness, worker, outcome, &verify->sites);
    witness.options.explore = SM_EXPLORE_BY_CHOICES;
    witness.options.record =
        1; /* as when it ran: records of stores by libraries, and parts of reads */
    *path = witness_path(verify, worker);
    bool ok = comes_again(&witness, outcome, error) && sm_certify_explored(&witness, error) &&
              (sm_witness_write(*path, &witness, why) ||
               sm_fail(error, SM_STATUS_USAGE, "cannot write the witness %s: %s", *path, why));
    struct sm_check_options check = sm_check_options_of(&witness);
    bool is_legal = ok && sm_check_records(witness.records, witness.n_records, &check, &verdict);
    if (ok && !is_legal && is_across_free(verify, &verdict)) {
        verify->report.cut |= SM_CUT_BIT(FREES);
        remove(*path);
        free(*path);
        *path = NULL;
    } else if (ok && !is_legal)
        ok = sm_fail(error, SM_STATUS_INTERNAL,
                     "internal error: verify found an execution that is not legal: %s: %s; please "
                     "report it with %s",
                     verdict.axiom, verdict.why, *path);
    if (ok && is_legal && !verify->settings.quiet && outcome->failure.kind != SM_FAILURE_NONE) {
        sm_report_verify_violation(
            &(struct sm_verify_violation){.failure = outcome->failure, .witness = *path}, stderr);
        sm_report_verify_graph(&witness, stderr);
    }
    sm_witness_free(&witness);
    return ok;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Another worker has already found it. */
static bool is_known(const struct sm_verify_report *report, const struct sm_failure *failure)
{
    for (size_t i = 0; i < report->n_violations; i++) {
        const struct sm_failure *known = &report->violations[i].failure;
        if (known->kind == failure->kind && same_text(known->detail, failure->detail) &&
            same_text(known->place.file, failure->place.file) &&
            known->place.line == failure->place.line &&
            known->place.column == failure->place.column)
            return true;
    }
    return false;
}

static bool is_example(const struct sm_control *control)
{
    return strncmp(control->detail, SM_EXAMPLE, sizeof SM_EXAMPLE - 1) == 0;
}

static bool judge(const struct verify *verify, struct sm_target *worker, struct sm_outcome *outcome,
                  struct sm_error *error)
{
    const struct sm_control *control = worker->shared.control;
    struct sm_ended ended = {.wait_status = (control->status & 0xff) << 8};
    struct sm_expectation expectation = {.exit_status = (int)control->options.expect_exit};
    if (!sm_outcome_judge(outcome, worker, &ended, &expectation, error))
        return false;
    if (outcome->failure.kind == SM_FAILURE_NONE && is_example(control))
        return true;
    if (outcome->failure.kind == SM_FAILURE_NONE && verify->settings.expect && *control->detail)
        outcome->failure = (struct sm_failure){.kind = SM_FAILURE_OUTPUT,
                                               .detail = sm_print("%s", control->detail)};
    if (outcome->failure.kind == SM_FAILURE_NONE && control->explored.unseen)
        return fail_unrestored(outcome, error);
    if (outcome->failure.kind == SM_FAILURE_NONE)
        return sm_fail(error, SM_STATUS_INTERNAL,
                       "internal error: a violation did not come again when it was recorded");
    sm_outcome_locate(outcome, worker, &verify->sites);
    return true;
}

static uint64_t hash_failure(const struct sm_failure *failure)
{
    char *text = sm_print(
        "%d\n%s\n%s\n%u\n%u", (int)failure->kind, failure->detail ? failure->detail : "",
        failure->place.file ? failure->place.file : "", failure->place.line, failure->place.column);
    uint64_t hash = sm_outcome_hash(text, strlen(text));
    free(text);
    return hash;
}

/* In the directory of parcels, unless another worker has put it there. */
static bool keep_violation(struct verify *verify, struct sm_verify_violation *violation,
                           struct sm_error *error)
{
    struct sm_verify_report alone = {
        .target = verify->report.target, .violations = violation, .n_violations = 1};
    char *json = sm_verify_json_text(&alone);
    struct sm_buffer text = {.data = json, .size = strlen(json)};
    bool ok = sm_parcels_keep_violation(verify->member.parcels, hash_failure(&violation->failure),
                                        &text, violation->witness, error);
    free(json);
    return ok;
}

static bool report_violation(struct verify *verify, const struct sm_target *worker,
                             struct sm_outcome *outcome, struct sm_error *error)
{
    struct sm_verify_report *report = &verify->report;
    char *path = NULL;
    sm_expectancy_wipe(&verify->expectancy);
    if (!write_witness(verify, worker, outcome, &path, error)) {
        free(path);
        return false;
    }
    if (!path)
        return true;
    report->violations =
        sm_resize(report->violations, (report->n_violations + 1) * sizeof *report->violations);
    report->violations[report->n_violations++] =
        (struct sm_verify_violation){.failure = outcome->failure, .witness = path};
    outcome->failure = (struct sm_failure){0};
    if (verify->member.parcels)
        return keep_violation(verify, &report->violations[report->n_violations - 1], error);
    if (verify->settings.first)
        sm_team_stop(&verify->member.team);
    return true;
}

static struct example *find_example(const struct verify *verify, uint64_t hash)
{
    for (size_t i = 0; i < verify->n_examples; i++)
        if (verify->examples[i].hash == hash)
            return &verify->examples[i];
    return NULL;
}

static bool keep_example(struct verify *verify, const struct sm_target *worker,
                         const struct sm_outcome *outcome, struct sm_error *error)
{
    const char *detail = worker->shared.control->detail;
    uint64_t hash = strtoul(detail + sizeof SM_EXAMPLE - 1, NULL, 16);
    if (find_example(verify, hash))
        return true;
    verify->examples =
        sm_resize(verify->examples, (verify->n_examples + 1) * sizeof *verify->examples);
    struct example *example = &verify->examples[verify->n_examples++];
    *example = (struct example){.hash = hash};
    return write_witness(verify, worker, outcome, &example->witness, error);
}

static bool take_violation(struct sm_team *team, struct sm_target *worker, struct sm_error *error)
{
    struct verify *verify = owner_of(team);
    struct sm_outcome outcome = {0};
    bool ok = judge(verify, worker, &outcome, error);
    if (ok && outcome.failure.kind == SM_FAILURE_NONE)
        ok = keep_example(verify, worker, &outcome, error);
    else
        ok = ok && (is_known(&verify->report, &outcome.failure) ||
                    report_violation(verify, worker, &outcome, error));
    sm_outcome_free(&outcome);
    return ok;
}

/* ---- results ---- */

static void take_outcomes(struct sm_verify_report *report, const struct sm_target *worker)
{
    const struct sm_explored *explored = &worker->shared.control->explored;
    const char *at = (const char *)worker->shared.trace;
    if (explored->state != SM_EXPLORED_DONE)
        return;
    report->outcomes = sm_resize(report->outcomes, (report->n_outcomes + explored->n_outcomes + 1) *
                                                       sizeof *report->outcomes);
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

static int compare_outputs(const void *a, const void *b)
{
    const struct sm_verify_outcome *first = a, *second = b;
    return strcmp(first->output, second->output);
}

/* Those of all parts, each once. */
static void merge_outcomes(struct sm_verify_report *report)
{
    size_t n = 0;
    if (report->n_outcomes)
        qsort(report->outcomes, report->n_outcomes, sizeof *report->outcomes, compare_outputs);
    for (size_t i = 0; i < report->n_outcomes; i++) {
        struct sm_verify_outcome *outcome = &report->outcomes[i];
        if (n && compare_outputs(outcome, &report->outcomes[n - 1]) == 0) {
            report->outcomes[n - 1].count += outcome->count;
            sm_verify_outcome_free(outcome);
        } else {
            report->outcomes[n++] = *outcome;
        }
    }
    report->n_outcomes = n;
}

static void name_examples(const struct verify *verify)
{
    for (size_t i = 0; i < verify->report.n_outcomes; i++) {
        struct sm_verify_outcome *outcome = &verify->report.outcomes[i];
        const struct example *example = find_example(
            verify, sm_outcome_hash(outcome->output, (uint64_t)strlen(outcome->output)));
        outcome->witness = example ? sm_copy_text(example->witness) : NULL;
    }
}

static void free_examples(struct verify *verify)
{
    for (size_t i = 0; i < verify->n_examples; i++)
        free(verify->examples[i].witness);
    free(verify->examples);
}

static bool same_race(const struct sm_race *a, const struct sm_race *b)
{
    return (a->first.site == b->first.site && a->second.site == b->second.site) ||
           (a->first.site == b->second.site && a->second.site == b->first.site);
}

static void take_race(struct verify *verify, const struct sm_race *race)
{
    for (size_t i = 0; i < verify->n_races; i++)
        if (same_race(&verify->races[i], race)) {
            verify->races[i].count += race->count;
            return;
        }
    verify->races = sm_resize(verify->races, (verify->n_races + 1) * sizeof *verify->races);
    verify->races[verify->n_races++] = *race;
}

static void name_races(struct verify *verify)
{
    struct sm_verify_report *report = &verify->report;
    const struct sm_control *control = verify->member.team.workers[0].shared.control;
    struct sm_symbols *symbols = sm_symbols_open(control->mappings, control->n_mappings);
    struct sm_races races = {verify->races, verify->n_races};
    struct sm_variables variables = {0};
    sm_variables_find(&variables, &races, &verify->sites);
    report->races = sm_new((verify->n_races + 1) * sizeof *report->races);
    for (size_t i = 0; i < verify->n_races; i++) {
        report->races[i] = sm_race_describe(&verify->races[i], &variables, &verify->sites, symbols);
        report->races[i].id = ++report->n_races;
    }
    sm_variables_free(&variables);
    sm_symbols_close(symbols);
}

/* An explored thread runs as in some execution, unless an assumption drops that, or its values are
   from the future. Lock-order inversions are explored up to their deadlock. */
static void take_warnings(struct verify *verify, const struct sm_control *control)
{
    if (control->explored.assumed || verify->settings.options.model >= SM_MODEL_HB)
        return;
    for (uint32_t i = 0; i < control->n_warnings && i < SM_MAX_WARNINGS; i++)
        if (control->warnings[i].kind != SM_FAILURE_LOCK_ORDER)
            sm_warnings_add(&verify->warnings, &verify->n_warnings, &control->warnings[i]);
}

static void name_warnings(struct verify *verify)
{
    if (!verify->n_warnings)
        return;
    const struct sm_control *control = verify->member.team.workers[0].shared.control;
    struct sm_symbols *symbols = sm_symbols_open(control->mappings, control->n_mappings);
    verify->report.warnings =
        sm_failures_of_harms(verify->warnings, verify->n_warnings, symbols, &verify->sites);
    sm_symbols_close(symbols);
}

static void take_longest(struct verify *verify, const struct sm_explored *explored)
{
    struct sm_verify_report *report = &verify->report;
    const struct sm_site_row *row = sm_sites_find(&verify->sites, explored->most_events_site);
    if (explored->most_events <= report->most_events || !row)
        return;
    report->most_events = explored->most_events;
    report->longest_file = row->file;
    report->longest_line = row->line;
}

static bool take_part(struct sm_team *team, struct sm_target *worker, struct sm_error *error)
{
    struct verify *verify = owner_of(team);
    struct sm_verify_report *report = &verify->report;
    const struct sm_control *control = worker->shared.control;
    const struct sm_explored *explored = &control->explored;
    if (control->end == SM_END_REFUSED)
        return sm_target_refused(worker, error);
    if (control->end == SM_END_ERROR)
        return sm_fail(error, SM_STATUS_INTERNAL, "internal error in the runtime: %.*s",
                       SM_DETAIL_SIZE / 4, control->detail);
    report->executions += control->executions;
    sm_verify_stand_for(report, explored->stands_for);
    report->blocked += explored->blocked;
    report->weak |= explored->weak != 0;
    report->unseen = explored->unseen;
    report->iterations = explored->iterations;
    report->states = explored->states;
    report->writes = explored->writes;
    report->cut |= explored->cut;
    if (explored->state != SM_EXPLORED_DONE)
        report->cut |= SM_CUT_BIT(TIME);
    report->proved = explored->proved;
    take_longest(verify, explored);
    take_outcomes(report, worker);
    for (uint32_t i = 0; i < control->n_races; i++)
        take_race(verify, &control->races[i]);
    take_warnings(verify, control);
    if (verify->n_races && stops_at_race(&verify->settings))
        sm_team_stop(team);
    return true;
}

static void free_outcomes(struct sm_verify_report *report)
{
    for (size_t i = 0; i < report->n_outcomes; i++)
        sm_verify_outcome_free(&report->outcomes[i]);
    report->n_outcomes = 0;
}

static void begin_again(struct sm_team *team)
{
    struct verify *verify = owner_of(team);
    free_outcomes(&verify->report);
    verify->n_races = 0;
    verify->report.executions = verify->report.blocked = verify->report.stands_for = 0;
    verify->expectancy.estimate = 0;
    verify->report.cut = 0;
}

static void tick(struct sm_team *team)
{
    struct verify *verify = owner_of(team);
    uint64_t executions = verify->report.executions;
    for (size_t i = 0; i < team->n_workers; i++)
        executions += team->busy[i] ? team->workers[i].shared.control->executions : 0;
    sm_expectancy_show(&verify->expectancy, executions,
                       team->workers[0].shared.control->explored.estimate);
}

static const struct sm_team_handlers handlers = {
    .violation = take_violation, .ended = take_part, .begin_again = begin_again, .tick = tick};

/* ---- lies about some variables ---- */

static bool has_variable(const struct verify *verify, const char *name)
{
    for (uint32_t i = 0; i < verify->sites.n; i++)
        if (strcmp(verify->sites.rows[i].variable, name) == 0)
            return true;
    return false;
}

static bool find_lied(struct verify *verify, struct sm_error *error)
{
    const struct sm_list *names = &verify->settings.variables;
    for (size_t i = 0; i < names->n; i++)
        if (!has_variable(verify, names->items[i]))
            return sm_fail(error, SM_STATUS_USAGE,
                           "--variable %s: no access of a variable of that name is instrumented; "
                           "stalemate detect shows how racy variables are named",
                           names->items[i]);
    for (uint32_t i = 0; names->n && i < verify->sites.n; i++)
        if (sm_list_has(names, verify->sites.rows[i].variable))
            sm_watchlist_add(&verify->lied, verify->sites.rows[i].number);
    verify->member.team.lied = names->n ? &verify->lied : NULL;
    return true;
}

/* ---- all together ---- */

/* Unless executions are to be counted, or schedules; hb and oota have no graphs. */
static bool uses_symmetry(const struct sm_settings *settings)
{
    return settings->options.symmetry ||
           (!settings->no_symmetry && !settings->options.count && !is_bounded(settings) &&
            settings->options.model < SM_MODEL_HB && !settings->options.states);
}

static bool set_options(struct verify *verify, struct sm_error *error)
{
    struct sm_team *team = &verify->member.team;
    team->options = verify->settings.options;
    team->options.symmetry = uses_symmetry(&verify->settings);
    team->options.explore = SM_EXPLORE_EVERYTHING;
    team->begin.first_race = stops_at_race(&verify->settings);
    team->begin.examples = (uint32_t)verify->settings.examples;
    if (verify->settings.expect_exit != SM_NO_EXPECTATION)
        team->options.expect_exit = verify->settings.expect_exit;
    return !verify->settings.expect ||
           sm_expected_read(verify->settings.expect, &team->begin, error);
}

/* The states of hb and oota, and of --preemptions, cannot be divided among processes. */
static size_t count_jobs(const struct sm_settings *settings)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (settings->options.model >= SM_MODEL_HB || settings->options.states || is_bounded(settings))
        return 1;
    return settings->jobs ? settings->jobs : cores > 0 ? (size_t)cores : 1;
}

/* ---- by workers that share a directory ---- */

static void take_sum(struct verify *verify, const struct sm_part *sum)
{
    struct sm_verify_report *report = &verify->report;
    report->executions = sum->executions;
    report->stands_for = sum->stands_for;
    report->blocked = sum->blocked;
    report->weak = sum->weak;
    report->unseen = sum->unseen;
    report->iterations = sum->iterations;
    report->states = sum->states;
    report->writes = sum->writes;
    report->cut = sum->cut | (sum->sampled ? SM_CUT_BIT(SAMPLED) : 0);
    if (!sm_parcels_are_done(verify->member.parcels))
        report->cut |= SM_CUT_BIT(TIME);
    report->outcomes = sm_new((sum->n_outcomes + 1) * sizeof *report->outcomes);
    for (uint32_t i = 0; i < sum->n_outcomes; i++) {
        const struct sm_part_outcome *outcome = &sum->outcomes[i];
        report->outcomes[report->n_outcomes++] = (struct sm_verify_outcome){
            .output = sm_copy_text(outcome->text),
            .count = outcome->count,
            .forbidden = sm_outcome_is_forbidden(&verify->member.team.begin,
                                                 sm_outcome_hash(outcome->text, outcome->size))};
    }
    for (uint32_t i = 0; i < sum->n_races; i++)
        take_race(verify, &sum->races[i]);
}

static void free_violations(struct sm_verify_report *report)
{
    struct sm_verify_report alone = {.violations = report->violations,
                                     .n_violations = report->n_violations};
    report->violations = NULL;
    report->n_violations = 0;
    sm_verify_report_free(&alone);
}

static void take_violations(struct sm_verify_report *report, const struct sm_list *texts)
{
    report->violations = sm_new((texts->n + 1) * sizeof *report->violations);
    for (size_t i = 0; i < texts->n; i++) {
        struct sm_verify_report one;
        if (sm_verify_json_parse(texts->items[i], &one) && one.n_violations) {
            report->violations[report->n_violations++] = one.violations[0];
            one.n_violations = 0;
        }
        sm_verify_report_free(&one);
    }
}

static bool gather(struct verify *verify, struct sm_error *error)
{
    uint64_t executions;
    double left;
    struct sm_list texts = {0};
    const struct sm_part *sum = sm_parcels_sum(verify->member.parcels, &executions, &left, error);
    if (!sum)
        return false;
    take_sum(verify, sum);
    free_violations(&verify->report);
    sm_parcels_violations(verify->member.parcels, &texts);
    take_violations(&verify->report, &texts);
    sm_list_free(&texts);
    return true;
}

/* --first: a worker has found one. */
static bool is_enough(struct sm_member *member)
{
    struct verify *verify = (struct verify *)member;
    struct sm_list texts = {0};
    if (!verify->settings.first)
        return false;
    sm_parcels_violations(member->parcels, &texts);
    bool enough = texts.n;
    sm_list_free(&texts);
    return enough;
}

static void show_sum(struct sm_member *member)
{
    const double period = 0.5;
    struct verify *verify = (struct verify *)member;
    struct sm_error ignored = {0};
    uint64_t executions;
    double left, time = sm_now();
    if (!verify->expectancy.on || time - verify->shown < period)
        return;
    verify->shown = time;
    if (sm_parcels_sum(member->parcels, &executions, &left, &ignored))
        sm_expectancy_show(&verify->expectancy, executions,
                           left > 0 ? (double)executions + left : 0);
}

static bool open_parcels(struct verify *verify, struct sm_error *error)
{
    struct sm_member *member = &verify->member;
    const char *directory = verify->settings.parcels;
    bool there = sm_parcels_read_plan(directory, &verify->plan, error);
    if (error->status)
        return false;
    member->team.environment = there ? &verify->plan.environment : NULL;
    member->team.given_input = there ? &verify->plan.input : NULL;
    if (!sm_team_open(&member->team, &verify->settings, 1, error) || !set_options(verify, error))
        return false;
    const struct sm_target *target = &member->team.workers[0];
    if (!there) {
        sm_buffer_add(&verify->plan.input, member->team.input.data, member->team.input.size);
        for (size_t i = 0; i < target->environment.n; i++)
            sm_list_add(&verify->plan.environment, target->environment.items[i]);
    }
    sm_verify_plan(&verify->plan, &verify->settings, &member->team.options, &member->team.begin,
                   target);
    member->parcels = sm_parcels_open(directory, &verify->plan, verify->settings.lease, error);
    if (member->parcels)
        sm_crew_go(&verify->crew);
    return member->parcels;
}

static bool explore_parcels(struct verify *verify, struct sm_error *error)
{
    struct sm_member *member = &verify->member;
    member->violation = take_violation;
    member->is_enough = is_enough;
    member->show = show_sum;
    bool ok = sm_member_explore(member, error);
    ok &= sm_crew_end(&verify->crew, ok ? sm_interrupt_signal() : SIGTERM) || !ok;
    return ok && (verify->crew.is_helper || gather(verify, error));
}

static void say_how_to_go_on(const struct verify *verify)
{
    if (verify->settings.parcels && verify->member.parcels && !verify->crew.is_helper &&
        !sm_parcels_are_done(verify->member.parcels))
        fprintf(stderr,
                "stalemate: verify: not everything is explored; what is left is in %s: the same "
                "command goes on from there\n",
                verify->settings.parcels);
}

/* ---- in this process ---- */

static bool found_anything(const struct verify *verify)
{
    return verify->report.n_violations ||
           (verify->report.n_races && sm_fails_on_races(verify->settings.fail_on));
}

/* Why the search was stopped. */
static void name_stop(struct verify *verify)
{
    uint32_t *cut = &verify->report.cut;
    bool first = verify->settings.first && (verify->report.n_violations || verify->n_races);
    if (!(*cut & SM_CUT_BIT(TIME)) || !(first || sm_interrupt_signal()))
        return;
    *cut &= ~SM_CUT_BIT(TIME);
    *cut |= sm_interrupt_signal() ? SM_CUT_BIT(INTERRUPTED) : SM_CUT_BIT(FIRST);
}

static bool explore(struct verify *verify, struct sm_error *error)
{
    struct sm_team *team = &verify->member.team;
    struct sm_verify_report *report = &verify->report;
    const double alone = 0.1; /* most tests are finished before another process would have
                                 started */
    team->handlers = &handlers;
    team->alone = alone;
    sm_shared_sites(&team->workers[0].shared, &verify->sites);
    if (!find_lied(verify, error))
        return false;
    double began = sm_now();
    report->target = verify->settings.operands.items;
    report->model = verify->settings.options.model;
    report->bounded = is_bounded(&verify->settings);
    report->preemptions = verify->settings.options.preemptions;
    report->repairs = verify->member.team.workers[0].shared.control->repairs;
    report->expects = verify->settings.expect;
    bool watched = sm_expectancy_begin(&verify->expectancy, verify->settings.quiet);
    team->begin.watched =
        watched && !is_bounded(&verify->settings) ? SM_WATCHED_WHOLE : SM_WATCHED_NOT;
    bool ok =
        verify->member.parcels ? explore_parcels(verify, error) : sm_team_explore(team, error);
    sm_expectancy_wipe(&verify->expectancy);
    if (team->cut)
        report->cut |= SM_CUT_BIT(TIME);
    name_stop(verify);
    report->complete = !report->cut && !report->unseen;
    report->seconds = sm_now() - began;
    for (size_t i = 0; i < team->n_workers; i++)
        report->repairs_met |= team->workers[i].shared.control->repairs_met;
    merge_outcomes(report);
    name_examples(verify);
    name_races(verify);
    name_warnings(verify);
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

/* Without an execution nothing is verified. */
static bool check_executed(const struct verify *verify, struct sm_error *error)
{
    const struct sm_verify_report *report = &verify->report;
    const struct sm_control *control = verify->member.team.workers[0].shared.control;
    if (found_anything(verify))
        return true;
    if (!control->n_sites)
        return sm_target_is_plain(&verify->member.team.workers[0], error);
    if (report->executions)
        return true;
    if (report->complete)
        return sm_fail(error, SM_STATUS_TARGET,
                       "verify: no execution: all %lu are blocked, by an assumption that never "
                       "holds or a loop that never ends",
                       (unsigned long)report->blocked);
    return sm_fail(error, SM_STATUS_TARGET,
                   "verify: no execution was complete, for the reason above; give more with --time "
                   "SECONDS or --bound N, or make the test smaller");
}

/* Before anything is open that a helper would inherit. */
static bool start_crew(struct verify *verify, struct sm_error *error)
{
    struct sm_settings *settings = &verify->settings;
    if (!settings->parcels)
        return true;
    if (!sm_crew_start(&verify->crew, count_jobs(settings) - 1, error))
        return false;
    settings->quiet |= verify->crew.is_helper;
    return true;
}

static bool open_all(struct verify *verify, struct sm_error *error)
{
    if (verify->settings.parcels)
        return open_parcels(verify, error);
    return sm_team_open(&verify->member.team, &verify->settings, count_jobs(&verify->settings),
                        error) &&
           set_options(verify, error);
}

int sm_verify_main(int argc, char **argv)
{
    (void)argc;
    struct verify verify = {0};
    struct sm_error error = {0};
    bool ok = sm_settings_parse(&verify.settings, SM_COMMAND_VERIFY, true, argv, &error);
    if (ok && verify.settings.help) {
        sm_command_help("verify", SM_COMMAND_VERIFY);
        sm_settings_free(&verify.settings);
        return SM_STATUS_OK;
    }
    if (ok && verify.settings.on) {
        int status = sm_on(&verify.settings, SM_COMMAND_VERIFY, "verify");
        sm_settings_free(&verify.settings);
        return status;
    }
    ok = ok && check_usage(&verify.settings, &error) && start_crew(&verify, &error);
    sm_interrupt_catch();
    verify.settings.options.prescient =
        verify.settings.options.model >= SM_MODEL_HB && !verify.settings.no_prescient;
    ok = ok && open_all(&verify, &error) && explore(&verify, &error) &&
         (verify.crew.is_helper ||
          (show(&verify, &error) && store(&verify, &error) && check_executed(&verify, &error)));
    say_how_to_go_on(&verify);
    int status = !ok                       ? sm_error_print(&error)
                 : found_anything(&verify) ? SM_STATUS_FOUND
                                           : SM_STATUS_OK;
    sm_parcels_close(verify.member.parcels);
    sm_parcels_plan_free(&verify.plan);
    sm_verify_report_free(&verify.report);
    sm_sites_free(&verify.sites);
    free(verify.lied.sites);
    free(verify.races);
    free(verify.warnings);
    free_examples(&verify);
    sm_team_close(&verify.member.team);
    sm_settings_free(&verify.settings);
    sm_interrupt_finish();
    return status;
}
