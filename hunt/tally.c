#include "hunt/tally.h"

#include <stdlib.h>

/* ---- how long executions are ---- */

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Median of the events of the heuristic's narrow trials that ended well: a wide one has the
   same events among those of all other accesses. 0 when there are none. */
static uint64_t median_events(const struct sm_trial *trials, size_t n, uint64_t heuristic)
{
    uint64_t *events = sm_new((n + 1) * sizeof *events), median = 0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (trials[i].done && trials[i].options.narrow &&
            trials[i].options.heuristic == heuristic && sm_ended_well(&trials[i].result.facts))
            events[count++] = trials[i].result.facts.events;
    qsort(events, count, sizeof *events, by_size);
    if (count)
        median = events[count / 2];
    free(events);
    return median;
}

/* A waiting loop with stale values makes some 16 iterations more, which doubles the events of a
   program with 30: only 200 more count. */
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
                     const struct sm_evidence *evidence)
{
    const struct sm_result_facts *facts = &trial->result.facts;
    if (!trial->done || (evidence->slow && facts->kind == SM_FAILURE_HANG))
        return false;
    if (evidence->witnessed && facts->signature && facts->signature == evidence->signature)
        return true;
    return sm_baseline_blame(baseline, trial->options.narrow, facts) != SM_FAILURE_NONE;
}

static void count_one(struct sm_tally *tally, const struct sm_baseline *baseline,
                      const struct sm_evidence *evidence, const struct sm_trial *trial)
{
    const struct sm_result_facts *facts = &trial->result.facts;
    struct sm_rate *rate = &tally->by_heuristic[trial->options.heuristic];
    bool failed = sm_trial_failed(trial, baseline, evidence);
    tally->trials++;
    tally->completed += sm_ended_well(facts);
    rate->trials++;
    tally->failures += failed;
    rate->failures += failed;
    tally->stale_reads += facts->stale;
    tally->read_choices += facts->read_choices + facts->delayed;
}

void sm_tally_count(struct sm_tally *tally, const struct sm_baseline *baseline,
                    const struct sm_evidence *evidence, const struct sm_trial *trials, size_t n)
{
    *tally = (struct sm_tally){0};
    count_lengths(tally, trials, n);
    for (size_t i = 0; i < n; i++) {
        if (trials[i].done)
            count_one(tally, baseline, evidence, &trials[i]);
        tally->course[i * SM_TALLY_STEPS / n] = (struct sm_rate){tally->trials, tally->failures};
    }
}

void sm_tally_add(struct sm_tally *tally, const struct sm_baseline *baseline,
                  const struct sm_evidence *evidence, const struct sm_trial *trials, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct sm_result_facts *facts = &trials[i].result.facts;
        if (!trials[i].done)
            continue;
        tally->unvalidated += facts->unvalidated;
        if (facts->unvalidated)
            continue;
        tally->trials++;
        tally->completed += sm_ended_well(facts);
        bool failed = sm_trial_failed(&trials[i], baseline, evidence) &&
                      !(evidence->circular && !evidence->witnessed);
        tally->failures += failed;
        if (facts->future && !facts->stale && !facts->delayed) {
            tally->by_future.trials++;
            tally->by_future.failures += failed;
        }
        tally->stale_reads += facts->stale;
        tally->future_reads += facts->future;
        tally->read_choices += facts->read_choices + facts->future;
    }
}

enum sm_verdict_kind sm_tally_verdict(const struct sm_tally *tally,
                                      const struct sm_evidence *evidence)
{
    if (evidence->witnessed)
        return SM_VERDICT_DESTRUCTIVE;
    if (evidence->slow)
        return SM_VERDICT_QOS;
    /* Trials that all ended in failures under sc show nothing, nor do failures that there was no
       time to investigate. */
    if (!tally->read_choices || !tally->completed || (tally->failures && evidence->cut))
        return SM_VERDICT_UNDECIDED;
    return is_slower(tally->lying_events, tally->honest_events) ? SM_VERDICT_QOS
                                                                : SM_VERDICT_BENIGN;
}
