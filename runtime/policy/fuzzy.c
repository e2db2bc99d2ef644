/*
 * Fuzzy: follows a recording as far as it fits, and continues without it where it does not.
 *
 * A load of a future value makes the execution diverge from the one in which the value was seen.
 * The recorded schedule is still the best way to get the foreseen store made, so its answers are
 * used wherever the same choice recurs (same thread, same scheduling point, as many alternatives),
 * whatever has happened elsewhere. Where it has no answer the running thread continues, unless it
 * spins: it may wait for a thread that the recording would have run at a point no longer reached.
 */
#include "runtime/policy/policy.h"

enum { NOT_SPINNING, SPINNING }; /* priority: SPINNING has spun since it was last chosen */

static void created(struct sm_thread *thread)
{
    thread->priority = NOT_SPINNING;
}

static void yielded(struct sm_thread *thread)
{
    thread->priority = SPINNING;
}

static uint32_t pick(const struct sm_candidates *candidates)
{
    uint32_t chosen = 0;
    if (!sm_lenient_find(sm_choice_here(), &chosen) &&
        sm_candidate(candidates, 0)->priority == SPINNING)
        chosen = sm_random_below(candidates->n);
    sm_candidate(candidates, chosen)->priority = NOT_SPINNING;
    return chosen;
}

/* Stale values are as recorded; others come from the heuristic and the predictions. */
static bool knows(enum sm_purpose purpose, uint32_t *pick)
{
    *pick = 0;
    if (purpose == SM_PURPOSE_THREAD || purpose == SM_PURPOSE_FUTURE ||
        purpose == SM_PURPOSE_FUTURE_VALUE)
        return false;
    return sm_lenient_find(sm_choice_here(), pick) || purpose != SM_PURPOSE_VALUE;
}

const struct sm_schedule sm_schedule_fuzzy = {.start = sm_lenient_start,
                                              .created = created,
                                              .yielded = yielded,
                                              .thread = pick,
                                              .knows = knows};
