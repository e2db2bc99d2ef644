#include "hunt/survey.h"

#include <stdlib.h>

#include "base/now.h"
#include "campaign/baseline.h"
#include "campaign/plan.h"
#include "hunt/describe_race.h"
#include "hunt/exact.h"
#include "target/symbols.h"

#define LEAST_TIMEOUT 10.0
/* More trials keep finding failures; more executions of the baseline add little. */
enum { MOST_BASELINE = 250, LEAST_BASELINE = 4, LEAST_BASELINE_STEPS = 100000 };
enum { START_COST = 1000 }; /* events that take as long as the start of an execution: 200 us */
/* Trials with lies that look for further races: each heuristic with five schedules. */
enum { STEPS_TO_LIVELOCK = 8 * SM_LIVELOCK_POINTS };
enum { MOST_HIDDEN = 20, LEAST_HIDDEN_STEPS = 10000 };
#define BASELINE_SECONDS 30.0 /* for programs so slow that this allows fewer executions */
#define BASELINE_SHARE 4      /* of the remaining time: one part in so many */

static void note_limits(struct sm_baseline *baseline, const struct sm_result_facts *facts)
{
    if (facts->kind != SM_FAILURE_NONE)
        return;
    if (facts->events > baseline->events)
        baseline->events = facts->events;
    if (facts->points > baseline->points)
        baseline->points = facts->points;
    if (facts->seconds > baseline->seconds)
        baseline->seconds = facts->seconds;
}

/* ---- failures ---- */

static bool is_watched_known(const struct sm_result_facts *trial,
                             const struct sm_result_facts *watched)
{
    return trial->kind == SM_FAILURE_HANG
               ? watched->kind == SM_FAILURE_LIVELOCK
               : watched->kind == SM_FAILURE_LOST_WAKEUP && watched->signature == trial->signature;
}

/* If every access is an event, a lost wake-up can be told from a deadlock, and a livelock from a
   hang, which takes more steps. A narrow execution with more accesses watched has the same
   schedule: `shown` is that execution if it shows more. */
static bool look_closer(struct sm_survey *survey, const struct sm_trial *trial,
                        struct sm_trial *shown, struct sm_error *error)
{
    struct sm_trial watched = *trial;
    struct sm_outcome outcome;
    bool hangs = trial->result.facts.kind == SM_FAILURE_HANG && trial->options.steps;
    bool stops = trial->result.facts.kind == SM_FAILURE_DEADLOCK && trial->watch != SM_WATCH_ALL;
    *shown = *trial;
    if (!hangs && !stops)
        return true;
    watched.watch = SM_WATCH_ALL;
    watched.options.steps += hangs ? STEPS_TO_LIVELOCK : 0;
    watched.result = (struct sm_result){0};
    if (!sm_campaign_one(&survey->hunt->campaign, &watched, &outcome, error))
        return false;
    if (is_watched_known(&trial->result.facts, &watched.result.facts)) {
        shown->watch = SM_WATCH_ALL;
        shown->options.steps = watched.options.steps;
        shown->result.facts = watched.result.facts;
    }
    sm_outcome_free(&outcome);
    sm_result_free(&watched.result);
    return true;
}

/* Is a failure of this kind at this place listed? */
static bool count_known(struct sm_survey *survey, const struct sm_result_facts *facts)
{
    for (size_t i = 0; i < survey->n_failures; i++)
        if (survey->failures[i].failing.facts.signature == facts->signature) {
            survey->failures[i].count++;
            return true;
        }
    return false;
}

/* Failures of one kind at the same places are one. */
static bool add_failure(struct sm_survey *survey, const struct sm_trial *trial,
                        struct sm_error *error)
{
    struct sm_trial shown;
    if (count_known(survey, &trial->result.facts))
        return true;
    if (!look_closer(survey, trial, &shown, error))
        return false;
    if (count_known(survey, &shown.result.facts))
        return true;
    survey->failures =
        sm_resize(survey->failures, (survey->n_failures + 1) * sizeof *survey->failures);
    struct sm_survey_failure *failure = &survey->failures[survey->n_failures];
    failure->count = 1;
    if (!sm_case_take(&failure->failing, &shown, &survey->hunt->campaign, &survey->hunt->baseline,
                      error))
        return false;
    if (failure->failing.kind == SM_FAILURE_NONE && survey->hunt->campaign.cut)
        failure->failing.kind = (enum sm_failure_kind)trial->result.facts.kind;
    survey->n_failures += failure->failing.kind != SM_FAILURE_NONE;
    survey->hangs_end |= failure->failing.slow;
    return true;
}

