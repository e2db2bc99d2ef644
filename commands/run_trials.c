#include "commands/run_trials.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "campaign/plan.h"
#include "campaign/shards.h"
#include "campaign/store.h"
#include "commands/commands.h"
#include "findings/trials.h"
#include "hunt/prove.h"
#include "target/symbols.h"

/* So many are planned at a time. */
enum { RUN_BATCH = 60 };

struct trials {
    struct sm_settings *settings;
    struct sm_hunt hunt;
    struct sm_store *store;
    uint64_t pct_length; /* scheduling points of the first execution */
    struct found_trial {
        struct sm_trial trial; /* the first that failed so; only the facts of its result */
        uint64_t count;
    } *found;
    size_t n_found;
    uint64_t next, done; /* of the plan; made: all of them except those that shards have lost */
    struct sm_trials_report report;
};

static struct sm_trial plan_trial(const struct trials *trials, uint64_t i)
{
    struct sm_trial trial = {
        .options = trials->settings->options, .watch = SM_WATCH_ALL, .lie_all = true};
    if (trial.options.schedule == SM_SCHEDULES)
        trial.options.schedule = sm_plan_turn(trial.options.model, i);
    if (i && trial.options.schedule == SM_SCHEDULE_PCT && trials->pct_length)
        trial.options.pct_length = trials->pct_length;
    trial.options.seed += i;
    trial.planned = true;
    trial.number = i;
    return trial;
}

static bool is_divided(const struct sm_settings *settings)
{
    return settings->shard.of || settings->gathered;
}

static void learn(struct trials *trials, const struct sm_trial *trial)
{
    const struct sm_result_facts *facts = &trial->result.facts;
    trials->done++;
    if (!trials->pct_length)
        trials->pct_length = facts->points;
    if (facts->kind == SM_FAILURE_NONE)
        return;
    for (size_t i = 0; i < trials->n_found; i++)
        if (trials->found[i].trial.result.facts.signature == facts->signature) {
            trials->found[i].count++;
            return;
        }
    trials->found = sm_resize(trials->found, (trials->n_found + 1) * sizeof *trials->found);
    struct found_trial *found = &trials->found[trials->n_found++];
    *found = (struct found_trial){.trial = *trial, .count = 1};
    found->trial.result = (struct sm_result){.facts = *facts};
}

static bool is_enough(const struct trials *trials)
{
    return trials->next >= trials->settings->trials ||
           (trials->settings->until_failure && trials->n_found);
}

/* The first alone: it determines the length that pct expects. With --until-failure small batches,
   in the order of the seeds. */
static size_t batch_size(const struct trials *trials)
{
    uint64_t left = trials->settings->trials - trials->next, most = RUN_BATCH;
    if (!trials->next)
        most = 1;
    else if (trials->settings->until_failure)
        most = trials->hunt.campaign.n_workers;
    return left < most ? left : most;
}

/* In the order of the seeds, until one was not made because the time was over. Only those that
   shards have lost are skipped. */
static void learn_batch(struct trials *trials, const struct sm_trial *batch, size_t n)
{
    for (size_t i = 0; i < n && !is_enough(trials); i++) {
        if (!batch[i].done && !is_divided(trials->settings))
            return;
        trials->next++;
        if (batch[i].done)
            learn(trials, &batch[i]);
    }
}

static bool make_batch(struct trials *trials, struct sm_trial *batch, size_t n,
                       struct sm_error *error)
{
    bool ok = sm_campaign_run(&trials->hunt.campaign, batch, n, error);
    for (size_t i = 0; i < n; i++) {
        free(batch[i].result.races); /* not needed; facts are kept */
        batch[i].result.races = NULL;
    }
    if (ok)
        learn_batch(trials, batch, n);
    return ok;
}

/* Every shard makes the first: the others depend on its length. */
static bool make_first(struct trials *trials, struct sm_error *error)
{
    struct sm_trial first = plan_trial(trials, 0);
    first.planned = false;
    bool ok = sm_campaign_run(&trials->hunt.campaign, &first, 1, error);
    trials->pct_length = first.result.facts.points;
    sm_result_free(&first.result);
    return ok;
}

static bool make_trials(struct trials *trials, struct sm_error *error)
{
    if (is_divided(trials->settings) && !make_first(trials, error))
        return false;
    bool ok = true;
    while (ok && !is_enough(trials) && !sm_campaign_over(&trials->hunt.campaign)) {
        struct sm_trial batch[RUN_BATCH];
        size_t n = batch_size(trials);
        for (size_t i = 0; i < n; i++)
            batch[i] = plan_trial(trials, trials->next + i);
        ok = make_batch(trials, batch, n, error);
    }
    trials->hunt.campaign.cut |= sm_campaign_over(&trials->hunt.campaign);
    return ok;
}

/* ---- the report ---- */

static char *command_again(const struct trials *trials, const struct sm_options *options)
{
    struct sm_buffer text = {0};
    struct sm_settings same = *trials->settings;
    same.options = *options;
    same.trials = same.jobs = same.until_failure = 0;
    same.time = 0;
    same.shard = (struct sm_slice){0};
    same.out = NULL;
    sm_buffer_text(&text, "stalemate run");
    sm_settings_repeat(&same, &text);
    sm_buffer_text(&text, " --");
    for (size_t i = 0; i < same.operands.n; i++) {
        sm_buffer_text(&text, " ");
        sm_quote_word(same.operands.items[i], &text);
    }
    return text.data;
}

