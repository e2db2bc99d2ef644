/*
 * Steered: a schedule that completes half-matched automata of atomicity (analysis/). A thread
 * whose unit of work has accessed a shared set is held back with some probability, so that others
 * access the set; when one has, the thread continues and accesses it again. Whether the other unit
 * may finish first, or the two alternate, is drawn once per execution: some patterns need the one,
 * some the other.
 *
 * Holding back a thread that has a lock mostly just makes others wait: that is done less often,
 * for the sake of threads that take no lock. One choice in RANDOM_ONE_IN is random, so that every
 * schedule is possible.
 */
#include "analysis/units.h"
#include "runtime/policy/policy.h"

enum { RANDOM_ONE_IN = 32, HOLD = 2, HOLD_LOCKED = 3, STAY = 8 }; /* one chance in so many */
enum { GOING, HELD };                                             /* priority */

static bool in_turns;

static void start(void)
{
    in_turns = sm_random_below(3) == 0;
}

static void created(struct sm_thread *thread)
{
    thread->priority = GOING;
}

static void yielded(struct sm_thread *thread)
{
    thread->priority = HELD;
}

/* The thread has just made an access or a call. */
static void decide(struct sm_thread *thread)
{
    enum sm_progress_of_units progress = sm_units_progress(thread->id);
    bool half = progress == SM_UNITS_HALF || (in_turns && progress == SM_UNITS_AHEAD);
    if (half && sm_random_below(sm_units_locks(thread->id) ? HOLD_LOCKED : HOLD) == 0)
        thread->priority = HELD;
}

static bool is_due(const struct sm_thread *thread)
{
    enum sm_progress_of_units progress = sm_units_progress(thread->id);
    return progress == SM_UNITS_OVERTAKEN || (in_turns && progress == SM_UNITS_MET);
}

static uint32_t any_going(const struct sm_candidates *candidates, uint32_t going)
{
    uint32_t skip = sm_random_below(going);
    for (uint32_t i = 0;; i++)
        if (sm_candidate(candidates, i)->priority == GOING && !skip--)
            return i;
}

static uint32_t choose(const struct sm_candidates *candidates)
{
    uint32_t going = 0;
    if (sm_random_below(RANDOM_ONE_IN) == 0)
        return sm_random_below(candidates->n);
    for (uint32_t i = 0; i < candidates->n; i++) {
        const struct sm_thread *thread = sm_candidate(candidates, i);
        if (thread->priority == HELD && is_due(thread))
            return i;
        going += thread->priority == GOING;
    }
    if (!going)
        return sm_random_below(candidates->n);
    if (sm_candidate(candidates, 0)->priority == GOING && sm_random_below(STAY))
        return 0;
    return any_going(candidates, going);
}

static uint32_t pick(const struct sm_candidates *candidates)
{
    if (sm_candidate(candidates, 0)->priority == GOING)
        decide(sm_candidate(candidates, 0));
    uint32_t chosen = choose(candidates);
    sm_candidate(candidates, chosen)->priority = GOING;
    return chosen;
}

const struct sm_schedule sm_schedule_steered = {
    .start = start, .created = created, .yielded = yielded, .thread = pick};
