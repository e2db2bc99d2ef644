/*
 * Hesitant: a schedule for wake-ups that are lost, and for what is tested before it is done. A
 * thread goes on until it is about to wait for a condition, to signal or post, or to store
 * atomically; then it lets the others by. One that has tested its condition is so passed by the one
 * that changes it and signals. In a logger whose writer misses the end in one of 1,500 executions
 * of a random walk, of pct or of pos, it does in one of 200 of these, and in one of 50 if only
 * synchronisation is interleaved.
 *
 * One choice in 4 to 256, by the seed, is made blindly: often enough that nothing is out of reach,
 * and in most executions so rarely that a thread comes to where it hesitates.
 */
#include "runtime/policy/policy.h"

enum { EAGER, SPUN }; /* priority: SPUN has spun since it was last chosen */

static uint32_t noise;

static void start(void)
{
    noise = 4u << 2 * sm_random_below(4);
}

static void created(struct sm_thread *thread)
{
    thread->priority = EAGER;
}

static void yielded(struct sm_thread *thread)
{
    thread->priority = SPUN;
}

/* Between the test of a condition and the wait for it, or between its change and the signal. */
static bool is_at_wakeup(const struct sm_event *event)
{
    switch (event->kind) {
    case SM_EV_WAIT:
    case SM_EV_SIGNAL:
    case SM_EV_BROADCAST:
    case SM_EV_SEM_POST:
    case SM_EV_ATOMIC_STORE:
    case SM_EV_RMW:
        return true;
    default:
        return false;
    }
}

static bool hesitates(const struct sm_thread *thread)
{
    return thread->priority == SPUN || (thread->pending && is_at_wakeup(thread->pending));
}

static uint32_t choose(const struct sm_candidates *candidates)
{
    if (sm_random_below(noise) == 0)
        return sm_random_below(candidates->n);
    for (uint32_t i = 0; i < candidates->n; i++)
        if (!hesitates(sm_candidate(candidates, i)))
            return i;
    return sm_random_below(candidates->n);
}

static uint32_t pick(const struct sm_candidates *candidates)
{
    uint32_t chosen = choose(candidates);
    sm_candidate(candidates, chosen)->priority = EAGER;
    return chosen;
}

const struct sm_schedule sm_schedule_hesitant = {
    .start = start, .created = created, .yielded = yielded, .thread = pick};