static bool report_failure(struct trials *trials, const struct found_trial *found,
                           struct sm_error *error)
{
    struct sm_trials_report *report = &trials->report;
    struct sm_case failing;
    struct sm_proof proof = {0};
    bool proved = false;
    if (!sm_case_take(&failing, &found->trial, &trials->hunt.campaign, &trials->hunt.baseline,
                      error))
        return false;
    bool ok = failing.kind == SM_FAILURE_NONE ||
              sm_prove(&proof, &trials->hunt, &failing, "failure", &proved, error);
    report->failures =
        sm_resize(report->failures, (report->n_failures + 1) * sizeof *report->failures);
    report->failures[report->n_failures++] =
        (struct sm_trials_failure){.failure = sm_failure_copy(&proof.failure),
                                   .seed = found->trial.options.seed,
                                   .schedule = found->trial.options.schedule,
                                   .count = found->count,
                                   .witness = sm_copy_text(proof.witness),
                                   .again = command_again(trials, &found->trial.options)};
    struct sm_failure *failure = &report->failures[report->n_failures - 1].failure;
    if (!proved) {
        failure->kind = (enum sm_failure_kind)found->trial.result.facts.kind;
        free(failure->detail);
        failure->detail = sm_copy_text("not made again to record it: the time was over, or the "
                                       "program depends on something that is not controlled");
    }
    sm_proof_free(&proof);
    sm_case_free(&failing);
    return ok;
}

static void report_warnings(struct trials *trials)
{
    const struct sm_campaign *campaign = &trials->hunt.campaign;
    const struct sm_control *control = campaign->workers[0].shared.control;
    struct sm_symbols *symbols = sm_symbols_open(control->mappings, control->n_mappings);
    trials->report.warnings =
        sm_failures_of_harms(campaign->warnings, campaign->n_warnings, symbols, &campaign->sites);
    sm_symbols_close(symbols);
}

static bool report_all(struct trials *trials, struct sm_error *error)
{
    struct sm_trials_report *report = &trials->report;
    const struct sm_settings *settings = trials->settings;
    report->target = settings->operands.items;
    report->model = settings->options.model;
    report->executions = trials->done;
    report->complete = is_enough(trials);
    if (settings->gathered) {
        report->merged = &settings->gathered->merged;
        report->complete &= !trials->hunt.campaign.cut && sm_gathered_complete(settings->gathered);
    }
    for (size_t i = 0; i < trials->n_found; i++)
        if (!report_failure(trials, &trials->found[i], error))
            return false;
    if (trials->hunt.campaign.n_warnings)
        report_warnings(trials);
    report->seconds = settings->gathered ? settings->gathered->seconds
                                         : sm_campaign_seconds(&trials->hunt.campaign);
    if (!settings->quiet)
        sm_report_trials_text(report, sm_settings_color(settings, STDERR_FILENO), stderr);
    return !settings->json || sm_report_trials_json(report, settings->json, error);
}

/* ---- the command ---- */

static bool open_trials(struct trials *trials, struct sm_error *error)
{
    struct sm_settings *settings = trials->settings;
    const char *out = settings->out ? settings->out : SM_OUT_DEFAULT;
    if (settings->record || settings->watch.n)
        return sm_fail(error, SM_STATUS_USAGE,
                       "run --trials: leave out --%s; each distinct failure gets a witness in "
                       "--out DIR",
                       settings->record ? "record" : "watch");
    if (settings->shard.of && settings->until_failure)
        return sm_fail(error, SM_STATUS_USAGE,
                       "run: --until-failure stops at what other shards may find; leave it out, or "
                       "--shard");
    trials->hunt.settings = settings;
    trials->hunt.witnesses = sm_print("%s/witnesses", out);
    trials->store = sm_store_open(out, error); /* creates the directory */
    if (!trials->store || !sm_campaign_open(&trials->hunt.campaign, settings,
                                            is_divided(settings) ? trials->store : NULL, error))
        return false;
    trials->hunt.campaign.expectation = (struct sm_expectation){
        .exit_status = settings->expect_exit == SM_NO_EXPECTATION ? 0 : (int)settings->expect_exit,
        .oracle = settings->oracle};
    trials->hunt.baseline.has_oracle = settings->oracle;
    return true;
}

static bool check_executed(const struct trials *trials, struct sm_error *error)
{
    return trials->done ||
           sm_fail(error, SM_STATUS_TARGET,
                   sm_interrupt_signal() ? "interrupted; the program was stopped"
                                         : "the time was over before one execution was complete; "
                                           "give it more with --time SECONDS");
}

static bool make_slice(struct trials *trials, struct sm_error *error)
{
    struct sm_campaign *campaign = &trials->hunt.campaign;
    return sm_shard_begin(campaign, trials->settings, SM_COMMAND_RUN, error) &&
           make_trials(trials, error) &&
           sm_shard_finish(campaign, trials->settings, SM_COMMAND_RUN, trials->pct_length, error);
}

static bool make_all(struct trials *trials, struct sm_error *error)
{
    return make_trials(trials, error) && check_executed(trials, error) && report_all(trials, error);
}

int sm_run_trials(struct sm_settings *settings)
{
    struct trials trials = {.settings = settings};
    struct sm_error error = {0};
    bool ok = open_trials(&trials, &error) &&
              (settings->shard.of ? make_slice : make_all)(&trials, &error);
    int status = !ok                                     ? sm_error_print(&error)
                 : trials.n_found && !settings->shard.of ? SM_STATUS_FOUND
                                                         : SM_STATUS_OK;
    sm_trials_report_free(&trials.report);
    free(trials.found);
    sm_baseline_free(&trials.hunt.baseline);
    sm_campaign_close(&trials.hunt.campaign);
    sm_store_close(trials.store);
    free(trials.hunt.witnesses);
    return status;
}

int sm_run_trials_gathered(struct sm_settings *settings)
{
    sm_interrupt_catch();
    int status = sm_run_trials(settings);
    sm_settings_free(settings);
    sm_interrupt_finish();
    return status;
}
