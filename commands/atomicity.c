/*
 * stalemate atomicity: executions in which units of work are interleaved on purpose, the violations
 * they show, and whether the program fails because of them.
 *
 * The analysis runs inside the program (analysis/atomicset.h); every execution is sequentially
 * consistent. This file makes the executions:
 *
 *   begin       the default schedule, which must not fail
 *   trials      --trials executions; violations in any of them are reported
 *   serial      other orders of the threads, one after the other: what they print is right
 *   harm        more executions, until each violation was in one that fails, up to a limit
 *   witnesses   one for each execution that shows a violation, checked
 */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/interrupt.h"
#include "base/words.h"
#include "campaign/baseline.h"
#include "campaign/harms.h"
#include "campaign/plan.h"
#include "campaign/progress.h"
#include "campaign/shards.h"
#include "campaign/store.h"
#include "commands/commands.h"
#include "findings/atomicity.h"
#include "findings/story.h"
#include "findings/suppress.h"
#include "findings/voice.h"
#include "hunt/prove.h"
#include "target/symbols.h"

enum { SERIAL_TRIALS = 6, HARM_TRIALS = 30, HARM_ROUND = 6 };
#define LEAST_SECONDS 10.0

/* A violation, over all executions. */
struct found {
    struct sm_violation seen; /* as first seen */
    uint64_t count;
    size_t first;   /* trial */
    size_t failing; /* trial; SIZE_MAX if none */
    bool suppressed;
};

struct shown { /* of a trial that shows something */
    struct sm_proof proof;
    bool proved;
};

struct atomicity {
    struct sm_hunt common;
    struct sm_settings settings;
    struct sm_store *store;
    struct sm_progress progress;
    struct sm_suppressions suppressions;
    struct sm_watchlist shared; /* sites that access shared data */
    struct sm_trial *trials;
    struct shown *shown; /* one a trial */
    size_t n_trials;
    struct found *found;
    size_t n_found, n_suppressed; /* of these */
    uint64_t lost;
    struct sm_atomicity_report report;
};

/* ---- what was found ---- */

static const char *field_of(const struct atomicity *atomicity, const struct sm_violation *violation,
                            char location)
{
    const char *events = sm_pattern_events(violation->pattern);
    for (uint32_t i = 0; i < violation->n_events; i++) {
        const struct sm_site_row *row =
            sm_sites_find(&atomicity->common.campaign.sites, violation->events[i].site);
        if (events[3 * i + 1] == location && row)
            return row->variable;
    }
    return NULL;
}

static char *fields_of(const struct atomicity *atomicity, const struct sm_violation *violation)
{
    const char *first = field_of(atomicity, violation, 'x');
    const char *second = field_of(atomicity, violation, 'y');
    if (!second || (first && strcmp(first, second) == 0))
        return sm_copy_text(first ? first : "?");
    return sm_print("%s, %s", first ? first : "?", second);
}

static bool is_same(const struct atomicity *atomicity, const struct sm_violation *a,
                    const struct sm_violation *b)
{
    if (a->pattern != b->pattern || strcmp(a->set, b->set) != 0 || strcmp(a->unit, b->unit) != 0 ||
        strcmp(a->other, b->other) != 0)
        return false;
    char *mine = fields_of(atomicity, a), *theirs = fields_of(atomicity, b);
    bool same = strcmp(mine, theirs) == 0;
    free(mine);
    free(theirs);
    return same;
}

static struct found *find(struct atomicity *atomicity, const struct sm_violation *violation)
{
    for (size_t i = 0; i < atomicity->n_found; i++)
        if (is_same(atomicity, &atomicity->found[i].seen, violation))
            return &atomicity->found[i];
    return NULL;
}

