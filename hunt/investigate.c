#include "hunt/investigate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hunt/ladder.h"
#include "hunt/late.h"

enum {
    ROUND = 20,           /* each heuristic with four schedules */
    WIDE_EVERY = 2,       /* half of them: many failures need only this variable interleaved */
    ENOUGH_FAILURES = 20, /* to know a rate */
    CALIBRATION = 7,      /* executions without lies, one for each schedule of the plan */
    RUNG = 2,             /* times as many trials for each model of the ladder as for all else:
                             missing a failure in one gives a wrong verdict */
    MOST_RUNG = 1000,
    STRETCH = 3,      /* times as many trials, at most, if executions are short */
    AFFORDED = 20000, /* scheduling points in all: what counts as short */
    QUIET = 100,      /* trials in a row that exercise nothing new: the variable is saturated */
    MORE = 10,        /* times as many trials, at most, until saturation; with --time the time is
                         the limit */
    CASES = 3,        /* failing trials to investigate in a round, if the first ones are not
                         confirmed */
};
/* Fewer steps than this are never a hang. A waiting loop in which only every 1000th turn is a step
   takes a second for them. */
#define LEAST_STEPS 10000
/* The limit for the executions that determine the limit: some seconds. */
#define MOST_STEPS 10000000

/* ---- making ready ---- */

static uint64_t stretched(uint64_t trials, uint64_t points)
{
    uint64_t n = AFFORDED / points;
    return n < trials ? trials : n > STRETCH * trials ? STRETCH * trials : n;
}

/* Measures how long the program is when this variable is watched, without lies. */
static bool calibrate(struct sm_investigation *investigation, struct sm_error *error)
{
    struct sm_hunt *hunt = investigation->hunt;
    struct sm_plan plan = investigation->plan;
    plan.options.model = SM_MODEL_SC;
    plan.wide_every = 0;
    struct sm_trial *trials = sm_plan_trials(&plan, 0, CALIBRATION);
    bool ok = sm_campaign_run(&hunt->campaign, trials, CALIBRATION, error);
    uint64_t points = 0;
    for (size_t i = 0; i < CALIBRATION; i++) {
        const struct sm_result_facts *facts = &trials[i].result.facts;
        /* An execution that fails, but ends by itself, also shows how long the program is. */
        if (trials[i].done && facts->kind != SM_FAILURE_HANG && facts->points > points)
            points = facts->points;
        if (trials[i].done)
            sm_baseline_note(&hunt->baseline, facts);
        sm_result_free(&trials[i].result);
    }
    free(trials);
    if (!points)
        return ok;
    investigation->plan.options.pct_length = points;
    if (hunt->may_stretch)
        investigation->short_trials = stretched(hunt->settings->trials, points);
    if (!hunt->settings->options.steps)
        investigation->plan.options.steps = 10 * points > LEAST_STEPS ? 10 * points : LEAST_STEPS;
    return ok;
}

bool sm_investigation_open(struct sm_investigation *investigation, struct sm_hunt *hunt,
                           const char *name, const struct sm_watchlist *sites,
                           struct sm_error *error)
{
    *investigation =
        (struct sm_investigation){.hunt = hunt, .name = sm_copy_text(name), .sites = sites};
    investigation->plan = (struct sm_plan){.options = hunt->settings->options,
                                           .watch = SM_WATCH_LIST,
                                           .watched = &hunt->racy,
                                           .lied = sites,
                                           .fenced = hunt->campaign.fenced,
                                           .wide_every = WIDE_EVERY};
    if (!hunt->settings->options.steps)
        investigation->plan.options.steps = MOST_STEPS;
    uint64_t trials = hunt->settings->trials;
    investigation->short_trials = trials;
    investigation->most_trials = !hunt->may_stretch           ? trials
                                 : hunt->settings->time > 0.0 ? SIZE_MAX
                                                              : MORE * trials;
    investigation->prescience =
        (struct sm_prescience){.plan = &investigation->plan, .campaign = &hunt->campaign};
    return calibrate(investigation, error);
}

void sm_investigation_close(struct sm_investigation *investigation)
{
    for (size_t i = 0; i < investigation->n_trials; i++)
        sm_result_free(&investigation->trials[i].result);
    free(investigation->trials);
    sm_covered_free(&investigation->covered);
    sm_hashes_clear(&investigation->traces);
    sm_prescience_free(&investigation->prescience);
    free(investigation->name);
    sm_case_free(&investigation->failing);
    sm_proof_free(&investigation->proof);
    sm_exact_verdict_free(&investigation->exact);
}