static bool learn_failure(struct sm_survey *survey, const struct sm_trial *trial,
                          struct sm_error *error)
{
    struct sm_baseline *baseline = &survey->hunt->baseline;
    const struct sm_result_facts *facts = &trial->result.facts;
    if (facts->kind == SM_FAILURE_HANG &&
        (survey->hangs_end || sm_hashes_have(&baseline->order_failures, facts->signature)))
        return true;
    if (!add_failure(survey, trial, error))
        return false;
    if (facts->kind != SM_FAILURE_HANG || !survey->hangs_end)
        sm_hashes_add(trial->options.narrow ? &baseline->order_failures : &baseline->race_failures,
                      facts->signature);
    return true;
}

/* ---- executions under sc ---- */

static void count_covered(struct sm_survey *survey, struct sm_trial *trial)
{
    const struct sm_result_facts *facts = &trial->result.facts;
    sm_covered_add(&survey->covered, &trial->result, ++survey->made);
    survey->cost += facts->events + START_COST;
    survey->seconds += facts->seconds;
    double *quickest =
        facts->kind == SM_FAILURE_NONE ? &survey->quickest : &survey->quickest_failed;
    if (!*quickest || facts->seconds < *quickest)
        *quickest = facts->seconds;
    if (trial->options.narrow && facts->points > survey->narrow_points &&
        facts->kind == SM_FAILURE_NONE)
        survey->narrow_points = facts->points;
}

static bool learn_baseline(struct sm_survey *survey, struct sm_trial *trial, struct sm_error *error)
{
    struct sm_baseline *baseline = &survey->hunt->baseline;
    const struct sm_result_facts *facts = &trial->result.facts;
    size_t known = survey->races.n + survey->n_failures;
    count_covered(survey, trial);
    sm_races_add(&survey->races, trial->result.races, trial->result.n_races);
    note_limits(baseline, facts);
    sm_baseline_note(baseline, facts);
    bool ok = facts->kind == SM_FAILURE_NONE || learn_failure(survey, trial, error);
    if (survey->races.n + survey->n_failures > known)
        survey->covered.last_new = survey->made;
    return ok;
}

/* If the first execution failed, the first that does not fail determines the expected exit status;
   and if any execution ends with 0, that is expected. */
static bool is_better(const struct sm_survey *survey, const struct sm_trial *trial)
{
    const struct sm_hunt *hunt = survey->hunt;
    const struct sm_result_facts *facts = &trial->result.facts;
    if (!trial->done || !hunt->baseline.is_known)
        return trial->done && sm_ended_well(facts);
    return hunt->baseline.exit_status && hunt->settings->expect_exit == SM_NO_EXPECTATION &&
           facts->kind == SM_FAILURE_EXIT && facts->exit_status == 0;
}

static bool adopt_better(struct sm_survey *survey, const struct sm_trial *trials, size_t n,
                         bool *adopted, struct sm_error *error)
{
    struct sm_hunt *hunt = survey->hunt;
    struct sm_baseline *baseline = &hunt->baseline;
    struct sm_outcome outcome;
    size_t i = 0;
    while (i < n && !is_better(survey, &trials[i]))
        i++;
    *adopted = i < n;
    if (!*adopted)
        return true;
    struct sm_trial again = trials[i];
    again.result = (struct sm_result){0};
    if (!sm_campaign_one(&hunt->campaign, &again, &outcome, error))
        return false;
    sm_outcome_free(&outcome);
    sm_result_free(&again.result);
    sm_hashes_clear(&baseline->outputs);
    sm_buffer_free(&baseline->usual_output);
    baseline->usual_output = (struct sm_buffer){0};
    sm_capture_read(&hunt->campaign.workers[0].output, &baseline->usual_output);
    free(baseline->errors);
    baseline->errors = NULL;
    sm_baseline_adopt(baseline, &hunt->campaign, hunt->settings,
                      trials[i].result.facts.exit_status);
    return true;
}

