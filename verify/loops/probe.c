#include "verify/loops/probe.h"
#include "runtime/sched/sched.h"

#include <string.h>

#include "base/sys.h"
#include "runtime/model/memory.h"
#include "runtime/thread.h"
#include "verify/exploration.h"
#include "verify/graph/preempt.h"
#include "verify/loops/await.h"
#include "verify/pool.h"
#include "verify/run/outside.h"
#include "verify/run/run.h"
#include "verify/run/share.h"
#include "verify/trees/learn.h"

static struct probe {
    bool active; /* the thread continues with a value that has no node yet */
    bool idle;   /* it is at the loop header: registers that differ are dead */
    bool waits;  /* it came back to the read */
    struct sm_node node;
    uint64_t state, value;
    uint32_t write; /* the write that gave the value */
    const struct sm_site *site;
    uintptr_t addr;
} *probes; /* SM_GRAPH_THREADS of them */

/* Beyond MOST_FUTILE (4 MB) all are forgotten and found again: memory must not grow with the number
   of executions. */
enum { FIRST_LOOP_SLOTS = 1024, MOST_FUTILE = 1 << 18 };
static struct futile {
    uint64_t *slots; /* hashes of state and value; 0: empty */
    uint32_t n, capacity;
} *futile;

void sm_probe_start(void)
{
    probes = sm_pool_get(SM_GRAPH_THREADS * sizeof *probes);
    memset(probes, 0, SM_GRAPH_THREADS * sizeof *probes);
    futile = sm_pool_get(sizeof *futile);
    *futile = (struct futile){.capacity = FIRST_LOOP_SLOTS};
    futile->slots = memset(sm_pool_get(FIRST_LOOP_SLOTS * sizeof *futile->slots), 0,
                           FIRST_LOOP_SLOTS * sizeof *futile->slots);
}

void sm_probe_begin(void)
{
    for (uint32_t i = 0, n = sm_share_thread_count(); i < n; i++)
        probes[i].active = probes[i].waits = false;
}

/* ---- futile values ---- */

static uint64_t hash_of(uint64_t state, uint64_t value)
{
    uint64_t hash = (state ^ value * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
    return (hash ^ hash >> 32) | 1;
}

static uint64_t *slot(uint64_t *slots, uint32_t capacity, uint64_t hash)
{
    uint32_t i = (uint32_t)(hash >> 20) & (capacity - 1);
    while (slots[i] && slots[i] != hash)
        i = (i + 1) & (capacity - 1);
    return &slots[i];
}

static void grow(void)
{
    uint32_t larger = 2 * futile->capacity;
    size_t size = larger * sizeof *futile->slots;
    uint64_t *slots = memset(sm_pool_get(size), 0, size);
    for (uint32_t i = 0; i < futile->capacity; i++)
        if (futile->slots[i])
            *slot(slots, larger, futile->slots[i]) = futile->slots[i];
    sm_pool_put(futile->slots, futile->capacity * sizeof *futile->slots);
    futile->slots = slots;
    futile->capacity = larger;
}

static void forget(void)
{
    memset(futile->slots, 0, futile->capacity * sizeof *futile->slots);
    futile->n = 0;
}

static void remember(uint64_t hash)
{
    if (futile->n == MOST_FUTILE)
        forget();
    if (2 * futile->n >= futile->capacity)
        grow();
    uint64_t *at = slot(futile->slots, futile->capacity, hash);
    futile->n += !*at;
    *at = hash;
}

void sm_probe_remember(uint64_t state, uint64_t value)
{
    remember(hash_of(state, value));
}

void sm_probe_pack(struct sm_parcel *parcel)
{
    sm_parcel_put(parcel, &futile->n, sizeof futile->n);
    for (uint32_t i = 0; i < futile->capacity; i++)
        if (futile->slots[i])
            sm_parcel_put(parcel, &futile->slots[i], sizeof *futile->slots);
}

void sm_probe_unpack(struct sm_parcel *parcel)
{
    uint32_t n;
    uint64_t hash;
    sm_parcel_take(parcel, &n, sizeof n);
    for (uint32_t i = 0; i < n; i++) {
        sm_parcel_take(parcel, &hash, sizeof hash);
        remember(hash);
    }
}

bool sm_probe_is_futile(uint64_t state, uint64_t value)
{
    return *slot(futile->slots, futile->capacity, hash_of(state, value));
}

/* ---- probing ---- */

static uint32_t newest(uint16_t loc)
{
    return sm_graph_now()->locs[loc].mo_last;
}

bool sm_probe_is_active(uint32_t thread)
{
    return probes[thread].active;
}

void sm_probe_idle(uint32_t thread)
{
    probes[thread].idle = true;
}

bool sm_probe_waited(uint32_t thread)
{
    return probes[thread].waits;
}

bool sm_probe_waits(uint32_t thread)
{
    const struct probe *probe = &probes[thread];
    return probe->waits && probe->write == newest(probe->node.loc);
}

/* No other thread is enabled: the read becomes an event, and the thread stays blocked. */
static _Noreturn void stop(struct sm_event *event, struct probe *probe)
{
    static const struct sm_step_read plain;
    uint16_t index = sm_run_position(event->thread->id);
    probe->waits = false;
    sm_step_read(&sm_exploration->runs, &probe->node, &plain);
    sm_learn_answer(event->thread->id, probe->value);
    sm_await_stop(event->thread->id, index);
    sm_wait_for_ever(event, SM_WAITS_IN_LOOP);
}

void sm_probe_read(struct sm_event *event, uint16_t loc, uint32_t local)
{
    struct probe *probe = &probes[event->thread->id];
    if (sm_probe_waits(event->thread->id))
        stop(event, probe);
    uint64_t state = sm_await_state(event->thread);
    if (!probe->waits)
        *probe = (struct probe){.node = sm_node_of(event, SM_NODE_READ, loc),
                                .state = state,
                                .site = event->site,
                                .addr = event->addr};
    probe->node.local = local;
    probe->waits = probe->idle = false;
    probe->active = true;
    probe->write = newest(loc);
    event->value = probe->value = sm_graph_value(sm_graph_now(), loc, probe->write);
    sm_outside_put(event, loc);
}

void sm_probe_settle(uint32_t thread)
{
    struct probe *probe = &probes[thread];
    if (SM_LIKELY(!probe->active))
        return;
    probe->active = false;
    if (sm_preempt_on())
        sm_preempt_had_turn(thread); /* its turn, when it read */
    const struct sm_step_read how = {.state = probe->state};
    uint32_t stamp = sm_step_read(&sm_exploration->runs, &probe->node, &how);
    SM_ASSERT(sm_graph_now()->nodes[stamp].value == probe->value);
    sm_learn_answer(thread, probe->value);
}

void sm_probe_settle_all(void)
{
    for (uint32_t i = 0, n = sm_share_thread_count(); i < n; i++)
        sm_probe_settle(i);
}

void sm_probe_access(const struct sm_event *event)
{
    struct probe *probe = &probes[event->thread->id];
    if (SM_LIKELY(!probe->active))
        return;
    if (event->site != probe->site || event->addr != probe->addr ||
        (!probe->idle && sm_await_take_state(event) != probe->state)) {
        sm_probe_settle(event->thread->id);
        return;
    }
    probe->active = false;
    probe->waits = true;
    struct sm_local waited = {.kind = SM_LOCAL_IDLE,
                              .value = sm_run_position(event->thread->id),
                              .old = probe->state,
                              .site = SM_NO_SITE};
    sm_learn_after(event->thread->id, probe->value, &waited);
    sm_probe_remember(probe->state, probe->value);
}
