#include "hunt/ladder.h"

#include <stdlib.h>

#include "campaign/plan.h"

/* For programs so slow that their trials in one model take longer. */
#define RUNG_SECONDS 30.0

struct climb {
    const struct sm_case *lower; /* known to fail, in a weaker model */
    struct sm_campaign *campaign;
    struct sm_baseline *baseline;
    struct sm_error *error;
    struct sm_case found; /* kind SM_FAILURE_NONE: nothing yet */
};

/* Under sc every outcome belongs to the baseline: an output that differs only shows that outputs
   differ without a lie. */
static void note_outputs(struct climb *climb, const struct sm_trial *trials, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (trials[i].done && trials[i].options.model == SM_MODEL_SC)
            sm_baseline_note(climb->baseline, &trials[i].result.facts);
}

/* A hang counts only if every thread keeps getting its turn, and choices that no longer fit may
   take turns away. Nor is a hang what a future value has broken: future values are tried where
   stale ones at most keep a loop waiting. */
static bool counts(const struct climb *climb, const struct sm_trial *trial)
{
    enum sm_failure_kind kind =
        sm_baseline_blame(climb->baseline, trial->options.narrow, &trial->result.facts);
    return kind != SM_FAILURE_NONE &&
           !(kind == SM_FAILURE_HANG &&
             (trial->options.schedule == SM_SCHEDULE_REPLAY || climb->lower->facts.future));
}

static bool run(struct climb *climb, struct sm_trial *trials, size_t n)
{
    if (!sm_campaign_run(climb->campaign, trials, n, climb->error))
        return false;
    note_outputs(climb, trials, n);
    for (size_t i = 0; i < n && climb->found.kind == SM_FAILURE_NONE; i++)
        if (trials[i].done && counts(climb, &trials[i]) &&
            !sm_case_take(&climb->found, &trials[i], climb->campaign, climb->baseline,
                          climb->error))
            return false;
    return true;
}

/* The same choices in a stronger model. They mean nothing if more is watched (tso); and in a wide
   trial a failure without a lie (sc) is not caused by this variable. */
static bool try_same(struct climb *climb, enum sm_model_id model)
{
    const struct sm_case *lower = climb->lower;
    if ((model == SM_MODEL_SC && !lower->options.narrow) ||
        (model == SM_MODEL_TSO && lower->watch != SM_WATCH_ALL))
        return true;
    struct sm_trial trial = sm_case_trial(climb->lower, true);
    trial.options.model = model;
    bool ok = run(climb, &trial, 1);
    sm_result_free(&trial.result);
    return ok;
}

static bool goes_on(const struct climb *climb, double end)
{
    return climb->found.kind == SM_FAILURE_NONE && !sm_campaign_over(climb->campaign) &&
           sm_campaign_seconds(climb->campaign) < end;
}

static bool try_others(struct climb *climb, enum sm_model_id model, uint64_t n)
{
    enum { RUNG_BATCH = 20 };
    struct sm_plan plan = {.options = climb->lower->options,
                           .watch = SM_WATCH_LIST,
                           .watched = climb->lower->watched,
                           .lied = climb->lower->lied,
                           .fenced = climb->campaign->fenced,
                           .wide_every = model == SM_MODEL_SC ? 0 : 2,
                           .lies_only = true};
    plan.options.model = model;
    plan.options.schedule = SM_SCHEDULES;
    plan.options.heuristic = SM_HEURISTICS;
    bool ok = true;
    double end = sm_campaign_seconds(climb->campaign) + RUNG_SECONDS;
    for (uint64_t i = 0; ok && i < n && goes_on(climb, end); i += RUNG_BATCH) {
        struct sm_trial *trials = sm_plan_trials(&plan, i, RUNG_BATCH);
        ok = run(climb, trials, RUNG_BATCH);
        for (size_t k = 0; k < RUNG_BATCH; k++)
            sm_result_free(&trials[k].result);
        free(trials);
    }
    return ok;
}

bool sm_ladder_climb(struct sm_case *failing, uint64_t trials, struct sm_campaign *campaign,
                     struct sm_baseline *baseline, struct sm_error *error)
{
    struct climb climb = {
        .lower = failing, .campaign = campaign, .baseline = baseline, .error = error};
    for (enum sm_model_id model = SM_MODEL_SC; model < failing->options.model; model++) {
        if (model == SM_MODEL_HB) /* certificates decide that: prove.c */
            continue;
        if (!try_same(&climb, model) || !try_others(&climb, model, trials))
            return false;
        if (climb.found.kind == SM_FAILURE_NONE)
            continue;
        sm_case_free(failing);
        *failing = climb.found;
        return sm_shrink(failing, campaign, baseline, error);
    }
    return true;
}