const struct sm_proof *sm_investigation_proof(const struct sm_investigation *investigation)
{
    const struct sm_exact_verdict *exact = &investigation->exact;
    const struct sm_proof *sampled =
        investigation->evidence.witnessed ? &investigation->proof : NULL;
    if (!exact->witnessed)
        return sampled;
    return !exact->decided && sampled && sampled->model <= exact->proof.model ? sampled
                                                                              : &exact->proof;
}

/* ---- trials ---- */

static bool told_a_lie(const struct sm_result_facts *facts)
{
    return facts->stale || facts->delayed || facts->future;
}

/* From number `first` on: the last round. */
static void count_news(struct sm_investigation *investigation, size_t first)
{
    investigation->news = 0;
    for (size_t i = first; i < investigation->n_trials; i++) {
        const struct sm_result_facts *facts = &investigation->trials[i].result.facts;
        if (!investigation->trials[i].done)
            continue;
        sm_covered_add(&investigation->covered, &investigation->trials[i].result, i + 1);
        investigation->news += sm_hashes_add(&investigation->traces, facts->trace);
        investigation->had_choice |= facts->read_choices || facts->delayed;
    }
}

/* Before a failing trial is repeated: merge has its result, but perhaps not its predictions. */
static bool recall(struct sm_investigation *investigation, const struct sm_trial *trial,
                   struct sm_error *error)
{
    return !investigation->looks_ahead || trial->result.facts.kind == SM_FAILURE_NONE ||
           sm_prescience_recall(&investigation->prescience, error);
}

/* Records what the trials have shown. */
static bool learn(struct sm_investigation *investigation, const struct sm_trial *trials, size_t n,
                  struct sm_error *error)
{
    struct sm_hunt *hunt = investigation->hunt;
    for (size_t i = 0; i < n; i++) {
        if (!trials[i].done || told_a_lie(&trials[i].result.facts))
            continue;
        sm_baseline_note(&hunt->baseline, &trials[i].result.facts);
        if (!recall(investigation, &trials[i], error) || !sm_late_note(hunt, &trials[i], error))
            return false;
    }
    return true;
}

struct sm_trial sm_investigation_trial(const struct sm_investigation *investigation, uint64_t i)
{
    struct sm_trial trial = sm_plan_trial(&investigation->plan, i);
    trial.options.coverage = 1;
    trial.planned = investigation->planned;
    trial.number = investigation->number + i;
    return trial;
}

static bool add_trials(struct sm_investigation *investigation, size_t n, struct sm_error *error)
{
    size_t first = investigation->n_trials;
    investigation->trials =
        sm_resize(investigation->trials, (first + n) * sizeof *investigation->trials);
    for (size_t i = first; i < first + n; i++)
        investigation->trials[i] = sm_investigation_trial(investigation, i);
    investigation->n_trials += n;
    bool ok =
        sm_campaign_run(&investigation->hunt->campaign, investigation->trials + first, n, error) &&
        learn(investigation, investigation->trials + first, n, error);
    count_news(investigation, first);
    return ok;
}

/* ---- failures ---- */

/* A hang is the most expensive to investigate, and a poor witness; then few lies, then few switches
   are preferred. */
static uint64_t cost(const struct sm_result_facts *facts)
{
    uint64_t hang = facts->kind == SM_FAILURE_HANG ? 1ul << 40 : 0;
    return hang + (facts->stale + facts->delayed + facts->future) * 16 + facts->switches;
}

/* The cheapest failing trial that costs more than `above`. */
static const struct sm_trial *cheapest(const struct sm_investigation *investigation,
                                       const struct sm_trial *trials, size_t n, uint64_t above)
{
    const struct sm_trial *best = NULL;
    for (size_t i = 0; i < n; i++) {
        const struct sm_trial *trial = &trials[i];
        uint64_t price = cost(&trial->result.facts);
        if (price > above &&
            sm_trial_failed(trial, &investigation->hunt->baseline, &investigation->evidence) &&
            (!best || price < cost(&best->result.facts)))
            best = trial;
    }
    return best;
}

/* An execution without a lie belongs to the baseline. If its output differs from theirs, outputs
   are not judged; if it failed in a wide trial, any race may be the cause. */
