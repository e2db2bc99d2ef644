#include "hunt/prelude.h"

#include <stdlib.h>

#include "campaign/begin.h"
#include "campaign/plan.h"
#include "findings/race_json.h"
#include "target/symbols.h"

#define LEAST_TIMEOUT 10.0
/* Trials go on finding what they are after; a baseline has said what it has to say. */
enum { MOST_BASELINE = 250, LEAST_BASELINE = 4 };
/* Trials with lies that are to find further races: each heuristic with five schedules. */
enum { MOST_HIDDEN = 20, LEAST_HIDDEN_STEPS = 10000 };
#define BASELINE_SECONDS 30.0 /* for programs so slow that this is fewer executions */
#define BASELINE_SHARE 4      /* of --time: one part in so many */

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

static bool add_loose(struct sm_prelude *prelude, const struct sm_trial *trial,
                      struct sm_error *error)
{
    for (size_t i = 0; i < prelude->n_loose; i++)
        if (prelude->loose[i].facts.signature == trial->result.facts.signature)
            return true;
    prelude->loose = sm_resize(prelude->loose, (prelude->n_loose + 1) * sizeof *prelude->loose);
    struct sm_case *failing = &prelude->loose[prelude->n_loose];
    if (!sm_case_take(failing, trial, &prelude->hunt->campaign, &prelude->hunt->baseline, error))
        return false;
    prelude->n_loose += failing->kind != SM_FAILURE_NONE;
    return true;
}

static bool learn_baseline(struct sm_prelude *prelude, const struct sm_trial *trial,
                           struct sm_error *error)
{
    struct sm_baseline *baseline = &prelude->hunt->baseline;
    const struct sm_result_facts *facts = &trial->result.facts;
    sm_races_add(&prelude->races, trial->result.races, trial->result.n_races);
    note_limits(baseline, facts);
    sm_baseline_note(baseline, facts);
    if (facts->kind == SM_FAILURE_NONE)
        return true;
    sm_hashes_add(trial->options.narrow ? &baseline->order_failures : &baseline->race_failures,
                  facts->signature);
    return add_loose(prelude, trial, error);
}

/* Wide: every access is watched, and races are looked for. Narrow: only synchronisation is
   interleaved. */
static bool baseline_trials(struct sm_prelude *prelude, bool wide, size_t n, struct sm_error *error)
{
    struct sm_plan plan = {.options = prelude->hunt->settings->options,
                           .watch = wide ? SM_WATCH_ALL : SM_WATCH_LIST,
                           .watched = &prelude->hunt->racy,
                           .wide_every = wide};
    plan.options.model = SM_MODEL_SC;
    plan.options.schedule = SM_SCHEDULES;
    plan.options.races = wide;
    if (prelude->hunt->baseline.points)
        plan.options.pct_length = prelude->hunt->baseline.points;
    struct sm_trial *trials = sm_plan_trials(&plan, 0, n);
    bool ok = sm_campaign_run(&prelude->hunt->campaign, trials, n, error);
    for (size_t i = 0; i < n; i++) {
        if (ok && trials[i].done)
            ok = learn_baseline(prelude, &trials[i], error);
        sm_result_free(&trials[i].result);
    }
    free(trials);
    return ok;
}

/* A race is between two accesses, and so is what a suppression is about: a variable is left
   out when all its races are. The other races are added to `kept`; returns how many variables
   there are in all. */
static size_t leave_out_suppressed(struct sm_prelude *prelude, struct sm_races *kept)
{
    const struct sm_control *control = prelude->hunt->campaign.workers[0].shared.control;
    const struct sm_sites *sites = &prelude->hunt->campaign.sites;
    struct sm_symbols *symbols = sm_symbols_open(control->mappings, control->n_mappings);
    struct sm_variables all = {0};
    sm_variables_find(&all, &prelude->races, sites);
    for (size_t i = 0; i < prelude->races.n; i++) {
        json_t *json = sm_race_json(&prelude->races.items[i], &all, sites, symbols);
        if (!sm_suppressions_match(prelude->suppressions, json))
            sm_races_add(kept, &prelude->races.items[i], 1);
        json_decref(json);
    }
    size_t n = all.n;
    sm_variables_free(&all);
    sm_symbols_close(symbols);
    return n;
}

