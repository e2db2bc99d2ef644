/*
 * POS: partial order sampling. Each pending event has a random priority and the highest
 * runs; after an event, those that conflict with it draw anew. That samples partial
 * orders more evenly than a random walk, which favours those with many linearisations.
 */
#include "runtime/policy/policy.h"

struct footprint {
    uintptr_t addr;
    bool writes;
};
static uint64_t lowest;       /* next priority for a thread that yields */
static struct footprint last; /* of the last event that ran */

static bool writes(const struct sm_event *event)
{
    return event->kind != SM_EV_LOAD && event->kind != SM_EV_ATOMIC_LOAD;
}

static bool conflicts(const struct sm_event *event)
{
    return event && event->addr && event->addr >> 3 == last.addr >> 3 &&
           (last.writes || writes(event));
}

static void start(void)
{
    last = (struct footprint){0};
    lowest = UINT32_MAX; /* random priorities are hardly ever below */
}

static void draw(struct sm_thread *thread)
{
    thread->priority = sm_random();
}

/* A thread that spins yields to all others, including those that yielded before: against one with a
   low priority it would win so often that an execution never ends. */
static void give_way(struct sm_thread *thread)
{
    thread->priority = lowest--;
}

static uint32_t pick(const struct sm_candidates *candidates)
{
    uint32_t best = 0;
    for (uint32_t i = 0; i < candidates->n; i++) {
        struct sm_thread *thread = sm_candidate(candidates, i);
        if (conflicts(thread->pending))
            draw(thread);
        if (thread->priority > sm_candidate(candidates, best)->priority)
            best = i;
    }
    struct sm_thread *chosen = sm_candidate(candidates, best);
    const struct sm_event *event = chosen->pending;
    last = event ? (struct footprint){event->addr, writes(event)} : (struct footprint){0};
    draw(chosen); /* for its next event */
    return best;
}

const struct sm_schedule sm_schedule_pos = {
    .start = start, .created = draw, .yielded = give_way, .thread = pick};