static bool is_void(struct sm_investigation *investigation)
{
    struct sm_baseline *baseline = &investigation->hunt->baseline;
    const struct sm_case *failing = &investigation->failing;
    if (sm_case_is_honest(failing)) {
        sm_baseline_note(baseline, &failing->facts);
        sm_late_note_case(investigation->hunt, failing);
        if (!failing->options.narrow && failing->facts.kind != SM_FAILURE_NONE)
            sm_hashes_add(&baseline->race_failures, failing->facts.signature);
    }
    return sm_baseline_blame(baseline, failing->options.narrow, &failing->facts) == SM_FAILURE_NONE;
}

void sm_investigation_reconsider(struct sm_investigation *investigation)
{
    if (!investigation->evidence.witnessed || investigation->exact.witnessed ||
        !is_void(investigation))
        return;
    investigation->evidence.witnessed = false;
    investigation->finished = sm_campaign_over(&investigation->hunt->campaign);
    investigation->planned = investigation->prescience.planned = false;
}

static uint64_t rung_trials(const struct sm_hunt *hunt)
{
    uint64_t n = RUNG * hunt->settings->trials;
    return n < MOST_RUNG ? n : MOST_RUNG;
}

/* The failure did not happen again. */
static bool note_vanished(struct sm_investigation *investigation)
{
    if (investigation->failing.slow)
        investigation->evidence.slow = true;
    else if (!sm_campaign_over(&investigation->hunt->campaign))
        fprintf(stderr,
                "stalemate: a failure of %s did not happen again: the program depends on "
                "something that Stalemate does not control\n",
                investigation->name);
    return true;
}

static bool look_into(struct sm_investigation *investigation, const struct sm_trial *trial,
                      struct sm_error *error)
{
    struct sm_hunt *hunt = investigation->hunt;
    struct sm_case *failing = &investigation->failing;
    sm_case_free(failing);
    sm_proof_free(&investigation->proof);
    if (investigation->looks_ahead && !sm_prescience_recall(&investigation->prescience, error))
        return false; /* an output that differs is a failure, too */
    if (!sm_case_take(failing, trial, &hunt->campaign, &hunt->baseline, error))
        return false;
    if (failing->kind == SM_FAILURE_NONE)
        return note_vanished(investigation);
    if (!sm_shrink(failing, &hunt->campaign, &hunt->baseline, error))
        return false;
    if (is_void(investigation))
        return true;
    if (!sm_ladder_climb(failing, rung_trials(hunt), &hunt->campaign, &hunt->baseline, error))
        return false;
    if (is_void(investigation))
        return true;
    investigation->evidence.signature = failing->facts.signature;
    bool ok = sm_prove(&investigation->proof, hunt, failing, investigation->name,
                       &investigation->evidence.witnessed, error);
    investigation->evidence.circular |= investigation->proof.failure.circular;
    return ok;
}

static bool look_for_witness(struct sm_investigation *investigation, const struct sm_trial *trials,
                             size_t n, struct sm_error *error)
{
    uint64_t above = 0;
    for (int i = 0; i < CASES && !investigation->evidence.witnessed; i++) {
        const struct sm_trial *trial = cheapest(investigation, trials, n, above);
        if (!trial || sm_campaign_over(&investigation->hunt->campaign))
            break;
        above = cost(&trial->result.facts);
        if (!look_into(investigation, trial, error))
            return false;
    }
    return true;
}

/* ---- rounds ---- */

/* Only if there is a witness; counting stops at the last failure it needs, because merge asks after
   every twentieth of a hundred thousand trials. */
static bool is_rate_known(const struct sm_investigation *investigation)
{
    size_t failures = 0;
    if (!investigation->evidence.witnessed)
        return false;
    for (size_t i = 0; i < investigation->n_trials && failures < ENOUGH_FAILURES; i++)
        failures += sm_trial_failed(&investigation->trials[i], &investigation->hunt->baseline,
                                    &investigation->evidence);
    return failures >= ENOUGH_FAILURES;
}

static bool is_saturated(const struct sm_investigation *investigation)
{
    return investigation->n_trials - investigation->covered.last_new >= QUIET;
}

struct sm_coverage sm_investigation_coverage(const struct sm_investigation *investigation)
{
    enum sm_trials_end ended = is_saturated(investigation)   ? SM_TRIALS_END_SATURATION
                               : investigation->evidence.cut ? SM_TRIALS_END_TIME
                                                             : SM_TRIALS_END_TRIALS;
    return sm_covered_count(&investigation->covered, ended);
}