/* `again`: NULL, or whether they are to be made again, for what is right is known only now. */
static bool learn_trials(struct sm_survey *survey, struct sm_trial *trials, size_t n, bool *again,
                         struct sm_error *error)
{
    bool ok = sm_campaign_run(&survey->hunt->campaign, trials, n, error);
    if (ok && again)
        ok = adopt_better(survey, trials, n, again, error);
    for (size_t i = 0; i < n; i++) {
        if (ok && trials[i].done && !(again && *again))
            ok = learn_baseline(survey, &trials[i], error);
        sm_result_free(&trials[i].result);
    }
    return ok;
}

/* The first execution again: it may count as a failure now. */
static bool learn_default(struct sm_survey *survey, struct sm_error *error)
{
    struct sm_trial trial = {.options = sm_plan_default(&survey->hunt->settings->options),
                             .watch = SM_WATCH_ALL};
    bool again = false;
    return learn_trials(survey, &trial, 1, &again, error);
}

struct sm_plan sm_survey_plan(const struct sm_survey *survey, bool wide)
{
    struct sm_plan plan = {.options = survey->hunt->settings->options,
                           .watch = wide ? SM_WATCH_ALL : SM_WATCH_LIST,
                           .watched = &survey->hunt->racy,
                           .wide_every = wide};
    plan.options.model = SM_MODEL_SC;
    plan.options.schedule = SM_SCHEDULES;
    plan.options.races = wide;
    plan.options.coverage = 1;
    if (!plan.options.leaks)
        plan.options.leaks = SM_LEAKS_TOLD;
    if (survey->hunt->baseline.points)
        plan.options.pct_length = survey->hunt->baseline.points;
    if (!plan.options.steps && survey->hunt->baseline.points)
        plan.options.steps = 10 * survey->hunt->baseline.points + LEAST_BASELINE_STEPS;
    return plan;
}

/* Made again when it was only learnt on the way which exit status is right. */
static bool baseline_trials(struct sm_survey *survey, bool wide, size_t n, struct sm_error *error)
{
    struct sm_plan plan = sm_survey_plan(survey, wide);
    struct sm_trial *trials = sm_plan_trials(&plan, 0, n);
    bool again = false;
    bool ok = learn_trials(survey, trials, n, &again, error);
    free(trials);
    return ok && again ? learn_default(survey, error) && baseline_trials(survey, wide, n, error)
                       : ok;
}

bool sm_survey_go_on(struct sm_survey *survey, const struct sm_plan *plan, uint64_t first, size_t n,
                     struct sm_error *error)
{
    struct sm_trial *trials = sm_plan_trials(plan, first, n);
    bool ok = learn_trials(survey, trials, n, NULL, error);
    free(trials);
    return ok;
}

/* With the default schedule no thread is preempted: a failure needs no race. */
static bool begin(struct sm_survey *survey, struct sm_error *error)
{
    struct sm_hunt *hunt = survey->hunt;
    struct sm_trial first = {0};
    struct sm_outcome outcome = {0};
    bool ok = sm_baseline_begin(&hunt->baseline, &hunt->campaign, hunt->settings, &first, &outcome,
                                error);
    if (ok &&
        first.result.facts.kind == SM_FAILURE_LIVELOCK) /* others need not end by themselves */
        hunt->baseline.points = first.result.facts.points - SM_LIVELOCK_POINTS;
    if (ok && first.result.facts.kind != SM_FAILURE_NONE) {
        sm_hashes_add(&hunt->baseline.order_failures, first.result.facts.signature);
        ok = learn_failure(survey, &first, error);
    }
    sm_result_free(&first.result);
    sm_outcome_free(&outcome);
    return ok;
}

/* ---- races ---- */

/* A race is between two accesses, and a suppression matches races: a variable is left out if all
   its races match. The other races are added to `kept`; returns how many variables there are in
   all. */
