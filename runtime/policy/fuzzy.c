/*
 * Fuzzy: follow a recording as far as it fits, and go on without it where it does not.
 *
 * A load that is told the future leads the execution away from the one in which that future
 * was seen. The recorded schedule is still the best way to make the store happen that was
 * foreseen, so its answers are given wherever the same choice comes up again (same thread,
 * same scheduling point, as many ways), whatever has happened elsewhere. Where it has no
 * answer the running thread goes on, unless it spins: it may wait for one that the recording
 * would have let run somewhere it no longer comes to.
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
    if (!sm_lenient_find(sm_choice_here(), &chosen) && candidates->threads[0]->priority == SPINNING)
        chosen = sm_random_below(candidates->n);
    candidates->threads[chosen]->priority = NOT_SPINNING;
    return chosen;
}

/* Values are lied about as recorded, and besides by the heuristic and the predictions. */
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