/* More trials than planned: as long as they see stores, or orders of synchronisation, that no
   earlier trial has seen; and, if they are short, as long as there are new executions. The pairs of
   a short program are soon all seen, but not their combinations: of 60 hunts for the race of
   tests/hunt/programs/hazard_pointer.c, in which one trial in 120 fails and all pairs are seen
   after some 50, 59 found it with 600 trials, and 49 with 200. */
static bool goes_on(const struct sm_investigation *investigation)
{
    size_t n = investigation->n_trials;
    return (n < investigation->most_trials && !is_saturated(investigation)) ||
           (n < investigation->short_trials && investigation->news);
}

/* All trials; half of them are enough if no read ever had a choice, or if there are enough failures
   to know the rate. */
static bool is_enough(const struct sm_investigation *investigation)
{
    uint64_t all = investigation->hunt->settings->trials, n = investigation->n_trials;
    if (2 * n >= all && (!investigation->had_choice || is_rate_known(investigation)))
        return true;
    return n >= all && (investigation->evidence.witnessed || !goes_on(investigation));
}

static bool stale_round(struct sm_investigation *investigation, struct sm_error *error)
{
    size_t first = investigation->n_trials;
    size_t all = investigation->hunt->settings->trials;
    size_t n = first < all && all - first < ROUND ? all - first : ROUND;
    return add_trials(investigation, n, error) &&
           (investigation->evidence.witnessed ||
            look_for_witness(investigation, investigation->trials + first,
                             investigation->n_trials - first, error));
}

/* ---- values from the future ---- */

/* Half as many trials as for stale values, unless --prescient is given. */
size_t sm_prescient_trials(const struct sm_settings *settings)
{
    if (settings->options.model < SM_MODEL_HB || settings->no_prescient)
        return 0;
    return settings->prescient ? settings->trials : (settings->trials + 1) / 2;
}

static bool wants_prescience(const struct sm_investigation *investigation)
{
    const struct sm_settings *settings = investigation->hunt->settings;
    return sm_prescient_trials(settings) &&
           (settings->prescient || !investigation->evidence.witnessed);
}

/* A hang is a poor witness: any other failure replaces it. */
static bool look_for_better(struct sm_investigation *investigation, const struct sm_trial *trials,
                            size_t n, struct sm_error *error)
{
    struct sm_investigation before = *investigation;
    if (before.evidence.witnessed && before.failing.kind != SM_FAILURE_HANG)
        return true;
    investigation->evidence.witnessed = false;
    investigation->failing = (struct sm_case){0};
    investigation->proof = (struct sm_proof){0};
    bool ok = look_for_witness(investigation, trials, n, error);
    bool better = investigation->evidence.witnessed &&
                  (!before.evidence.witnessed || investigation->failing.kind != SM_FAILURE_HANG);
    struct sm_investigation *worse = better ? &before : investigation;
    sm_case_free(&worse->failing);
    sm_proof_free(&worse->proof);
    if (better)
        return ok;
    before.evidence.slow |= investigation->evidence.slow;
    before.evidence.circular |= investigation->evidence.circular;
    investigation->evidence = before.evidence;
    investigation->failing = before.failing;
    investigation->proof = before.proof;
    return ok;
}

static bool prescient_round(struct sm_investigation *investigation, struct sm_error *error)
{
    struct sm_prescience *prescience = &investigation->prescience;
    size_t first = prescience->n_trials;
    size_t all = sm_prescient_trials(investigation->hunt->settings);
    if (!sm_prescience_round(prescience, all, error))
        return false;
    const struct sm_trial *trials = prescience->trials + first;
    size_t n = prescience->n_trials - first;
    if (!learn(investigation, trials, n, error) ||
        !look_for_better(investigation, trials, n, error))
        return false;
    bool found = investigation->evidence.witnessed && investigation->failing.facts.future;
    investigation->finished = found || !n || prescience->n_trials >= all;
    return true;
}

bool sm_investigation_round(struct sm_investigation *investigation, struct sm_error *error)
{
    const struct sm_campaign *campaign = &investigation->hunt->campaign;
    if (!(investigation->looks_ahead ? prescient_round : stale_round)(investigation, error))
        return false;
    if (!investigation->looks_ahead && is_enough(investigation)) {
        investigation->looks_ahead = wants_prescience(investigation);
        investigation->finished = !investigation->looks_ahead;
    }
    investigation->evidence.cut |= campaign->cut;
    investigation->finished |= sm_campaign_over(campaign);
    return true;
}
