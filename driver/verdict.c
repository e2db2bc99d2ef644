#include "verdict.h"

#include <stdlib.h>

const char *const sm_verdict_words[] = {
    [SM_VERDICT_UNDECIDED] = "undecided",
    [SM_VERDICT_BENIGN] = "benign",
    [SM_VERDICT_QOS] = "qos",
    [SM_VERDICT_DESTRUCTIVE] = "destructive",
    [SM_VERDICT_PROVED_BENIGN] = "proved-benign",
    [SM_VERDICTS] = NULL,
};

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
}

/* ---- the baseline ---- */

static bool ended_well(const struct sm_result_facts *facts)
{
    return facts->kind == SM_FAILURE_NONE && facts->exited && !facts->assumed && !facts->diverged;
}

void sm_baseline_note(struct sm_baseline *baseline, const struct sm_result_facts *facts)
{
    if (ended_well(facts))
        sm_hashes_add(&baseline->outputs, facts->output);
}

enum sm_failure_kind sm_baseline_judge(const struct sm_baseline *baseline,
                                       const struct sm_result_facts *facts)
{
    if (!ended_well(facts))
        return facts->kind;
    bool outputs_agree = !baseline->has_oracle && baseline->outputs.n == 1;
    return outputs_agree && facts->output != baseline->outputs.items[0] ? SM_FAILURE_OUTPUT
                                                                        : SM_FAILURE_NONE;
}

enum sm_failure_kind sm_baseline_blame(const struct sm_baseline *baseline,
                                       const struct sm_result_facts *facts)
{
    if (facts->kind != SM_FAILURE_NONE &&
        sm_hashes_have(&baseline->order_failures, facts->signature))
        return SM_FAILURE_NONE;
    return sm_baseline_judge(baseline, facts);
}

/* ---- tallies ---- */

static bool told_a_lie(const struct sm_result_facts *facts)
{
    return facts->stale || facts->delayed;
}

static void count_honest(struct sm_tally *tally, const struct sm_trial *trials, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct sm_result_facts *facts = &trials[i].result.facts;
        if (trials[i].done && !told_a_lie(facts) && ended_well(facts) &&
            facts->events > tally->honest_events)
            tally->honest_events = facts->events;
    }
}

static void count_one(struct sm_tally *tally, const struct sm_baseline *baseline,
                      const struct sm_trial *trial)
{
    const struct sm_result_facts *facts = &trial->result.facts;
    struct sm_rate *rate = &tally->by_heuristic[trial->options.heuristic];
    bool failed = sm_baseline_blame(baseline, facts) != SM_FAILURE_NONE;
    tally->trials++;
    rate->trials++;
    tally->failures += failed;
    rate->failures += failed;
    tally->stale_reads += facts->stale;
    tally->read_choices += facts->read_choices + facts->delayed;
    if (failed || !told_a_lie(facts))
        return;
    /* A waiting loop that is lied to turns a few times more, and in a program of some 30
       events that doubles them: 200 more is where it begins to count. */
    tally->lying++;
    tally->slow += facts->events > 2 * tally->honest_events &&
                   facts->events > tally->honest_events + 200;
}

void sm_tally_count(struct sm_tally *tally, const struct sm_baseline *baseline,
                    const struct sm_trial *trials, size_t n)
{
    *tally = (struct sm_tally){0};
    count_honest(tally, trials, n);
    for (size_t i = 0; i < n; i++)
        if (trials[i].done)
            count_one(tally, baseline, &trials[i]);
}

enum sm_verdict_kind sm_tally_verdict(const struct sm_tally *tally, bool witnessed)
{
    if (witnessed)
        return SM_VERDICT_DESTRUCTIVE;
    if (!tally->read_choices)
        return SM_VERDICT_UNDECIDED;
    /* One in ten: a random schedule has its slow executions too. */
    return tally->honest_events && tally->slow * 10 > tally->lying ? SM_VERDICT_QOS
                                                                   : SM_VERDICT_BENIGN;
}