static size_t leave_out_suppressed(struct sm_survey *survey, struct sm_races *kept)
{
    const struct sm_control *control = survey->hunt->campaign.workers[0].shared.control;
    const struct sm_sites *sites = &survey->hunt->campaign.sites;
    struct sm_symbols *symbols = sm_symbols_open(control->mappings, control->n_mappings);
    struct sm_variables all = {0};
    sm_variables_find(&all, &survey->races, sites);
    for (size_t i = 0; i < survey->races.n; i++) {
        struct sm_data_race race = sm_race_describe(&survey->races.items[i], &all, sites, symbols);
        if (!sm_suppressions_match(survey->suppressions, &race))
            sm_races_add(kept, &survey->races.items[i], 1);
        sm_data_race_free(&race);
    }
    size_t n = all.n;
    sm_variables_free(&all);
    sm_symbols_close(symbols);
    return n;
}

/* `kept`: the races that are theirs, for the caller to free. */
static void list_variables(struct sm_survey *survey, struct sm_variables *to, struct sm_races *kept)
{
    size_t n = leave_out_suppressed(survey, kept);
    sm_variables_find(to, kept, &survey->hunt->campaign.sites);
    survey->suppressed = n - to->n;
}

static void watch_variables(struct sm_survey *survey, const struct sm_variables *variables,
                            const struct sm_races *kept)
{
    for (size_t i = 0; i < kept->n; i++)
        for (uint32_t k = 0; k < kept->items[i].n_places; k++)
            sm_places_add(&survey->hunt->sampled, kept->items[i].places[k]);
    for (size_t i = 0; i < variables->n; i++)
        for (size_t k = 0; k < variables->items[i].sites.n; k++)
            sm_watchlist_add(&survey->hunt->racy, variables->items[i].sites.sites[k]);
}

static void find_variables(struct sm_survey *survey)
{
    struct sm_races kept = {0};
    sm_variables_free(&survey->variables);
    list_variables(survey, &survey->variables, &kept);
    watch_variables(survey, &survey->variables, &kept);
    sm_races_free(&kept);
}

/* ---- races that come late ---- */

/* What has a site in common with a variable that is known is that variable. */
static struct sm_variable *known_variable(struct sm_survey *survey, const struct sm_variable *found)
{
    for (size_t i = 0; i < survey->variables.n; i++)
        for (size_t k = 0; k < found->sites.n; k++)
            if (sm_watchlist_has(&survey->variables.items[i].sites, found->sites.sites[k]))
                return &survey->variables.items[i];
    return NULL;
}

/* Its sites stay those that were lied about. */
static void learn_accesses(struct sm_variable *known, struct sm_variable *found)
{
    struct sm_variable before = *known;
    known->accesses = found->accesses;
    known->n_accesses = found->n_accesses;
    known->addresses = found->addresses;
    known->n_addresses = found->n_addresses;
    known->count = found->count;
    found->accesses = before.accesses;
    found->addresses = before.addresses;
}

void sm_survey_find_late(struct sm_survey *survey)
{
    struct sm_variables all = {0}, known = {0};
    struct sm_races kept = {0};
    list_variables(survey, &all, &kept);
    survey->late.items = sm_new((all.n + 1) * sizeof *all.items);
    known.items = sm_new((all.n + 1) * sizeof *all.items);
    for (size_t i = 0; i < all.n; i++) {
        struct sm_variable *same = known_variable(survey, &all.items[i]);
        struct sm_variables *to = same ? &known : &survey->late;
        if (same)
            learn_accesses(same, &all.items[i]);
        to->items[to->n++] = all.items[i];
    }
    if (survey->late.n) /* else executions stay what they are: those of shards, for instance */
        watch_variables(survey, &survey->late, &kept);
    free(all.items);
    sm_variables_free(&known);
    sm_races_free(&kept);
}

/* ---- races that lies lead to ---- */

/* Races that exist only after a lie: two threads inside a section that a stale flag should have
   kept to one. Every access is watched, with lies about all racy variables. */
