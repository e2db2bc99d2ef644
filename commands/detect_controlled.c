/* detect_controlled.c - executions of a program under control, each with its own schedule. */
#include <stdlib.h>

#include "base/interrupt.h"
#include "campaign/harms.h"
#include "campaign/plan.h"
#include "campaign/progress.h"
#include "campaign/shards.h"
#include "commands/detect.h"
#include "findings/json.h"
#include "hunt/describe_race.h"
#include "target/symbols.h"

struct controlled {
    struct sm_detect *detect;
    struct sm_campaign campaign;
    struct sm_progress progress;
    struct sm_races races;
    struct sm_harms harms;
    struct sm_detect_exits exits;
    uint64_t pct_length; /* scheduling points of the first execution */
};

/* So many are planned at a time: a result keeps its races until they are merged. */
enum { BATCH = 256 };

/* The place of a failure that the runtime did not notice itself needs a witness, which hunt
   makes. */
static void note_failure(struct controlled *controlled, const struct sm_result_facts *facts)
{
    if (sm_is_harm((int)facts->kind))
        return;
    if (facts->kind != SM_FAILURE_NONE && facts->kind != SM_FAILURE_EXIT)
        sm_detect_failed(controlled->detect, (enum sm_failure_kind)facts->kind,
                         sm_copy_text("stalemate hunt tells how, with a witness"));
    else if (facts->exited && facts->exit_status)
        sm_detect_exited(&controlled->exits, (int)facts->exit_status);
}

static struct sm_trial *plan_batch(const struct controlled *controlled, uint64_t first, size_t n)
{
    struct sm_plan plan = {.options = controlled->detect->settings.options,
                           .watch = SM_WATCH_ALL,
                           .turns = true,
                           .wide_every = 1};
    plan.options.model = SM_MODEL_SC;
    if (controlled->pct_length)
        plan.options.pct_length = controlled->pct_length;
    plan.options.races = 2;
    if (!plan.options.leaks)
        plan.options.leaks = SM_LEAKS_TOLD;
    struct sm_trial *trials = sm_plan_trials(&plan, first, n);
    for (size_t i = 0; i < n; i++) {
        trials[i].planned = true;
        trials[i].number = first + i;
    }
    return trials;
}

static bool note(struct controlled *controlled, const struct sm_trial *trial,
                 struct sm_error *error)
{
    const struct sm_result *result = &trial->result;
    if (!controlled->pct_length)
        controlled->pct_length = result->facts.points;
    sm_races_add(&controlled->races, result->races, result->n_races);
    note_failure(controlled, &result->facts);
    return sm_harms_note(&controlled->harms, &controlled->campaign, trial, error);
}

static bool run_batch(struct controlled *controlled, uint64_t first, size_t n,
                      struct sm_error *error)
{
    struct sm_trial *trials = plan_batch(controlled, first, n);
    bool ok = sm_campaign_run(&controlled->campaign, trials, n, error);
    for (size_t i = 0; i < n; i++) {
        if (trials[i].done)
            ok = ok && note(controlled, &trials[i], error);
        sm_result_free(&trials[i].result);
    }
    free(trials);
    controlled->progress.findings = controlled->races.n;
    return ok;
}

/* Every shard makes the first execution, and merge does: it determines the length that pct
   expects. */
static bool run_first(struct controlled *controlled, struct sm_error *error)
{
    struct sm_trial *first = plan_batch(controlled, 0, 1);
    first->planned = false;
    bool ok = sm_campaign_run(&controlled->campaign, first, 1, error);
    controlled->pct_length = first->result.facts.points;
    sm_result_free(&first->result);
    free(first);
    return ok;
}

static bool run_trials(struct controlled *controlled, struct sm_error *error)
{
    const struct sm_settings *settings = &controlled->detect->settings;
    uint64_t trials = settings->trials;
    controlled->progress.planned = trials;
    if ((settings->shard.of || settings->gathered) && !run_first(controlled, error))
        return false;
    /* The first alone, for the same reason. */
    for (uint64_t i = 0, n = 1; i < trials && !sm_campaign_over(&controlled->campaign);
         i += n, n = trials - i < BATCH ? trials - i : BATCH)
        if (!run_batch(controlled, i, n, error))
            return false;
    return true;
}

static void report_harms(struct controlled *controlled)
{
    for (size_t i = 0; i < controlled->harms.n; i++) {
        json_t *json = sm_json_failure(&controlled->harms.items[i].failure);
        for (uint64_t k = 0; k < controlled->harms.items[i].count; k++)
            sm_detect_harm(controlled->detect, json);
        json_decref(json);
    }
}

static void report_warnings(struct controlled *controlled, struct sm_symbols *symbols)
{
    const struct sm_campaign *campaign = &controlled->campaign;
    for (uint32_t i = 0; i < campaign->n_warnings; i++) {
        struct sm_failure failure =
            sm_failure_of_harm(&campaign->warnings[i], symbols, &campaign->sites);
        json_t *json = sm_json_failure(&failure);
        sm_detect_harm(controlled->detect, json);
        json_decref(json);
        sm_failure_free(&failure);
    }
}

static void report(struct controlled *controlled)
{
    const struct sm_control *control = controlled->campaign.workers[0].shared.control;
    struct sm_symbols *symbols = sm_symbols_open(control->mappings, control->n_mappings);
    struct sm_variables variables = {0};
    sm_variables_find(&variables, &controlled->races, &controlled->campaign.sites);
    for (size_t i = 0; i < controlled->races.n; i++) {
        const struct sm_race *race = &controlled->races.items[i];
        struct sm_data_race found =
            sm_race_describe(race, &variables, &controlled->campaign.sites, symbols);
        sm_detect_add(controlled->detect, &found);
    }
    sm_variables_free(&variables);
    report_harms(controlled);
    report_warnings(controlled, symbols);
    sm_symbols_close(symbols);
    sm_detect_note_exits(controlled->detect, &controlled->exits);
}

static bool run_all(struct controlled *controlled, struct sm_error *error)
{
    struct sm_detect *detect = controlled->detect;
    struct sm_campaign *campaign = &controlled->campaign;
    bool shard = detect->settings.shard.of;
    campaign->expectation.exit_status = -1; /* hunt decides which status is right */
    if (shard && !sm_shard_begin(campaign, &detect->settings, SM_COMMAND_DETECT, error))
        return false;
    sm_progress_start(&controlled->progress, campaign);
    bool ok = run_trials(controlled, error);
    campaign->cut |= sm_campaign_over(campaign);
    sm_progress_wipe(&controlled->progress);
    if (shard)
        return ok && sm_shard_finish(campaign, &detect->settings, SM_COMMAND_DETECT, 0, error);
    if (ok)
        report(controlled);
    return ok;
}

bool sm_detect_controlled(struct sm_detect *detect, struct sm_store *store, struct sm_error *error)
{
    struct controlled controlled = {.detect = detect};
    bool ok = sm_campaign_open(&controlled.campaign, &detect->settings, store, error) &&
              run_all(&controlled, error);
    detect->executions =
        detect->settings.gathered ? controlled.campaign.made : controlled.campaign.executions;
    detect->cut = controlled.campaign.cut;
    if (ok)
        detect->sites = controlled.campaign.workers[0].shared.control->n_sites;
    sm_races_free(&controlled.races);
    sm_harms_free(&controlled.harms);
    sm_campaign_close(&controlled.campaign);
    return ok;
}
