/*
 * lock_order.c - lock-order inversions under control (core/lock_order.h), reported as warnings.
 *
 * Nothing is tracked until a thread takes a lock while it holds another: earlier synchronisation
 * does not matter, because an order between two acquisitions begins after the first. From then on
 * each thread has a clock of the orders that do not depend on the order of locks: by creation and
 * joining of threads, semaphores, barriers, signals, atomics. Relaxed atomics count once the
 * program has executed a fence, which may make them synchronise.
 *
 * verify does not need this: it explores the deadlock itself, if there is one.
 */
#include "core/lock_order.h"

#include <string.h>

#include "base/sys.h"
#include "base/table.h"
#include "core/edges.h"
#include "core/objects/misuse.h"
#include "core/order.h"
#include "runtime/analysis.h"
#include "runtime/control.h"
#include "runtime/harm.h"
#include "runtime/stack.h"
#include "runtime/sync/object.h"
#include "runtime/thread.h"

static bool on, fenced;
static struct sm_lock_order order;
static struct sm_table threads; /* number + 1 -> its clock */
static struct sm_table objects; /* address -> the clock of what was released there */

/* Recently added acquisitions, and the reported cycles. */
enum { ADDED = 256 };
static struct acquisition {
    uint64_t hash;
    uint32_t thread, time;
} *added; /* NULL: none so far */
static uint64_t told[64];
static uint32_t n_told;

static bool start(void)
{
    on = fenced = false;
    order = (struct sm_lock_order){0};
    added = NULL;
    n_told = 0;
    sm_table_clear(&threads);
    sm_table_clear(&objects);
    return !sm_option(explore);
}

/* ---- clocks ---- */

static struct sm_clock *clock_at(struct sm_table *table, uintptr_t key)
{
    void **at = sm_table_at(table, key);
    if (!*at)
        *at = sm_alloc(sizeof(struct sm_clock));
    return *at;
}

static struct sm_clock *clock_of(uint32_t thread)
{
    struct sm_clock *clock = clock_at(&threads, thread + 1);
    if (!sm_clock_get(clock, thread))
        sm_clock_set(clock, thread, 1);
    return clock;
}

static void tick(uint32_t thread)
{
    struct sm_clock *clock = clock_of(thread);
    sm_clock_set(clock, thread, sm_clock_get(clock, thread) + 1);
}

static void give(uint32_t thread, struct sm_clock *to)
{
    sm_clock_join(to, clock_of(thread));
    tick(thread);
}

/* Objects without an address are one object. */
static struct sm_clock *object_at(uintptr_t addr)
{
    return clock_at(&objects, addr ? addr : 1);
}

/* ---- synchronisation ---- */

static bool is_lock(uint8_t kind)
{
    switch (kind) {
    case SM_EV_LOCK:
    case SM_EV_UNLOCK:
    case SM_EV_READ_LOCK:
    case SM_EV_READ_UNLOCK:
    case SM_EV_WRITE_LOCK:
    case SM_EV_WRITE_UNLOCK:
        return true;
    default:
        return false;
    }
}

static void order_access(const struct sm_event *event)
{
    uint32_t thread = event->thread->id;
    bool reads = event->kind != SM_EV_ATOMIC_STORE;
    bool writes = event->kind == SM_EV_ATOMIC_STORE || event->kind == SM_EV_RMW;
    if (reads && (fenced || sm_order_acquires(event->order)))
        sm_clock_join(clock_of(thread), object_at(event->addr));
    if (writes && (fenced || sm_order_releases(event->order)))
        give(thread, object_at(event->addr));
}

static void order_sync(const struct sm_event *event)
{
    uint32_t thread = event->thread->id, other = (uint32_t)event->old;
    switch (sm_hb_of(event->kind)) {
    case SM_HB_ACQ:
        sm_clock_join(clock_of(thread), object_at(event->addr));
        break;
    case SM_HB_REL:
        give(thread, object_at(event->addr));
        break;
    case SM_HB_SPAWN:
        give(thread, clock_of(other));
        break;
    case SM_HB_JOIN:
        sm_clock_join(clock_of(thread), clock_of(other));
        break;
    default:
        break;
    }
}

static void order_event(const struct sm_event *event)
{
    switch (event->kind) {
    case SM_EV_ATOMIC_LOAD:
    case SM_EV_ATOMIC_STORE:
    case SM_EV_RMW:
    case SM_EV_CAS_FAIL:
        order_access(event);
        break;
    case SM_EV_FENCE:
        fenced = true;
        break;
    case SM_EV_SIGNAL:
    case SM_EV_BROADCAST:
        give(event->thread->id, object_at(event->addr));
        break;
    case SM_EV_WAKE:
        sm_clock_join(clock_of(event->thread->id), object_at(event->addr));
        break;
    default:
        if (!is_lock(event->kind))
            order_sync(event);
    }
}

/* ---- reports ---- */

/* A cycle has one text, wherever it was closed: it begins with the lock of the lowest address. */
static size_t tell(const struct sm_order_cycle *cycle, char *to, size_t size)
{
    uint32_t first = 0;
    size_t used = 0;
    for (uint32_t i = 1; i < cycle->n; i++)
        if (cycle->steps[i].shape->wanted.key < cycle->steps[first].shape->wanted.key)
            first = i;
    for (uint32_t i = 0; i < cycle->n; i++) {
        const struct sm_order_step *step = &cycle->steps[(first + i) % cycle->n];
        used += sm_format(to + used, size - used, "%s{data 0x%lx} is locked under {data 0x%lx}",
                          i ? ", " : "", sm_order_address(step->shape->wanted.key),
                          sm_order_address(step->shape->held[step->holds].key));
    }
    return used;
}