static bool is_suppressed(struct atomicity *atomicity, const struct sm_violation *violation)
{
    struct sm_suppressions *list = &atomicity->suppressions;
    if (!list->n)
        return false;
    char *fields = fields_of(atomicity, violation);
    bool found = sm_suppressions_atomicity(list, violation->set) ||
                 sm_suppressions_atomicity(list, violation->unit) ||
                 sm_suppressions_atomicity(list, violation->other) ||
                 sm_suppressions_atomicity(list, fields);
    for (uint32_t i = 0; !found && i < violation->n_events; i++) {
        const struct sm_site_row *row =
            sm_sites_find(&atomicity->common.campaign.sites, violation->events[i].site);
        found = row && (sm_suppressions_atomicity(list, row->function) ||
                        sm_suppressions_atomicity(list, row->file));
    }
    free(fields);
    return found;
}

static struct found *add_found(struct atomicity *atomicity, const struct sm_violation *violation,
                               size_t trial)
{
    atomicity->found =
        sm_resize(atomicity->found, (atomicity->n_found + 1) * sizeof *atomicity->found);
    struct found *found = &atomicity->found[atomicity->n_found++];
    *found = (struct found){.seen = *violation,
                            .first = trial,
                            .failing = SIZE_MAX,
                            .suppressed = is_suppressed(atomicity, violation)};
    atomicity->n_suppressed += found->suppressed;
    return found;
}

static void learn_trial(struct atomicity *atomicity, size_t trial)
{
    const struct sm_result *result = &atomicity->trials[trial].result;
    atomicity->lost += result->violations_lost;
    if (!result->n_violations && result->facts.kind == SM_FAILURE_NONE)
        sm_baseline_note(&atomicity->common.baseline, &result->facts);
    for (uint32_t i = 0; i < result->n_violations; i++) {
        struct found *found = find(atomicity, &result->violations[i]);
        if (!found)
            found = add_found(atomicity, &result->violations[i], trial);
        found->count += result->violations[i].count;
    }
}

/* ---- what the user has declared ---- */

static bool declare_unit(struct sm_buffer *text, const char *unit, struct sm_error *error)
{
    const char *colon = strchr(unit, ':');
    int length = colon ? (int)(colon - unit) : (int)strlen(unit);
    if (!length)
        return sm_fail(error, SM_STATUS_USAGE,
                       "--unit %s: expected FUNCTION:TYPE, as in: --unit transfer:account", unit);
    sm_buffer_print(text, "unit %.*s %s\n", length, unit, colon ? colon + 1 : "");
    return true;
}

static bool declare_set(struct sm_buffer *text, const char *set, struct sm_error *error)
{
    const char *equals = strchr(set, '=');
    if (!equals || equals == set || !equals[1])
        return sm_fail(error, SM_STATUS_USAGE,
                       "--set %s: expected NAME=VARIABLE,VARIABLE, as in: --set "
                       "money=account.balance,account.debt",
                       set);
    for (const char *at = equals + 1; *at;) {
        size_t length = strcspn(at, ",");
        sm_buffer_print(text, "set %.*s %.*s\n", (int)(equals - set), set, (int)length, at);
        at += length + (at[length] == ',');
    }
    return true;
}

static bool hand_over(struct atomicity *atomicity, const char *text, struct sm_error *error)
{
    if (strlen(text) >= SM_DECLARATIONS)
        return sm_fail(error, SM_STATUS_USAGE,
                       "--unit and --set: more than %d bytes of names in all", SM_DECLARATIONS);
    for (size_t i = 0; i < atomicity->common.campaign.n_workers; i++)
        strcpy(atomicity->common.campaign.workers[i].shared.control->declarations, text);
    return true;
}

static bool declare(struct atomicity *atomicity, struct sm_error *error)
{
    const struct sm_settings *settings = &atomicity->settings;
    struct sm_buffer text = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < settings->units.n; i++)
        ok = declare_unit(&text, settings->units.items[i], error);
    for (size_t i = 0; ok && i < settings->sets.n; i++)
        ok = declare_set(&text, settings->sets.items[i], error);
    ok = ok && hand_over(atomicity, text.data ? text.data : "", error);
    sm_buffer_free(&text);
    return ok;
}

/* Otherwise a misspelt name would look like a program without violations. A library that is loaded
   later may have any name. */