static bool find_hidden_races(struct sm_survey *survey, size_t n, struct sm_error *error)
{
    struct sm_plan plan = {.options = survey->hunt->settings->options,
                           .watch = SM_WATCH_ALL,
                           .lied = &survey->hunt->racy,
                           .wide_every = 1,
                           .lies_only = true};
    plan.options.races = 1;
    if (survey->hunt->baseline.points)
        plan.options.pct_length = survey->hunt->baseline.points;
    if (!plan.options.steps)
        plan.options.steps = 10 * survey->hunt->baseline.points + LEAST_HIDDEN_STEPS;
    struct sm_trial *trials = sm_plan_trials(&plan, 0, n);
    bool ok = sm_campaign_run(&survey->hunt->campaign, trials, n, error);
    for (size_t i = 0; i < n; i++) {
        if (ok && trials[i].done)
            sm_races_add(&survey->races, trials[i].result.races, trials[i].result.n_races);
        sm_result_free(&trials[i].result);
    }
    free(trials);
    return ok;
}

/* By the quickest execution so far: a machine that is busy delays some, and the result should not
   depend on that. */
static size_t baseline_size(const struct sm_survey *survey)
{
    uint64_t n = survey->hunt->settings->trials / 2 + 2;
    double each = (survey->quickest ? survey->quickest : survey->quickest_failed) /
                  (double)survey->hunt->campaign.n_workers;
    if (n > MOST_BASELINE)
        n = MOST_BASELINE;
    if (survey->hunt->divided)
        return n > LEAST_BASELINE ? n : LEAST_BASELINE;
    if (n > LEAST_BASELINE && (double)n * each > BASELINE_SECONDS)
        n = (uint64_t)(BASELINE_SECONDS / each);
    return n > LEAST_BASELINE ? n : LEAST_BASELINE;
}

/* Wide executions find the races, narrow ones the failures that no race causes. Two wide ones come
   first, to measure how long the others are. */
static bool find_races(struct sm_survey *survey, struct sm_error *error)
{
    if (!begin(survey, error) || !baseline_trials(survey, true, 2, error) ||
        !baseline_trials(survey, true, baseline_size(survey), error))
        return false;
    find_variables(survey);
    size_t n = baseline_size(survey), known = survey->races.n;
    if (survey->variables.n && survey->hunt->settings->options.model != SM_MODEL_SC) {
        if (!find_hidden_races(survey, n < MOST_HIDDEN ? n : MOST_HIDDEN, error))
            return false;
        if (survey->races.n > known)
            find_variables(survey);
    }
    return true;
}

static bool find_failures(struct sm_survey *survey, struct sm_error *error)
{
    return baseline_trials(survey, false, baseline_size(survey), error);
}

/* In a part of the available time. */
static bool run_part(struct sm_survey *survey, double began,
                     bool (*part)(struct sm_survey *survey, struct sm_error *error),
                     struct sm_error *error)
{
    struct sm_campaign *campaign = &survey->hunt->campaign;
    double deadline = campaign->deadline;
    if (deadline > 0)
        campaign->deadline = began + (deadline - began) / BASELINE_SHARE;
    bool ok = part(survey, error);
    campaign->deadline = deadline;
    if (!ok)
        return false;
    double seconds = 10 * survey->hunt->baseline.seconds;
    sm_campaign_limit(campaign, survey->hunt->settings,
                      seconds > LEAST_TIMEOUT ? seconds : LEAST_TIMEOUT);
    return true;
}

bool sm_survey_run(struct sm_survey *survey, struct sm_error *error)
{
    const struct sm_hunt *hunt = survey->hunt;
    return run_part(survey, hunt->campaign.started, find_races, error) &&
           ((!hunt->divided && sm_exact_applies(hunt)) || sm_survey_finish(survey, error));
}

bool sm_survey_finish(struct sm_survey *survey, struct sm_error *error)
{
    bool ok = survey->finished || run_part(survey, sm_now(), find_failures, error);
    survey->finished = true;
    return ok;
}

void sm_survey_free(struct sm_survey *survey)
{
    for (size_t i = 0; i < survey->n_failures; i++)
        sm_case_free(&survey->failures[i].failing);
    free(survey->failures);
    sm_variables_free(&survey->variables);
    sm_variables_free(&survey->late);
    sm_covered_free(&survey->covered);
    sm_races_free(&survey->races);
}
