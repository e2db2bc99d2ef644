/*
 * Patient: a schedule for stale values. A thread runs until it is about to make a read that may
 * return one; then it lets the others run, so that they store first and there is a stale value. A
 * random walk often reads before any other thread has written, and then the chance is gone: of 100
 * random walks through a program that initialises something once, some 40 have a stale value to
 * offer, of 100 of these schedules 90.
 *
 * Under tso and pso a stale value exists until the delayed store lands: a thread that is about to
 * flush its stores lets even the reading threads run first. Of 100 trials with stale values of the
 * three variables of tests/hunt/sources/three_flags.c under pso one failed without this, and 15 do
 * with it.
 *
 * One choice in NOISE is random, so that every schedule is possible.
 */
#include "runtime/model/model.h"
#include "runtime/policy/policy.h"
#include "runtime/step.h"

enum { NOISE = 12 };
enum { FRESH, TIRED }; /* priority: TIRED has spun since it was last chosen */

static void created(struct sm_thread *thread)
{
    thread->priority = FRESH;
}

static void yielded(struct sm_thread *thread)
{
    thread->priority = TIRED;
}

static bool lands(const struct sm_thread *thread)
{
    return sm_model->lands && sm_model->lands(thread);
}

static bool waits(const struct sm_thread *thread)
{
    const struct sm_event *event = thread->pending;
    bool reads = event && (event->kind == SM_EV_LOAD || event->kind == SM_EV_ATOMIC_LOAD);
    return thread->priority == TIRED || (reads && sm_is_lied_about(event)) || lands(thread);
}

/* One of the threads that wait for a stale value, once all wait; else any. */
static uint32_t choose_waiting(const struct sm_candidates *candidates)
{
    uint32_t start = sm_random_below(candidates->n);
    for (uint32_t i = start; i < start + candidates->n; i++)
        if (!lands(sm_candidate(candidates, i % candidates->n)))
            return i % candidates->n;
    return start;
}

static uint32_t choose(const struct sm_candidates *candidates)
{
    if (sm_random_below(NOISE) == 0)
        return sm_random_below(candidates->n);
    for (uint32_t i = 0; i < candidates->n; i++)
        if (!waits(sm_candidate(candidates, i)))
            return i;
    return choose_waiting(candidates);
}

static uint32_t pick(const struct sm_candidates *candidates)
{
    uint32_t chosen = choose(candidates);
    sm_candidate(candidates, chosen)->priority = FRESH;
    return chosen;
}

const struct sm_schedule sm_schedule_patient = {
    .created = created, .yielded = yielded, .thread = pick};