static bool check_names(const struct sm_control *control, struct sm_error *error)
{
    static const char *const texts[] = {
        [SM_DECLARED_FUNCTION] = "--unit: the program has no function '%s'; give the name that the "
                                 "linker knows it by: nm PROGRAM",
        [SM_DECLARED_TYPE] = "--unit: the program accesses no struct, variable or set '%s'; give "
                             "it as reports write it, or leave :TYPE out",
        [SM_DECLARED_VARIABLE] = "--set: the program accesses no variable '%s'; give it as reports "
                                 "write it, as in: account.balance, table[]",
    };
    const struct sm_undeclared *none = &control->undeclared;
    if (!none->name[0] || control->n_late)
        return true;
    char *text = sm_print(texts[none->kind], none->name);
    sm_fail(error, SM_STATUS_USAGE, "%s", text);
    free(text);
    return false;
}

/* Applies what the first execution has inferred to those that follow. */
static bool declare_inferred(struct atomicity *atomicity, const struct sm_control *control,
                             struct sm_error *error)
{
    char *text = sm_print("%s%s", control->declarations, control->inferred);
    bool ok = hand_over(atomicity, text, error);
    free(text);
    return ok;
}

/* ---- executions ---- */

static struct sm_trial plan_trial(const struct atomicity *atomicity, size_t i)
{
    struct sm_trial trial = {.options = atomicity->settings.options,
                             .watch = SM_WATCH_ALL,
                             .lied = &atomicity->shared,
                             .want_choices = true};
    trial.options.narrow = 1;
    trial.options.seed += i;
    trial.options.steps =
        trial.options.steps ? trial.options.steps : 20 * atomicity->common.baseline.points + 100000;
    return trial;
}

/* Planned: those of --trials; the others are made until each violation was in a failing
   execution. */
static bool make_trials(struct atomicity *atomicity, size_t n, bool planned, struct sm_error *error)
{
    size_t first = atomicity->n_trials;
    if (sm_campaign_over(&atomicity->common.campaign))
        return true;
    atomicity->trials = sm_resize(atomicity->trials, (first + n) * sizeof *atomicity->trials);
    for (size_t i = first; i < first + n; i++) {
        atomicity->trials[i] = plan_trial(atomicity, i);
        atomicity->trials[i].planned = planned;
        atomicity->trials[i].number = i;
    }
    bool ok = sm_campaign_run(&atomicity->common.campaign, atomicity->trials + first, n, error);
    atomicity->n_trials += n;
    for (size_t i = first; ok && i < first + n; i++)
        if (atomicity->trials[i].done)
            learn_trial(atomicity, i);
    return ok;
}

/* Threads one after the other, in different orders: their outputs are the allowed ones. */
static bool serial_trials(struct atomicity *atomicity, struct sm_error *error)
{
    struct sm_trial trials[SERIAL_TRIALS] = {0};
    for (size_t i = 0; i < SERIAL_TRIALS; i++) {
        trials[i] = (struct sm_trial){.options = sm_plan_default(&atomicity->settings.options),
                                      .watch = SM_WATCH_ALL};
        trials[i].options.seed += i + 1;
        trials[i].options.narrow = 1;
    }
    bool ok = sm_campaign_run(&atomicity->common.campaign, trials, SERIAL_TRIALS, error);
    for (size_t i = 0; i < SERIAL_TRIALS; i++) {
        if (ok && trials[i].done && !trials[i].result.n_violations &&
            trials[i].result.facts.kind == SM_FAILURE_NONE)
            sm_baseline_note(&atomicity->common.baseline, &trials[i].result.facts);
        sm_result_free(&trials[i].result);
    }
    return ok;
}

/* ---- harm ---- */

static void note_harm(struct atomicity *atomicity)
{
    for (size_t i = 0; i < atomicity->n_trials; i++) {
        const struct sm_trial *trial = &atomicity->trials[i];
        if (!trial->done ||
            sm_baseline_judge(&atomicity->common.baseline, &trial->result.facts) == SM_FAILURE_NONE)
            continue;
        for (uint32_t k = 0; k < trial->result.n_violations; k++) {
            struct found *found = find(atomicity, &trial->result.violations[k]);
            if (found->failing == SIZE_MAX)
                found->failing = i;
        }
    }
}