static void find_variables(struct sm_prelude *prelude)
{
    struct sm_races kept = {0};
    size_t n = leave_out_suppressed(prelude, &kept);
    sm_variables_free(&prelude->variables);
    sm_variables_find(&prelude->variables, &kept, &prelude->hunt->campaign.sites);
    for (size_t i = 0; i < kept.n; i++)
        for (uint32_t k = 0; k < kept.items[i].n_places; k++)
            sm_places_add(&prelude->hunt->sampled, kept.items[i].places[k]);
    sm_races_free(&kept);
    prelude->suppressed = n - prelude->variables.n;
    for (size_t i = 0; i < prelude->variables.n; i++)
        for (size_t k = 0; k < prelude->variables.items[i].sites.n; k++)
            sm_watchlist_add(&prelude->hunt->racy, prelude->variables.items[i].sites.sites[k]);
}

/* Races that come only where a lie has led: two threads inside what a stale flag should have
   kept to one. Every access is watched, and all racy variables are lied about. */
static bool find_hidden_races(struct sm_prelude *prelude, size_t n, struct sm_error *error)
{
    struct sm_plan plan = {.options = prelude->hunt->settings->options,
                           .watch = SM_WATCH_ALL,
                           .lied = &prelude->hunt->racy,
                           .wide_every = 1,
                           .lies_only = true};
    plan.options.races = 1;
    if (prelude->hunt->baseline.points)
        plan.options.pct_length = prelude->hunt->baseline.points;
    if (!plan.options.steps)
        plan.options.steps = 10 * prelude->hunt->baseline.points + LEAST_HIDDEN_STEPS;
    struct sm_trial *trials = sm_plan_trials(&plan, 0, n);
    bool ok = sm_campaign_run(&prelude->hunt->campaign, trials, n, error);
    for (size_t i = 0; i < n; i++) {
        if (ok && trials[i].done)
            sm_races_add(&prelude->races, trials[i].result.races, trials[i].result.n_races);
        sm_result_free(&trials[i].result);
    }
    free(trials);
    return ok;
}

static size_t baseline_size(const struct sm_prelude *prelude)
{
    uint64_t n = prelude->hunt->settings->trials / 2 + 2;
    double each = prelude->hunt->baseline.seconds / (double)prelude->hunt->campaign.n_workers;
    if (n > MOST_BASELINE)
        n = MOST_BASELINE;
    if (n > LEAST_BASELINE && (double)n * each > BASELINE_SECONDS)
        n = (uint64_t)(BASELINE_SECONDS / each);
    return n > LEAST_BASELINE ? n : LEAST_BASELINE;
}

/* Wide executions find the races, narrow ones the failures that are no race's fault. Two
   wide ones first: they say how long the others are. */
static bool learn_all(struct sm_prelude *prelude, struct sm_error *error)
{
    if (!sm_hunt_begin(prelude->hunt, error) || !baseline_trials(prelude, true, 2, error) ||
        !baseline_trials(prelude, true, baseline_size(prelude), error))
        return false;
    find_variables(prelude);
    size_t n = baseline_size(prelude), known = prelude->races.n;
    if (prelude->variables.n && prelude->hunt->settings->options.model != SM_MODEL_SC) {
        if (!find_hidden_races(prelude, n < MOST_HIDDEN ? n : MOST_HIDDEN, error))
            return false;
        if (prelude->races.n > known)
            find_variables(prelude);
    }
    return baseline_trials(prelude, false, n, error);
}

bool sm_prelude_run(struct sm_prelude *prelude, struct sm_error *error)
{
    struct sm_campaign *campaign = &prelude->hunt->campaign;
    double deadline = campaign->deadline;
    if (deadline > 0)
        campaign->deadline = campaign->started + prelude->hunt->settings->time / BASELINE_SHARE;
    bool ok = learn_all(prelude, error);
    campaign->deadline = deadline;
    if (!ok)
        return false;
    double seconds = 10 * prelude->hunt->baseline.seconds;
    sm_hunt_limit(prelude->hunt, seconds > LEAST_TIMEOUT ? seconds : LEAST_TIMEOUT);
    return true;
}

void sm_prelude_free(struct sm_prelude *prelude)
{
    for (size_t i = 0; i < prelude->n_loose; i++)
        sm_case_free(&prelude->loose[i]);
    free(prelude->loose);
    sm_variables_free(&prelude->variables);
    sm_races_free(&prelude->races);
}
