#include "runtime/sched/livelock.h"

#include "base/sys.h"
#include "runtime/engine.h"
#include "runtime/intercept/identity.h"
#include "runtime/sched/carrier.h"
#include "runtime/sched/internal.h"
#include "runtime/sched/sched.h"
#include "runtime/snapshot.h"

/* Defined by intercept/signal.c. */
uint64_t sm_signals_changed(void);

/* A read that is made again and again in other states (a loop that counts) is not tried for ever.
 */
enum { MOST_TRIES = 4096 };

uint64_t sm_livelock_from = UINT64_MAX;

void sm_livelock_start(void)
{
    bool on = sm_engine->has_time && sm_control->watch_mode == SM_WATCH_ALL;
    sm_livelock_from = on ? SM_LIVELOCK_POINTS : UINT64_MAX;
}

void sm_livelock_never(void)
{
    sm_livelock_from = UINT64_MAX;
}

static uint64_t take(const struct sm_event *read)
{
    return sm_snapshot_take(read, sm_donor_first_frame(read->thread));
}

/* Each snapshot lasts twice as long as the one before: the iteration may be long. */
static void take_snapshot(struct sm_repeated *repeated, const struct sm_event *read)
{
    uint64_t now = sm_control->counters[SM_COUNT_POINT];
    uint64_t passed = now - (sm_livelock_from - SM_LIVELOCK_POINTS);
    *repeated = (struct sm_repeated){.since = sm_livelock_from,
                                     .until = now + passed,
                                     .site = read->site,
                                     .addr = read->addr,
                                     .state = take(read)};
    if (!sm_snapshot_is_whole(read))
        repeated->site = NULL;
}

static bool is_same(struct sm_repeated *repeated, const struct sm_event *read)
{
    return repeated->site == read->site && repeated->addr == read->addr &&
           repeated->tries++ < MOST_TRIES && repeated->state && take(read) == repeated->state;
}

/* The thread ends, waits for other threads, or repeats itself. */
static bool never_goes_on(const struct sm_thread *thread)
{
    switch (thread->state) {
    case SM_THREAD_ENDED:
        return true;
    case SM_THREAD_BLOCKED:
        return thread->deadline == SM_NO_DEADLINE && thread->wait_fd < 0 && !thread->handling;
    default:
        return thread->repeated.repeats && thread->repeated.since == sm_livelock_from;
    }
}

static bool does_nobody_go_on(void)
{
    for (const struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        if (!never_goes_on(t))
            return false;
    return !sm_waits_for_time() && !sm_signals_changed() && !sm_process_has_forked() &&
           !sm_has_strangers();
}

void sm_livelock_look(struct sm_event *read)
{
    struct sm_repeated *repeated = &read->thread->repeated;
    if (repeated->since != sm_livelock_from)
        *repeated = (struct sm_repeated){.since = sm_livelock_from};
    if (!repeated->repeats) {
        repeated->repeats = is_same(repeated, read);
        if (!repeated->repeats && sm_control->counters[SM_COUNT_POINT] >= repeated->until)
            take_snapshot(repeated, read);
    }
    if (!repeated->repeats || !does_nobody_go_on())
        return;
    struct sm_wait wait = {
        .queue = (const void *)read->addr, .what = SM_WAITS_IN_LOOP, .deadline = SM_NO_DEADLINE};
    for (;;)
        sm_block(&wait, read);
}