static bool note_trials(struct atomicity *atomicity, const struct sm_trial *trials, size_t n,
                        struct sm_harms *harms, struct sm_error *error)
{
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++)
        ok = sm_harms_note(harms, &atomicity->common.campaign, &trials[i], error);
    return ok;
}

/* Executions that search for violations switch threads only at shared data. Memory that one thread
   frees and another still uses may not count as shared: a few more executions switch at every
   access, and search only for such failures. */
static bool wide_trials(struct atomicity *atomicity, struct sm_harms *harms, struct sm_error *error)
{
    enum { WIDE_ONE_IN = 8 };
    size_t n = 1 + atomicity->settings.trials / WIDE_ONE_IN;
    if (atomicity->settings.gathered || sm_campaign_over(&atomicity->common.campaign))
        return true;
    struct sm_plan plan = {
        .options = atomicity->settings.options, .watch = SM_WATCH_ALL, .wide_every = 1};
    plan.options.steps = plan_trial(atomicity, 0).options.steps;
    plan.options.atomicity = 0;
    if (plan.options.schedule == SM_SCHEDULE_STEERED) /* that schedule is for atomicity
                                                         violations */
        plan.options.schedule = SM_SCHEDULES;
    struct sm_trial *trials = sm_plan_trials(&plan, 0, n);
    bool ok = sm_campaign_run(&atomicity->common.campaign, trials, n, error) &&
              note_trials(atomicity, trials, n, harms, error);
    for (size_t i = 0; i < n; i++)
        sm_result_free(&trials[i].result);
    free(trials);
    return ok;
}

/* Memory errors and misuse of locks are failures, whatever violations there are. */
static bool note_failures(struct atomicity *atomicity, struct sm_error *error)
{
    struct sm_atomicity_report *report = &atomicity->report;
    struct sm_harms harms = {0};
    bool ok = note_trials(atomicity, atomicity->trials, atomicity->n_trials, &harms, error) &&
              wide_trials(atomicity, &harms, error);
    report->failures.items = sm_new((harms.n + 1) * sizeof *report->failures.items);
    for (size_t i = 0; i < harms.n; i++)
        if (!sm_suppressions_failure(&atomicity->suppressions, &harms.items[i].failure))
            report->failures.items[report->failures.n++] = sm_failure_copy(&harms.items[i].failure);
    sm_harms_free(&harms);
    return ok;
}

static bool is_all_harmful(const struct atomicity *atomicity)
{
    for (size_t i = 0; i < atomicity->n_found; i++)
        if (atomicity->found[i].failing == SIZE_MAX && !atomicity->found[i].suppressed)
            return false;
    return true;
}

static bool look_for_harm(struct atomicity *atomicity, struct sm_error *error)
{
    if (atomicity->n_found == atomicity->n_suppressed)
        return true;
    if (!serial_trials(atomicity, error))
        return false;
    note_harm(atomicity);
    for (size_t made = 0; made < HARM_TRIALS && !is_all_harmful(atomicity); made += HARM_ROUND) {
        if (!make_trials(atomicity, HARM_ROUND, false, error))
            return false;
        note_harm(atomicity);
    }
    return true;
}

/* ---- witnesses ---- */

/* Shards keep no choices: the execution is repeated. */
static bool recall_choices(struct atomicity *atomicity, struct sm_trial *trial,
                           struct sm_error *error)
{
    struct sm_trial again = *trial;
    struct sm_outcome outcome;
    if (!atomicity->settings.gathered || trial->result.choices)
        return true;
    again.result = (struct sm_result){0};
    if (!sm_campaign_one(&atomicity->common.campaign, &again, &outcome, error))
        return false;
    sm_outcome_free(&outcome);
    trial->result.choices = again.result.choices;
    trial->result.n_choices = again.result.n_choices;
    again.result.choices = NULL;
    sm_result_free(&again.result);
    return true;
}