/* Where each lock of the cycle was taken; the first is being taken now. */
static uint32_t list_places(const struct sm_order_cycle *cycle, struct sm_harm_place *places)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < cycle->n && n + 2 <= SM_HARM_PLACES; i++) {
        const struct sm_order_use *use = cycle->steps[i].use;
        if (i)
            places[n++] = (struct sm_harm_place){
                .role = SM_ROLE_LOCKED, .thread = use->thread, .stack = (uint32_t)use->where};
        places[n++] = (struct sm_harm_place){.role = SM_ROLE_LOCKED,
                                             .thread = use->thread,
                                             .stack = (uint32_t)use->taken[cycle->steps[i].holds]};
    }
    return n;
}

/* Cycles at the same places, with whatever locks, are reported once. */
static bool is_known(const struct sm_order_cycle *cycle)
{
    uint64_t key = 0;
    for (uint32_t i = 0; i < cycle->n; i++)
        key += (cycle->steps[i].use->where + 1) * 0x9e3779b97f4a7c15u >> 8;
    for (uint32_t i = 0; i < n_told; i++)
        if (told[i] == key)
            return true;
    if (n_told < SM_ARRAY_SIZE(told))
        told[n_told++] = key;
    return false;
}

static void report(const struct sm_order_cycle *cycle)
{
    struct sm_harm_place places[SM_HARM_PLACES];
    char text[SM_HARM_DETAIL];
    if (is_known(cycle))
        return;
    tell(cycle, text, sizeof text);
    sm_harm(SM_FAILURE_LOCK_ORDER, sm_order_address(cycle->steps[0].shape->wanted.key), places,
            list_places(cycle, places), "%s", text);
}

/* ---- acquisitions ---- */

static uint64_t *mark_of(const struct sm_object *object)
{
    if (object->kind == SM_OBJECT_MUTEX)
        return sm_mutex_mark((pthread_mutex_t *)object->addr);
    if (object->kind == SM_OBJECT_RWLOCK)
        return sm_rwlock_mark((pthread_rwlock_t *)object->addr);
    return NULL;
}

/* 0: the object is unknown, or (`before`: it was taken earlier) was replaced by another since. */
static uint64_t key_of(uintptr_t lock, bool before)
{
    const struct sm_object *object = sm_object_find((const void *)lock);
    uint64_t *mark = object ? mark_of(object) : NULL;
    if (!object || (before && mark && !sm_mark_known_number(mark)))
        return 0;
    return sm_order_key(lock, mark ? sm_mark_number(mark) : object->number);
}

static void free_use(const struct sm_order_use *use)
{
    (void)use; /* stacks are kept for all */
}

/* The wanted lock is the last one that the thread has taken. */
static bool describe_locks(const struct sm_thread *thread, struct sm_order_shape *shape,
                           struct sm_order_use *use)
{
    const struct sm_taken *wanted = &thread->taken[thread->n_taken - 1];
    shape->wanted = (struct sm_order_lock){key_of(wanted->lock, false), wanted->shared};
    for (uint32_t i = 0; i + 1 < thread->n_taken; i++) {
        const struct sm_taken *held = &thread->taken[i];
        uint64_t key = key_of(held->lock, true);
        if (held->lock == wanted->lock)
            return false;
        if (!key)
            continue;
        use->taken[shape->n_held] = sm_stack_keep(held->stack, held->depth);
        shape->held[shape->n_held++] = (struct sm_order_lock){key, held->shared};
    }
    return shape->wanted.key && shape->n_held;
}

/* Has the thread added the same since its last release? */
static bool is_added(uint32_t thread, uint32_t time, const struct sm_order_shape *shape)
{
    uint64_t hash = shape->wanted.key * 0x9e3779b97f4a7c15u + shape->wanted.shared;
    for (uint32_t i = 0; i < shape->n_held; i++)
        hash = (hash + shape->held[i].key + shape->held[i].shared) * 0x9e3779b97f4a7c15u;
    if (!added)
        added = sm_alloc(ADDED * sizeof *added);
    struct acquisition *at = &added[(hash >> 32 ^ thread) % ADDED];
    if (at->hash == hash && at->thread == thread && at->time == time)
        return true;
    *at = (struct acquisition){hash, thread, time};
    return false;
}

static void nested(const struct sm_thread *thread)
{
    struct sm_order_shape shape = {.n_held = 0};
    struct sm_order_use use = {.thread = thread->id, .slot = thread->id};
    struct sm_order_cycle cycle;
    on = true;
    if (thread->taken_lost || !describe_locks(thread, &shape, &use))
        return;
    use.before = *clock_of(thread->id);
    use.time = sm_clock_get(&use.before, thread->id);
    if (is_added(thread->id, use.time, &shape))
        return;
    use.where = sm_stack_now();
    if (sm_lock_order_add(&order, &shape, &use, free_use, &cycle) == SM_ORDER_CYCLE)
        report(&cycle);
}

static void see(const struct sm_event *event)
{
    bool takes = event->kind == SM_EV_LOCK || event->kind == SM_EV_READ_LOCK ||
                 event->kind == SM_EV_WRITE_LOCK;
    if (takes && event->thread->n_taken > 1 && !event->thread->tries)
        nested(event->thread);
    else if (on)
        order_event(event);
}

const struct sm_analysis sm_analysis_lock_order = {
    .name = "lock order",
    .start = start,
    .event = see,
    .ignored = 1ul << SM_EV_LOAD | 1ul << SM_EV_STORE | 1ul << SM_EV_ALLOC | 1ul << SM_EV_FREE,
};
