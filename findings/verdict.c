#include "findings/verdict.h"

#include <stdlib.h>

const char *const sm_verdict_words[] = {
#define SM_VERDICT(name, word, meaning, advice) word,
#include "findings/verdicts.def"
    NULL};
const char *const sm_verdict_meanings[] = {
#define SM_VERDICT(name, word, meaning, advice) meaning,
#include "findings/verdicts.def"
};
const char *const sm_verdict_advice[] = {
#define SM_VERDICT(name, word, meaning, advice) advice,
#include "findings/verdicts.def"
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
    free(baseline->race_failures.items);
}

/* ---- the baseline ---- */

static bool ended_well(const struct sm_result_facts *facts)
{
    return facts->kind == SM_FAILURE_NONE && facts->exited && !facts->assumed && !facts->diverged &&
           !facts->unvalidated;
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

enum sm_failure_kind sm_baseline_blame(const struct sm_baseline *baseline, bool narrow,
                                       const struct sm_result_facts *facts)
{
    bool without = sm_hashes_have(&baseline->order_failures, facts->signature) ||
                   (!narrow && sm_hashes_have(&baseline->race_failures, facts->signature));
    if (facts->kind != SM_FAILURE_NONE && without)
        return SM_FAILURE_NONE;
    return sm_baseline_judge(baseline, facts);
}

/* ---- how long executions are ---- */

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Median of the events of the heuristic's narrow trials that ended well: a wide one has the
   same events, but in the turmoil of others. 0 when there are none. */
static uint64_t median_events(const struct sm_trial *trials, size_t n, uint64_t heuristic)
{
    uint64_t *events = sm_new((n + 1) * sizeof *events), median = 0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (trials[i].done && trials[i].options.narrow &&
            trials[i].options.heuristic == heuristic && ended_well(&trials[i].result.facts))
            events[count++] = trials[i].result.facts.events;
    qsort(events, count, sizeof *events, by_size);
    if (count)
        median = events[count / 2];
    free(events);
    return median;
}

/* A waiting loop that is lied to turns some 16 times more, and in a program of 30 events
   that doubles them: 200 more is where it begins to count. */
static bool is_slower(uint64_t events, uint64_t honest)
{
    return honest && events > 2 * honest && events > honest + 200;
}

static void count_lengths(struct sm_tally *tally, const struct sm_trial *trials, size_t n)
{
    tally->honest_events = median_events(trials, n, SM_HEURISTIC_SC);
    for (uint64_t heuristic = SM_HEURISTIC_SC + 1; heuristic < SM_HEURISTICS; heuristic++) {
        uint64_t events = median_events(trials, n, heuristic);
        if (events > tally->lying_events)
            tally->lying_events = events;
    }
}

/* ---- all together ---- */

bool sm_trial_failed(const struct sm_trial *trial, const struct sm_baseline *baseline,
                     const struct sm_findings *findings)
{
    const struct sm_result_facts *facts = &trial->result.facts;
    if (!trial->done || (findings->slow && facts->kind == SM_FAILURE_HANG))
        return false;
    if (findings->witnessed && facts->signature && facts->signature == findings->signature)
        return true;
    return sm_baseline_blame(baseline, trial->options.narrow, facts) != SM_FAILURE_NONE;
}

static void count_one(struct sm_tally *tally, const struct sm_baseline *baseline,
                      const struct sm_findings *findings, const struct sm_trial *trial)
{
    const struct sm_result_facts *facts = &trial->result.facts;
    struct sm_rate *rate = &tally->by_heuristic[trial->options.heuristic];
    bool failed = sm_trial_failed(trial, baseline, findings);
    tally->trials++;
    rate->trials++;
    tally->failures += failed;
    rate->failures += failed;
    tally->stale_reads += facts->stale;
    tally->read_choices += facts->read_choices + facts->delayed;
}

void sm_tally_count(struct sm_tally *tally, const struct sm_baseline *baseline,
                    const struct sm_findings *findings, const struct sm_trial *trials, size_t n)
{
    *tally = (struct sm_tally){0};
    count_lengths(tally, trials, n);
    for (size_t i = 0; i < n; i++) {
        if (trials[i].done)
            count_one(tally, baseline, findings, &trials[i]);
        tally->course[i * SM_TALLY_STEPS / n] = (struct sm_rate){tally->trials, tally->failures};
    }
}

void sm_tally_add(struct sm_tally *tally, const struct sm_baseline *baseline,
                  const struct sm_findings *findings, const struct sm_trial *trials, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct sm_result_facts *facts = &trials[i].result.facts;
        if (!trials[i].done)
            continue;
        tally->unvalidated += facts->unvalidated;
        if (facts->unvalidated)
            continue;
        tally->trials++;
        tally->failures += sm_trial_failed(&trials[i], baseline, findings) &&
                           !(findings->circular && !findings->witnessed);
        tally->stale_reads += facts->stale;
        tally->future_reads += facts->future;
        tally->read_choices += facts->read_choices + facts->future;
    }
}

enum sm_verdict_kind sm_tally_verdict(const struct sm_tally *tally,
                                      const struct sm_findings *findings)
{
    if (findings->witnessed)
        return SM_VERDICT_DESTRUCTIVE;
    if (findings->slow)
        return SM_VERDICT_QOS;
    if (!tally->read_choices)
        return SM_VERDICT_UNDECIDED;
    return is_slower(tally->lying_events, tally->honest_events) ? SM_VERDICT_QOS
                                                                : SM_VERDICT_BENIGN;
}
