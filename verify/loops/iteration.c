#include "verify/loops/iteration.h"

#include <string.h>

#include "runtime/control.h"
#include "runtime/restart.h"
#include "verify/graph/graph.h"
#include "verify/mix.h"
#include "verify/pool.h"
#include "verify/whole.h"

/* Loops that a thread is in. Beyond that the outermost is forgotten, and never found idle. */
enum { MOST_LOOPS = 16 };

/* The last time that the thread was at the header of a loop. */
struct arrival {
    struct sm_iteration at;
    uint64_t effects; /* of the thread until then */
    size_t printed;
    uint16_t index;
};

static struct loops {
    struct arrival arrivals[MOST_LOOPS];
    uint32_t n;
    uint64_t effects;
    uint16_t since;
    bool reloads;
} *threads; /* SM_GRAPH_THREADS of them */

static bool on;

bool sm_iteration_is_on(void)
{
    return on;
}

void sm_iteration_start(void)
{
    on = !sm_option(count) && sm_whole_is_known();
    threads = sm_pool_get(SM_GRAPH_THREADS * sizeof *threads);
}

void sm_iteration_begin(void)
{
    for (unsigned i = 0; i < SM_GRAPH_THREADS; i++)
        threads[i].n = threads[i].effects = 0;
}

void sm_iteration_note_effect(uint32_t thread)
{
    threads[thread].effects++;
}

uint16_t sm_iteration_since(uint32_t thread)
{
    return threads[thread].since;
}

bool sm_iteration_reloads(uint32_t thread)
{
    return threads[thread].reloads;
}

static size_t printed_so_far(void)
{
    const char *unused;
    return sm_restart_written(&unused) + sm_control->outcome_bytes;
}

static struct arrival *find(struct loops *loops, const struct sm_iteration *at)
{
    for (uint32_t i = loops->n; i-- > 0;)
        if (loops->arrivals[i].at.loop == at->loop && loops->arrivals[i].at.frame == at->frame)
            return &loops->arrivals[i];
    return NULL;
}

static struct arrival *add(struct loops *loops)
{
    if (loops->n == MOST_LOOPS)
        memmove(loops->arrivals, loops->arrivals + 1, --loops->n * sizeof *loops->arrivals);
    return &loops->arrivals[loops->n++];
}

static bool is_entry(const struct arrival *arrival)
{
    return !arrival->at.again;
}

static bool is_same(const struct arrival *then, const struct arrival *now)
{
    return then->effects == now->effects && then->printed == now->printed &&
           then->index < now->index && then->at.state == now->at.state &&
           (is_entry(then) || then->at.reload == now->at.reload);
}

bool sm_iteration_is_idle(uint32_t thread, const struct sm_iteration *at, uint16_t index)
{
    struct loops *loops = &threads[thread];
    const struct arrival now = {*at, loops->effects, printed_so_far(), index};
    struct arrival *then = find(loops, at);
    if (at->again && then && is_same(then, &now)) {
        loops->since = then->index;
        loops->reloads = then->at.reload != at->reload;
        return true;
    }
    *(then ? then : add(loops)) = now;
    return false;
}

uint64_t sm_iteration_state(uint32_t thread, uint16_t index)
{
    const struct loops *loops = &threads[thread];
    uint64_t hash = loops->n;
    for (uint32_t i = 0; i < loops->n; i++) {
        const struct arrival *arrival = &loops->arrivals[i];
        hash = sm_mix(sm_mix(hash, arrival->at.loop), arrival->at.frame);
        hash = sm_mix(sm_mix(hash, arrival->at.state), is_entry(arrival) ? 0 : arrival->at.reload);
        hash = sm_mix(hash, (uint64_t)is_entry(arrival) << 2 | (index > arrival->index) << 1 |
                                (loops->effects == arrival->effects));
    }
    return hash;
}
