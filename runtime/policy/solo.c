#include "runtime/policy/solo.h"

#include "base/random.h"
#include "runtime/control.h"
#include "runtime/policy/policy.h"
#include "runtime/sched/sched.h"
#include "runtime/trace.h"

/* A loop that waits for another thread makes no events if its variable is not watched. */
enum { MOST_TURNS = 1000 };

static struct sm_random stream;
static uint32_t turns;

void sm_solo_start(void)
{
    turns = 0;
    stream = sm_random_seed(sm_option(solo_seed), 4);
}

bool sm_solo_on(void)
{
    return sm_option(solo) && sm_trace_next() + 1 >= sm_option(solo);
}

/* The thread, or the one that it joins. */
static bool may_run(const struct sm_thread *candidate)
{
    const struct sm_thread *alone = sm_thread_by_id((uint32_t)sm_option(solo_thread));
    bool joins = alone && alone->state == SM_THREAD_BLOCKED && alone->pending &&
                 alone->pending->kind == SM_EV_JOIN;
    return candidate == alone || (joins && alone->pending->old == candidate->id);
}

static uint32_t pick_thread(const struct sm_candidates *candidates)
{
    if (++turns > MOST_TURNS)
        sm_end(SM_END_UNVALIDATED, 0, "thread %lu does not end alone", sm_option(solo_thread));
    for (uint32_t i = 0; i < candidates->n; i++)
        if (may_run(sm_candidate(candidates, i)))
            return i;
    return 0;
}

uint32_t sm_solo_answer(enum sm_purpose purpose, uint32_t n, const void *context)
{
    if (purpose == SM_PURPOSE_THREAD)
        return pick_thread(context);
    if (purpose == SM_PURPOSE_FUTURE || sm_option(solo_seed) == 0)
        return 0;
    return (uint32_t)(sm_random_next(&stream) % n);
}