/* The analysis does not affect the execution: the witness is made without it. */
static bool prove(struct atomicity *atomicity, size_t i, const char *name, struct sm_error *error)
{
    struct sm_trial *trial = &atomicity->trials[i];
    if (!recall_choices(atomicity, trial, error))
        return false;
    struct shown *shown = &atomicity->shown[i];
    struct sm_case made = {.options = trial->options,
                           .watch = trial->watch,
                           .lied = trial->lied,
                           .choices = trial->result.choices,
                           .n_choices = trial->result.n_choices,
                           .kind =
                               sm_baseline_judge(&atomicity->common.baseline, &trial->result.facts),
                           .facts = trial->result.facts};
    made.options.atomicity = SM_ATOMICITY_OFF;
    if (shown->proved || sm_interrupt_signal())
        return true;
    return sm_prove(&shown->proof, &atomicity->common, &made, name, &shown->proved, error);
}

static bool prove_all(struct atomicity *atomicity, struct sm_error *error)
{
    atomicity->shown = sm_new((atomicity->n_trials + 1) * sizeof *atomicity->shown);
    for (size_t i = 0; i < atomicity->n_found; i++) {
        const struct found *found = &atomicity->found[i];
        if (!found->suppressed &&
            !prove(atomicity, found->failing == SIZE_MAX ? found->first : found->failing,
                   found->seen.unit, error))
            return false;
    }
    return true;
}

/* ---- the report ---- */

/* A function begins with a jump to its watched copy; if that was inlined into the caller, it looks
   like a separate call. */
static void add_caller(struct sm_atomicity_event *event, uint64_t pc, struct sm_symbols *symbols)
{
    struct sm_stack *stack = &event->access.stack, frames = {0};
    const char *callee =
        stack->n ? stack->frames[stack->n - 1].function : event->access.place.function;
    sm_symbols_frames(symbols, pc, &frames);
    for (uint32_t i = 0; i < frames.n; i++) {
        const char *function = frames.frames[i].function;
        if (i || frames.n == 1 || !function || !callee || strcmp(function, callee) != 0)
            sm_stack_add(stack, sm_place_copy(&frames.frames[i]));
    }
    sm_stack_free(&frames);
}

static void report_event(struct atomicity *atomicity, struct sm_atomicity_event *event,
                         const struct sm_violation_event *seen, struct sm_symbols *symbols)
{
    const struct sm_site_row *row = sm_sites_find(&atomicity->common.campaign.sites, seen->site);
    *event = (struct sm_atomicity_event){
        .access = {.kind = sm_event_word(seen->kind), .thread = seen->thread},
        .other = seen->other};
    if (row) {
        event->variable = sm_copy_text(row->variable);
        event->access.place = (struct sm_place){.file = sm_copy_text(row->file),
                                                .function = sm_demangle(row->function),
                                                .line = row->line,
                                                .column = row->column};
    }
    for (uint32_t i = 0; i < seen->depth && i < SM_VIOLATION_DEPTH; i++)
        add_caller(event, seen->stack[i], symbols);
}

static char *advice_for(const struct sm_violation *violation, const char *unit,
                        struct sm_symbols *symbols)
{
    struct sm_stack stack = {0};
    if (!violation->lock_pc)
        return sm_print("Take one lock around all of %s, and in all who access "
                        "the set",
                        unit);
    sm_symbols_frames(symbols, violation->lock_pc, &stack);
    struct sm_buffer text = {0};
    sm_buffer_print(&text, "Hold the lock that is taken at ");
    if (stack.n && stack.frames[0].file)
        sm_buffer_print(&text, "%s:%u", stack.frames[0].file, stack.frames[0].line);
    else
        sm_buffer_text(&text, "a place without debug information");
    sm_buffer_print(&text, " across all of %s%s", unit,
                    violation->locks_differ ? ", and at the accesses that do not hold it" : "");
    sm_stack_free(&stack);
    return text.data;
}

static void copy_failure(struct sm_failure *to, const struct sm_failure *from)
{
    *to = (struct sm_failure){.kind = from->kind,
                              .detail = sm_copy_text(from->detail),
                              .place = sm_place_copy(&from->place),
                              .thread = from->thread};
}

