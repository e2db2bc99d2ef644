#include "campaign/baseline.h"

#include <stdlib.h>

#include "base/interrupt.h"
#include "campaign/plan.h"

/* A program that does not end by itself is stopped after five minutes. */
#define FIRST_TIMEOUT 300.0

/* Where the hash is, or would be inserted. The items are hashes, but not all of them have random
   low bits. */
static uint32_t *slot_of(const struct sm_hashes *hashes, uint64_t hash)
{
    size_t mask = hashes->n_slots - 1, at = (hash * 0x9e3779b97f4a7c15u >> 20) & mask;
    while (hashes->slots[at] && hashes->items[hashes->slots[at] - 1] != hash)
        at = (at + 1) & mask;
    return &hashes->slots[at];
}

static void grow_slots(struct sm_hashes *hashes)
{
    hashes->n_slots = hashes->n_slots ? 4 * hashes->n_slots : 64;
    free(hashes->slots);
    hashes->slots = sm_new(hashes->n_slots * sizeof *hashes->slots);
    for (size_t i = 0; i < hashes->n; i++)
        *slot_of(hashes, hashes->items[i]) = (uint32_t)i + 1;
}

bool sm_hashes_have(const struct sm_hashes *hashes, uint64_t hash)
{
    if (hashes->n_slots)
        return *slot_of(hashes, hash);
    for (size_t i = 0; i < hashes->n; i++)
        if (hashes->items[i] == hash)
            return true;
    return false;
}

/* A trace hash of every execution: searching a list of 200,000 took 20 seconds. */
bool sm_hashes_add(struct sm_hashes *hashes, uint64_t hash)
{
    enum { FEW = 16 };
    if (sm_hashes_have(hashes, hash))
        return false;
    if (!(hashes->n & (hashes->n - 1))) /* full at powers of two */
        hashes->items = sm_resize(hashes->items, (hashes->n ? 2 * hashes->n : 1) * sizeof hash);
    hashes->items[hashes->n++] = hash;
    if (hashes->n >= FEW && 2 * hashes->n >= hashes->n_slots)
        grow_slots(hashes);
    else if (hashes->n_slots)
        *slot_of(hashes, hash) = (uint32_t)hashes->n;
    return true;
}

void sm_hashes_clear(struct sm_hashes *hashes)
{
    free(hashes->items);
    free(hashes->slots);
    *hashes = (struct sm_hashes){0};
}

void sm_baseline_free(struct sm_baseline *baseline)
{
    sm_hashes_clear(&baseline->outputs);
    sm_hashes_clear(&baseline->order_failures);
    sm_hashes_clear(&baseline->race_failures);
    sm_buffer_free(&baseline->usual_output);
    free(baseline->errors);
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

void sm_baseline_adopt(struct sm_baseline *baseline, struct sm_campaign *campaign,
                       const struct sm_settings *settings, int exit_status)
{
    baseline->exit_status = campaign->expectation.exit_status = exit_status;
    campaign->expectation.oracle = settings->oracle;
    baseline->has_oracle = settings->oracle;
    baseline->is_known = true;
}

/* The end of its standard error: as many lines as are useful. */
static void keep_errors(struct sm_baseline *baseline, const struct sm_campaign *campaign)
{
    enum { LINES = 5, BYTES = 1000 };
    struct sm_buffer all = {0};
    sm_capture_read(&campaign->workers[0].errors, &all);
    size_t at = all.size, lines = 0;
    while (at && all.size - at < BYTES && (lines += all.data[at - 1] == '\n') <= LINES)
        at--;
    baseline->errors = sm_copy_text(all.data ? all.data + at : "");
    sm_buffer_free(&all);
}

static bool execute(struct sm_campaign *campaign, const struct sm_settings *settings,
                    struct sm_trial *trial, struct sm_outcome *outcome, struct sm_error *error)
{
    *trial =
        (struct sm_trial){.options = sm_plan_default(&settings->options), .watch = SM_WATCH_ALL};
    return sm_campaign_one(campaign, trial, outcome, error) &&
           (trial->done ||
            sm_fail(error, SM_STATUS_TARGET,
                    sm_interrupt_signal() ? "interrupted; the program was stopped"
                                          : "the time was over before the first execution ended; "
                                            "give it more with --time SECONDS"));
}

/* The expected exit status is only known after an execution, and the oracle is asked only about
   executions with that status. */
bool sm_baseline_begin(struct sm_baseline *baseline, struct sm_campaign *campaign,
                       const struct sm_settings *settings, struct sm_trial *first,
                       struct sm_outcome *outcome, struct sm_error *error)
{
    sm_campaign_limit(campaign, settings, FIRST_TIMEOUT);
    campaign->expectation.exit_status =
        settings->expect_exit == SM_NO_EXPECTATION ? -1 : (int)settings->expect_exit;
    if (!execute(campaign, settings, first, outcome, error))
        return false;
    if (!sm_ended_well(&first->result.facts))
        return true;
    sm_baseline_adopt(baseline, campaign, settings, outcome->exit_status);
    sm_capture_read(&campaign->workers[0].output, &baseline->usual_output);
    if (baseline->exit_status)
        keep_errors(baseline, campaign);
    if (settings->oracle) {
        sm_result_free(&first->result);
        sm_outcome_free(outcome);
        if (!execute(campaign, settings, first, outcome, error))
            return false;
    }
    sm_baseline_note(baseline, &first->result.facts);
    return true;
}
