#include "verify/trees/effects.h"

#include <string.h>

#include "abi/control.h"
#include "base/mix.h"
#include "runtime/control.h"
#include "runtime/restart.h"
#include "runtime/snapshot.h"
#include "runtime/thread.h"
#include "verify/graph/graph.h"
#include "verify/graph/threads.h"
#include "verify/loops/await.h"
#include "verify/loops/iteration.h"
#include "verify/pool.h"
#include "verify/run/spurious.h"
#include "verify/states/paths.h"
#include "verify/whole.h"

static struct effects {
    bool known;
} *effects;

/* State of this run. */
static uint64_t left[SM_GRAPH_THREADS];
static sm_threads lost; /* threads whose effects are not known */

void sm_effects_start(void)
{
    effects = sm_pool_get(sizeof *effects);
    *effects = (struct effects){sm_whole_is_known()};
}

void sm_effects_begin(void)
{
    memset(left, 0, sizeof left);
    lost = 0;
}

bool sm_effects_are_known(void)
{
    return effects->known;
}

void sm_effects_note(const struct sm_event *event)
{
    uintptr_t low = (uintptr_t)event->thread->stack_low;
    if (event->addr - low < sm_await_stack_top(event->thread) - low)
        return; /* its stack; thread-local storage lies above it */
    uint64_t how = event->addr ^ (uint64_t)event->kind << 56 ^ (uint64_t)event->size << 48;
    sm_effects_join(event->thread->id, sm_mix(how, event->value));
}

void sm_effects_note_unknown(uint32_t thread)
{
    lost |= sm_threads_of(thread);
}

bool sm_effects_are_lost(uint32_t thread)
{
    return sm_threads_have(lost, thread);
}

void sm_effects_join(uint32_t thread, uint64_t other)
{
    left[thread] = sm_mix(left[thread], other);
}

/* In hb any thread may print; elsewhere the trees are given up if one but the initial thread does.
 */
static uint64_t printed(void)
{
    const char *text;
    size_t size = sm_restart_written(&text);
    return sm_mix(sm_outcome_hash(text, size),
                  sm_outcome_hash(sm_control->outcome, sm_control->outcome_bytes));
}

uint64_t sm_effects_at_end(const struct sm_thread *thread)
{
    sm_effects_join(thread->id, (uintptr_t)thread->result);
    return sm_paths_on() ? sm_mix(left[thread->id], printed()) : left[thread->id];
}

uint64_t sm_effects_state(const struct sm_event *event, uint16_t position)
{
    uint32_t thread = event->thread->id;
    bool known = effects->known && !sm_effects_are_lost(thread);
    uint64_t hash = known ? sm_await_take_state(event) : 0;
    if (!hash || !sm_snapshot_is_whole(event))
        return 0;
    hash = sm_mix(hash, left[thread]);
    hash = sm_mix(hash, sm_iteration_state(thread, position));
    hash = sm_mix(hash, sm_spurious_state(thread));
    if (thread == 0 || sm_paths_on())
        hash = sm_mix(hash, printed());
    return hash | 1;
}