static void report_violation(struct atomicity *atomicity, const struct found *found,
                             struct sm_symbols *symbols)
{
    struct sm_atomicity_report *report = &atomicity->report;
    struct sm_atomicity_violation *violation = &report->violations[report->n_violations++];
    const struct sm_violation *seen = &found->seen;
    bool harmful = found->failing != SIZE_MAX;
    const struct shown *shown = &atomicity->shown[harmful ? found->failing : found->first];
    *violation = (struct sm_atomicity_violation){.pattern = seen->pattern,
                                                 .set = sm_copy_text(seen->set),
                                                 .unit = sm_demangle(seen->unit),
                                                 .other = sm_demangle(seen->other),
                                                 .fields = fields_of(atomicity, seen),
                                                 .n_events = seen->n_events,
                                                 .count = found->count,
                                                 .execution = found->first + 1};
    for (uint32_t i = 0; i < seen->n_events; i++)
        report_event(atomicity, &violation->events[i], &seen->events[i], symbols);
    violation->advice = advice_for(seen, violation->unit, symbols);
    if (!shown->proved)
        return;
    violation->witness = sm_copy_text(shown->proof.witness);
    if (harmful)
        copy_failure(&violation->failure, &shown->proof.failure);
}

static int by_place(const void *a, const void *b)
{
    const struct sm_atomicity_violation *x = a, *y = b;
    int order = strcmp(x->unit, y->unit);
    order = order ? order : strcmp(x->other, y->other);
    order = order ? order : strcmp(x->set, y->set);
    order = order ? order : strcmp(x->fields, y->fields);
    return order ? order : (int)x->pattern - (int)y->pattern;
}

static void fill_report(struct atomicity *atomicity)
{
    struct sm_atomicity_report *report = &atomicity->report;
    const struct sm_campaign *campaign = &atomicity->common.campaign;
    const struct sm_control *control = campaign->workers[0].shared.control;
    struct sm_symbols *symbols = sm_symbols_open(control->mappings, control->n_mappings);
    report->violations = sm_new((atomicity->n_found + 1) * sizeof *report->violations);
    for (size_t i = 0; i < atomicity->n_found; i++)
        if (!atomicity->found[i].suppressed)
            report_violation(atomicity, &atomicity->found[i], symbols);
    report->suppressed = atomicity->n_suppressed;
    report->warnings =
        sm_failures_of_harms(campaign->warnings, campaign->n_warnings, symbols, &campaign->sites);
    sm_symbols_close(symbols);
    qsort(report->violations, report->n_violations, sizeof *report->violations, by_place);
    report->target = atomicity->settings.operands.items;
    report->seconds = sm_campaign_seconds(campaign);
    report->lost = atomicity->lost;
    for (size_t i = 0; i < atomicity->n_trials; i++) {
        report->executions += atomicity->trials[i].done;
        if (atomicity->trials[i].result.facts.events > report->events)
            report->events = atomicity->trials[i].result.facts.events;
        if (atomicity->trials[i].result.tuples > report->tuples)
            report->tuples = atomicity->trials[i].result.tuples;
        report->unseen += atomicity->trials[i].result.tuples_lost;
    }
    report->interrupted = sm_interrupt_signal();
    report->out_of_time = !report->interrupted && campaign->cut;
    if (!campaign->gathered)
        return;
    report->merged = &campaign->gathered->merged;
    report->seconds = campaign->gathered->seconds;
    report->out_of_time |= !sm_gathered_complete(campaign->gathered);
}

static bool store_findings(struct atomicity *atomicity, struct sm_error *error)
{
    char *json = sm_atomicity_json_text(&atomicity->report);
    bool ok = sm_store_result(&atomicity->settings, "atomicity", json, error);
    free(json);
    return ok;
}

static bool show(struct atomicity *atomicity, struct sm_error *error)
{
    const struct sm_settings *settings = &atomicity->settings;
    bool json_on_stdout = settings->json && strcmp(settings->json, "-") == 0;
    FILE *to = json_on_stdout ? stderr : stdout;
    if (!settings->quiet)
        sm_report_atomicity_text(&atomicity->report, sm_settings_color(settings, fileno(to)), to);
    fflush(to); /* a signal may kill this process before it exits */
    return !settings->json || sm_report_atomicity_json(&atomicity->report, settings->json, error);
}

