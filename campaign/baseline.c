#include "campaign/baseline.h"

#include <stdlib.h>

#include "base/words.h"
#include "campaign/plan.h"

/* A program that does not end by itself is stopped after five minutes. */
#define FIRST_TIMEOUT 300.0

bool sm_hashes_have(const struct sm_hashes *hashes, uint64_t hash)
{
    for (size_t i = 0; i < hashes->n; i++)
        if (hashes->items[i] == hash)
            return true;
    return false;
}

bool sm_hashes_add(struct sm_hashes *hashes, uint64_t hash)
{
    if (sm_hashes_have(hashes, hash))
        return false;
    hashes->items = sm_resize(hashes->items, (hashes->n + 1) * sizeof *hashes->items);
    hashes->items[hashes->n++] = hash;
    return true;
}

void sm_baseline_free(struct sm_baseline *baseline)
{
    free(baseline->outputs.items);
    free(baseline->order_failures.items);
    free(baseline->race_failures.items);
    sm_buffer_free(&baseline->usual_output);
}

/* ---- judging ---- */

bool sm_ended_well(const struct sm_result_facts *facts)
{
    return facts->kind == SM_FAILURE_NONE && facts->exited && !facts->assumed && !facts->diverged &&
           !facts->unvalidated;
}

void sm_baseline_note(struct sm_baseline *baseline, const struct sm_result_facts *facts)
{
    if (sm_ended_well(facts))
        sm_hashes_add(&baseline->outputs, facts->output);
}

enum sm_failure_kind sm_baseline_judge(const struct sm_baseline *baseline,
                                       const struct sm_result_facts *facts)
{
    if (!sm_ended_well(facts))
        return facts->kind;
    bool outputs_agree = !baseline->has_oracle && baseline->outputs.n == 1;
    return outputs_agree && facts->output != baseline->outputs.items[0] ? SM_FAILURE_OUTPUT
                                                                        : SM_FAILURE_NONE;
}

enum sm_failure_kind sm_baseline_blame(const struct sm_baseline *baseline, bool narrow,
                                       const struct sm_result_facts *facts)
{
    bool without = sm_hashes_have(&baseline->order_failures, facts->signature) ||
                   (!narrow && sm_hashes_have(&baseline->race_failures, facts->signature));
    if (facts->kind != SM_FAILURE_NONE && without)
        return SM_FAILURE_NONE;
    return sm_baseline_judge(baseline, facts);
}

/* ---- the first execution ---- */

static bool fails_at_once(const struct sm_settings *settings, const struct sm_outcome *outcome,
                          struct sm_error *error)
{
    struct sm_buffer again = {0};
    sm_buffer_text(&again, "stalemate run --schedule pct --pct-depth 1");
    if (settings->oracle) {
        sm_buffer_text(&again, " --oracle ");
        sm_quote_word(settings->oracle, &again);
    }
    sm_buffer_text(&again, " --");
    for (size_t i = 0; i < settings->operands.n; i++) {
        sm_buffer_text(&again, " ");
        sm_quote_word(settings->operands.items[i], &again);
    }
    sm_fail(error, SM_STATUS_TARGET,
            "the program fails before any lie is told: %s: %s; make it pass first, with: %s",
            sm_failure_words[outcome->failure.kind], outcome->failure.detail, again.data);
    sm_buffer_free(&again);
    return false;
}

static bool first_execution(struct sm_baseline *baseline, struct sm_campaign *campaign,
                            const struct sm_settings *settings, struct sm_outcome *outcome,
                            struct sm_error *error)
{
    struct sm_trial trial = {.options = sm_plan_default(&settings->options), .watch = SM_WATCH_ALL};
    if (!sm_campaign_one(campaign, &trial, outcome, error))
        return false;
    if (!trial.done)
        return sm_fail(error, SM_STATUS_TARGET, "interrupted; the program was stopped");
    bool failed = outcome->failure.kind != SM_FAILURE_NONE;
    bool explained = trial.result.n_violations; /* what atomicity looks for has happened */
    if (!failed) {
        sm_baseline_note(baseline, &trial.result.facts);
        baseline->exit_status = outcome->exit_status;
    }
    sm_result_free(&trial.result);
    return !failed || explained || fails_at_once(settings, outcome, error);
}

bool sm_baseline_begin(struct sm_baseline *baseline, struct sm_campaign *campaign,
                       const struct sm_settings *settings, struct sm_error *error)
{
    struct sm_outcome outcome = {0};
    sm_campaign_limit(campaign, settings, FIRST_TIMEOUT);
    campaign->expectation.exit_status =
        settings->expect_exit == SM_NO_EXPECTATION ? -1 : (int)settings->expect_exit;
    bool ok = first_execution(baseline, campaign, settings, &outcome, error);
    sm_outcome_free(&outcome);
    if (!ok)
        return false;
    sm_capture_read(&campaign->workers[0].output, &baseline->usual_output);
    campaign->expectation.exit_status = baseline->exit_status;
    if (!settings->oracle)
        return true;
    campaign->expectation.oracle = settings->oracle;
    baseline->has_oracle = true;
    ok = first_execution(baseline, campaign, settings, &outcome, error);
    sm_outcome_free(&outcome);
    return ok;
}
