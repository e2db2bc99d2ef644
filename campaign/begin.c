#include "campaign/begin.h"

#include "base/words.h"
#include "campaign/plan.h"

/* A program that does not end by itself is better told after five minutes than never. */
#define FIRST_TIMEOUT 300.0

void sm_hunt_limit(struct sm_hunt *hunt, double seconds)
{
    if (hunt->settings->timeout > 0)
        return;
    for (size_t i = 0; i < hunt->campaign.n_workers; i++)
        hunt->campaign.workers[i].limits.seconds = seconds;
}

static bool fails_at_once(struct sm_hunt *hunt, const struct sm_outcome *outcome,
                          struct sm_error *error)
{
    struct sm_buffer again = {0};
    sm_buffer_text(&again, "stalemate run --schedule pct --pct-depth 1");
    if (hunt->settings->oracle) {
        sm_buffer_text(&again, " --oracle ");
        sm_quote_word(hunt->settings->oracle, &again);
    }
    sm_buffer_text(&again, " --");
    for (size_t i = 0; i < hunt->settings->operands.n; i++) {
        sm_buffer_text(&again, " ");
        sm_quote_word(hunt->settings->operands.items[i], &again);
    }
    sm_fail(error, SM_STATUS_TARGET,
            "the program fails before any lie is told: %s: %s; make it pass first, with: %s",
            sm_failure_words[outcome->failure.kind], outcome->failure.detail, again.data);
    sm_buffer_free(&again);
    return false;
}

static bool first_execution(struct sm_hunt *hunt, struct sm_outcome *outcome,
                            struct sm_error *error)
{
    struct sm_trial trial = {.options = sm_plan_dull(&hunt->settings->options),
                             .watch = SM_WATCH_ALL};
    if (!sm_campaign_one(&hunt->campaign, &trial, outcome, error))
        return false;
    if (!trial.done)
        return sm_fail(error, SM_STATUS_TARGET, "interrupted; the program was stopped");
    bool failed = outcome->failure.kind != SM_FAILURE_NONE;
    bool explained = trial.result.n_violations; /* what atomicity looks for has happened */
    if (!failed) {
        sm_baseline_note(&hunt->baseline, &trial.result.facts);
        hunt->baseline.exit_status = outcome->exit_status;
    }
    sm_result_free(&trial.result);
    return !failed || explained || fails_at_once(hunt, outcome, error);
}

bool sm_hunt_begin(struct sm_hunt *hunt, struct sm_error *error)
{
    struct sm_campaign *campaign = &hunt->campaign;
    const struct sm_settings *settings = hunt->settings;
    struct sm_outcome outcome = {0};
    sm_hunt_limit(hunt, FIRST_TIMEOUT);
    campaign->expectation.exit_status =
        settings->expect_exit == SM_NO_EXPECTATION ? -1 : (int)settings->expect_exit;
    bool ok = first_execution(hunt, &outcome, error);
    sm_outcome_free(&outcome);
    if (!ok)
        return false;
    sm_capture_read(&campaign->workers[0].output, &hunt->usual_output);
    campaign->expectation.exit_status = hunt->baseline.exit_status;
    if (!settings->oracle)
        return true;
    campaign->expectation.oracle = settings->oracle;
    hunt->baseline.has_oracle = true;
    ok = first_execution(hunt, &outcome, error);
    sm_outcome_free(&outcome);
    return ok;
}