/* ---- the command ---- */

static bool open_all(struct atomicity *atomicity, struct sm_error *error)
{
    struct sm_settings *settings = &atomicity->settings;
    const char *out = settings->out ? settings->out : SM_OUT_DEFAULT;
    if (!settings->operands.n)
        return sm_fail(error, SM_STATUS_USAGE,
                       "atomicity: no program given; type: stalemate atomicity [OPTIONS] -- "
                       "PROGRAM ARGS...");
    settings->options.infer_units = settings->infer_units;
    if (settings->conflict)
        settings->options.atomicity = SM_ATOMICITY_CONFLICT;
    atomicity->common.settings = settings;
    atomicity->common.witnesses = sm_print("%s/witnesses", out);
    if (!sm_suppressions_read(&atomicity->suppressions, settings->suppressions, error))
        return false;
    atomicity->store = sm_store_open(out, error);
    if (!atomicity->store ||
        !sm_campaign_open(&atomicity->common.campaign, settings, atomicity->store, error))
        return false;
    if (!settings->quiet)
        sm_progress_start(&atomicity->progress, &atomicity->common.campaign);
    return true;
}

/* All accesses to the same type of struct, or to the same variable. */
static bool is_like(const struct sm_site_row *a, const struct sm_site_row *b)
{
    return *a->object ? strcmp(a->object, b->object) == 0
                      : !*b->object && strcmp(a->variable, b->variable) == 0;
}

static void learn_shared(struct atomicity *atomicity, const struct sm_control *control)
{
    const struct sm_sites *sites = &atomicity->common.campaign.sites;
    for (uint32_t i = 0; i < sites->n; i++) {
        uint32_t site = sites->rows[i].number;
        if (site >= SM_WATCH_BITS || !(control->shared_bits[site / 8] >> site % 8 & 1) ||
            sm_watchlist_has(&atomicity->shared, site))
            continue;
        for (uint32_t k = 0; k < sites->n; k++)
            if (is_like(&sites->rows[i], &sites->rows[k]))
                sm_watchlist_add(&atomicity->shared, sites->rows[k].number);
    }
}

static bool fails_at_once(struct atomicity *atomicity, struct sm_outcome *outcome,
                          struct sm_error *error)
{
    const struct sm_campaign *campaign = &atomicity->common.campaign;
    struct sm_buffer text = {0};
    sm_outcome_locate(outcome, &campaign->workers[0], &campaign->sites);
    sm_voice_failure_kind(&text, &outcome->failure);
    sm_fail(error, SM_STATUS_FOUND,
            "the program fails in its first execution: %s; atomicity judges programs that pass; to "
            "see this failure: stalemate hunt -- PROGRAM",
            text.data);
    sm_buffer_free(&text);
    return false;
}

/* One that fails and shows violations is used: they may be the reason. */
static bool make_first(struct atomicity *atomicity, struct sm_error *error)
{
    struct sm_trial first = {0};
    struct sm_outcome outcome = {0};
    bool ok = sm_baseline_begin(&atomicity->common.baseline, &atomicity->common.campaign,
                                &atomicity->settings, &first, &outcome, error);
    if (ok && outcome.failure.kind != SM_FAILURE_NONE && !first.result.n_violations)
        ok = fails_at_once(atomicity, &outcome, error);
    const struct sm_target *target = &atomicity->common.campaign.workers[0];
    if (ok && !target->shared.control->n_sites)
        ok = sm_target_is_plain(target, error);
    sm_result_free(&first.result);
    sm_outcome_free(&outcome);
    return ok;
}

static bool begin(struct atomicity *atomicity, struct sm_error *error)
{
    if (!declare(atomicity, error) || !make_first(atomicity, error))
        return false;
    const struct sm_control *control = atomicity->common.campaign.workers[0].shared.control;
    atomicity->common.baseline.points = control->counters[SM_COUNT_POINT];
    learn_shared(atomicity, control);
    return check_names(control, error) && declare_inferred(atomicity, control, error);
}

static void close_all(struct atomicity *atomicity)
{
    for (size_t i = 0; i < atomicity->n_trials; i++) {
        sm_result_free(&atomicity->trials[i].result);
        if (atomicity->shown)
            sm_proof_free(&atomicity->shown[i].proof);
    }
    free(atomicity->trials);
    free(atomicity->shown);
    free(atomicity->found);
    free(atomicity->shared.sites);
    sm_suppressions_free(&atomicity->suppressions);
    sm_atomicity_report_free(&atomicity->report);
    sm_baseline_free(&atomicity->common.baseline);
    sm_campaign_close(&atomicity->common.campaign);
    sm_store_close(atomicity->store);
    free(atomicity->common.witnesses);
    sm_settings_free(&atomicity->settings);
}

/* The first execution infers what the others search for. */
static uint64_t profile_hash(const struct atomicity *atomicity)
{
    const struct sm_control *control = atomicity->common.campaign.workers[0].shared.control;
    const struct sm_watchlist *shared = &atomicity->shared;
    struct sm_buffer text = {0};
    sm_buffer_print(&text, "%s\n%lu\n", control->declarations,
                    (unsigned long)atomicity->common.baseline.points);
    if (shared->n)
        sm_buffer_add(&text, shared->sites, shared->n * sizeof *shared->sites);
    uint64_t hash = XXH3_64bits(text.data, text.size);
    sm_buffer_free(&text);
    return hash ? hash : 1;
}

static bool run_slice(struct atomicity *atomicity, struct sm_error *error)
{
    struct sm_campaign *campaign = &atomicity->common.campaign;
    const struct sm_settings *settings = &atomicity->settings;
    if (!open_all(atomicity, error) ||
        !sm_shard_begin(campaign, settings, SM_COMMAND_ATOMICITY, error) ||
        !begin(atomicity, error))
        return false;
    uint64_t profile = profile_hash(atomicity);
    bool ok = make_trials(atomicity, settings->trials, true, error);
    campaign->cut |= sm_campaign_over(campaign);
    sm_progress_wipe(&atomicity->progress);
    return ok && sm_shard_finish(campaign, settings, SM_COMMAND_ATOMICITY, profile, error);
}

static bool run(struct atomicity *atomicity, struct sm_error *error)
{
    if (atomicity->settings.shard.of)
        return run_slice(atomicity, error);
    bool ok = open_all(atomicity, error) && begin(atomicity, error) &&
              make_trials(atomicity, atomicity->settings.trials, true, error) &&
              look_for_harm(atomicity, error) && note_failures(atomicity, error) &&
              prove_all(atomicity, error);
    if (ok)
        fill_report(atomicity);
    ok = ok && store_findings(atomicity, error);
    sm_progress_wipe(&atomicity->progress);
    return ok && show(atomicity, error);
}

static int finish(struct atomicity *atomicity, bool ok, struct sm_error *error)
{
    sm_interrupt_catch();
    ok = ok && run(atomicity, error);
    bool found = atomicity->report.n_violations || atomicity->report.failures.n;
    int status = !ok ? sm_error_print(error) : found ? SM_STATUS_FOUND : SM_STATUS_OK;
    close_all(atomicity);
    sm_interrupt_finish();
    return status;
}

int sm_atomicity_gathered(struct sm_settings *settings)
{
    struct atomicity atomicity = {.settings = *settings};
    struct sm_error error = {0};
    return finish(&atomicity, true, &error);
}

int sm_atomicity_main(int argc, char **argv)
{
    (void)argc;
    struct atomicity atomicity = {0};
    struct sm_error error = {0};
    bool ok = sm_settings_parse(&atomicity.settings, SM_COMMAND_ATOMICITY, true, argv, &error);
    if (ok && atomicity.settings.help) {
        sm_command_help("atomicity", SM_COMMAND_ATOMICITY);
        sm_settings_free(&atomicity.settings);
        return SM_STATUS_OK;
    }
    return finish(&atomicity, ok, &error);
}
