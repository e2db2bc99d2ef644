/* objects.c - operations on synchronisation objects in a run of the program. */
#include "verify/graph/objects.h"

#include <string.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/module.h"
#include "runtime/sched/sched.h"
#include "verify/exploration.h"
#include "verify/explore.h"
#include "verify/graph/order.h"
#include "verify/loops/await.h"
#include "verify/loops/together.h"
#include "verify/loops/undone.h"
#include "verify/pool.h"
#include "verify/run/misuses.h"
#include "verify/run/run.h"
#include "verify/run/script.h"
#include "verify/run/share.h"
#include "verify/trees/learn.h"

/* ---- recursion depths ---- */

struct held {
    uint32_t thread, depth;
    uintptr_t addr;
};
static struct held *held;
static uint32_t n_held, held_capacity;

/* The operation that each thread is about to do; SM_LOCAL_UNKNOWN: none. */
static struct sm_local *announced; /* SM_GRAPH_THREADS of them, in the pool */

void sm_objects_start(void)
{
    size_t size = SM_GRAPH_THREADS * sizeof *announced;
    announced = memset(sm_pool_get(size), 0, size);
}

void sm_objects_begin(void)
{
    held = NULL;
    n_held = held_capacity = 0;
    for (uint32_t i = 0, n = sm_share_thread_count(); i < n; i++)
        announced[i].kind = SM_LOCAL_UNKNOWN;
}

uint32_t *sm_explore_depth(const void *object)
{
    uint32_t thread = sm_self()->id;
    for (uint32_t i = 0; i < n_held; i++)
        if (held[i].thread == thread && held[i].addr == (uintptr_t)object)
            return &held[i].depth;
    held = sm_grow(held, &held_capacity, n_held, sizeof *held);
    held[n_held] = (struct held){thread, 0, (uintptr_t)object};
    return &held[n_held++].depth;
}

/* ---- operations ---- */

/* The nth location of an object that has several. Addresses have 47 bits. */
static uintptr_t part_of(uintptr_t object, uint32_t nth)
{
    enum { ABOVE = 48 };
    return object | (uintptr_t)nth << ABOVE;
}

static void touch(uint16_t loc, uint64_t initial)
{
    struct sm_origin *origin = sm_origin_of(loc);
    struct sm_graph *graph = sm_graph_now();
    if (!origin->known) {
        origin->known = true;
        origin->value = initial;
    }
    /* Before other threads exist it has no events, only an initial state. */
    if (sm_share_threads() && (loc >= graph->n_locs || graph->locs[loc].newest == SM_NO_NODE)) {
        sm_graph_touch(graph, loc, origin->value);
        sm_learn_initial(loc, origin->value);
    }
}

static uint64_t newest_state(uint16_t loc)
{
    const struct sm_graph *graph = sm_graph_now();
    if (!sm_share_threads() || loc >= graph->n_locs)
        return sm_origin_of(loc)->value;
    return sm_graph_value(graph, loc, graph->locs[loc].mo_last);
}

struct sm_local sm_object_local(const struct sm_event *event, const struct sm_explored_op *op,
                                uint16_t loc)
{
    return (struct sm_local){.kind = SM_LOCAL_OPERATE,
                             .op = (uint8_t)op->op,
                             .flags = op->try ? SM_LOCAL_TRY : 0,
                             .loc = loc,
                             .value = op->arg,
                             .site = sm_site_number(event->site)};
}

struct sm_local sm_release_local(const struct sm_event *event, uint16_t loc, uint64_t value,
                                 int flags)
{
    return (struct sm_local){.kind = SM_LOCAL_RELEASE,
                             .flags = (uint8_t)flags,
                             .loc = loc,
                             .value = value,
                             .site = sm_site_number(event->site)};
}

enum sm_rank sm_run_rank_of_operation(uint32_t thread)
{
    const struct sm_local *event = &announced[thread];
    if (event->kind == SM_LOCAL_UNKNOWN)
        return SM_RANK_ENABLED;
    return sm_rank_of_operation(sm_graph_now(), event, newest_state(event->loc), true);
}

const struct sm_local *sm_run_operation(uint32_t thread)
{
    return announced[thread].kind == SM_LOCAL_UNKNOWN ? NULL : &announced[thread];
}

bool sm_run_follows_release(uint32_t thread, uint16_t released)
{
    const struct sm_local *event = &announced[thread];
    return event->kind == SM_LOCAL_OPERATE &&
           sm_object_follows_release(sm_graph_now(), thread, event, released);
}

/* The scheduling point before the operation. */
static void announce(struct sm_event *event, const struct sm_local *operation)
{
    uint32_t thread = event->thread->id;
    struct sm_local *own = &announced[thread];
    *own = *operation;
    sm_point(event);
    sm_exploration->runs.gives_last = sm_exploring == SM_EXPLORE_ALL && !sm_run_follows(thread) &&
                                      sm_object_gives((enum sm_object_op)own->op) &&
                                      sm_graph_is_awaited(sm_graph_now(), own->loc) &&
                                      sm_run_others_follow_release(event->thread, own->loc);
    own->kind = SM_LOCAL_UNKNOWN;
}

static enum sm_step operate_in_graph(struct sm_event *event, uint16_t loc,
                                     const struct sm_explored_op *op, uint64_t *state)
{
    struct sm_local local = sm_object_local(event, op, loc);
    struct sm_new_event new = {.thread = event->thread->id, .event = &local};
    if (sm_run_step(&new, event) == SM_STEP_BLOCKED)
        sm_wait_for_ever(event, sm_object_rules[op->op].what);
    *state = sm_graph_now()->nodes[new.stamp].value;
    return new.step == SM_STEP_WAITS ? SM_STEP_FAILS : new.step;
}

static enum sm_step operate_alone(struct sm_event *event, uint16_t loc,
                                  const struct sm_explored_op *op, uint64_t *state)
{
    struct sm_origin *origin = sm_origin_of(loc);
    *state = origin->value;
    enum sm_step step = sm_object_step(op->op, *state, op->arg, &origin->value);
    if (step == SM_STEP_WAITS && !op->try)
        sm_wait_for_ever(event, sm_object_rules[op->op].what);
    return step == SM_STEP_WAITS ? SM_STEP_FAILS : step;
}

/* Taking a lock, which the thread may undo. */
static bool takes_lock(const struct sm_explored_op *op)
{
    return !op->try && (op->op == SM_DO_LOCK || op->op == SM_DO_SPIN);
}

/* A lock that is taken and given back counts as an addition and its inverse (undone.h); a failed
   attempt has no effect, but tells that the lock was held. */
static void note_operation(const struct sm_event *event, uint16_t loc,
                           const struct sm_explored_op *op)
{
    if (op->try && sm_exploring == SM_EXPLORE_ALL) {
        sm_undone_loaded(loc, NULL);
        sm_together_tried(loc);
    }
    if (takes_lock(op))
        sm_await_locks(event->thread, loc, true);
    else if (!op->try)
        sm_await_busy(event->thread);
}

static enum sm_step operate_at(struct sm_event *event, uint16_t loc,
                               const struct sm_explored_op *op, uint64_t *state)
{
    note_operation(event, loc, op);
    if (op->op == SM_DO_BLOCK)
        sm_order_has_steps();
    struct sm_local local = sm_object_local(event, op, loc);
    touch(loc, op->initial);
    announce(event, &local);
    touch(loc, op->initial);
    enum sm_step step = sm_share_threads() ? operate_in_graph(event, loc, op, state)
                                           : operate_alone(event, loc, op, state);
    if (op->try && step != SM_STEP_FAILS)
        sm_await_busy(event->thread);
    return step;
}

static enum sm_step operate(struct sm_event *event, const struct sm_explored_op *op,
                            uint64_t *state)
{
    return operate_at(event, sm_share_object(event->addr), op, state);
}

static enum sm_step operate_on(struct sm_event *event, const struct sm_explored_op *op)
{
    uint64_t state;
    return operate(event, op, &state);
}

static void write_state(struct sm_event *event, uint16_t loc, uint64_t value, int flags)
{
    if (flags & SM_LOCAL_ANEW)
        sm_await_busy(event->thread);
    else
        sm_await_locks(event->thread, loc, false);
    touch(loc, value);
    if (!sm_share_threads()) {
        sm_origin_of(loc)->value = value;
        return;
    }
    struct sm_local local = sm_release_local(event, loc, value, flags);
    sm_run_step(&(struct sm_new_event){.thread = event->thread->id, .event = &local}, event);
}

static void release_at(struct sm_event *event, uint16_t loc, uint64_t value)
{
    struct sm_local local = sm_release_local(event, loc, value, 0);
    announce(event, &local);
    write_state(event, loc, value, 0);
}

static void release(struct sm_event *event, uint64_t value)
{
    release_at(event, sm_share_object(event->addr), value);
}

/* The object was used before it is initialised, so the initialisation is an event. In a run that
   follows a graph the graph decides: it may also have later uses. */
static bool was_used(uint32_t thread, uint16_t loc)
{
    const struct sm_graph *graph = sm_graph_now();
    if (!sm_run_follows(thread))
        return loc < graph->n_locs && graph->locs[loc].newest != SM_NO_NODE;
    const struct sm_node *next = &graph->nodes[sm_replay_peek(&sm_exploration->replay, thread, 0)];
    return next->kind == SM_NODE_WRITE && next->loc == loc && (next->flags & SM_NODE_LOCK);
}

static void renew(struct sm_event *event, uint64_t value)
{
    uint16_t loc = sm_share_object(event->addr);
    if (was_used(event->thread->id, loc)) {
        write_state(event, loc, value, SM_LOCAL_ANEW | SM_LOCAL_AT_ONCE);
        return;
    }
    *sm_origin_of(loc) = (struct sm_origin){.known = true, .value = value};
    if (sm_share_threads()) {
        uint32_t thread = event->thread->id;
        struct sm_local local =
            sm_release_local(event, loc, value, SM_LOCAL_ANEW | SM_LOCAL_AT_ONCE);
        sm_learn_initial(loc, value);
        sm_learn_event(thread, &local, event);
        sm_learn_answer(thread, 0);
    }
}

static uint32_t sem_value(struct sm_event *event, uint64_t initial)
{
    struct sm_explored_op op = {.op = SM_DO_SEM_VALUE, .initial = initial};
    uint64_t state;
    operate(event, &op, &state);
    return (uint32_t)state;
}

/* ---- conditions ---- */

static uint32_t continuations_of(struct sm_ballot ballot)
{
    return (uint32_t)__builtin_popcount(ballot.set) + ballot.none;
}

/* Other processes do not know the set: for them the thread itself is recorded. */
static uint32_t elect(uint32_t thread, struct sm_ballot ballot, int flags)
{
    if (sm_exploring == SM_EXPLORE_FREE)
        return sm_script_choose(SM_PURPOSE_ELECT, SM_GRAPH_THREADS + 1, 0);
    uint32_t pick = sm_run_pick(thread, continuations_of(ballot), flags, sm_ballot_word(ballot));
    uint32_t elected = sm_ballot_elected(ballot, pick);
    return sm_exploring == SM_EXPLORE_ALL
               ? elected
               : sm_script_choose(SM_PURPOSE_ELECT, SM_GRAPH_THREADS + 1, elected);
}

/* Other processes do not know what was learnt: it is recorded. */
static bool is_known(bool fact)
{
    return sm_exploring == SM_EXPLORE_ALL ? fact : sm_script_choose(SM_PURPOSE_SHARED, 2, fact);
}

/* A condition has a bit for each of them, and so has a choice of one. */
static uint32_t refuse_late(sm_threads set)
{
    if (set >> 32)
        sm_end(SM_END_REFUSED, 0,
               "verify: thread %u waits for a condition, or asks whether it is the serial thread "
               "of a barrier; verify knows that of the first 31 threads only",
               sm_threads_first(set >> 32 << 32));
    return (uint32_t)set;
}

static void cond_enter(struct sm_event *event)
{
    uint32_t thread = event->thread->id;
    refuse_late(sm_threads_of(thread));
    sm_share_user(sm_share_object(event->addr), SM_USE_WAITS, thread);
    uint64_t state;
    sm_exploration->misuses = true;
    operate(event, &(struct sm_explored_op){.op = SM_DO_COND_ENTER, .arg = thread}, &state);
    if (sm_exploring != SM_EXPLORE_ALL)
        sm_misuses_wait(event, state);
}

static void cond_leave(struct sm_event *event)
{
    uint32_t thread = event->thread->id;
    uint16_t loc = sm_share_object(event->addr);
    const struct sm_graph *graph = sm_graph_now();
    struct sm_local local = sm_local_of(event, SM_LOCAL_WAKE, loc);
    struct sm_new_event new = {.thread = thread, .event = &local};
    struct sm_wait wait = {
        .queue = (void *)event->addr, .what = "condition variable", .deadline = SM_NO_DEADLINE};
    local.flags |= SM_LOCAL_AT_ONCE;
    sm_learn_event(thread, &local, event);
    while (!sm_share_threads() ||
           (!sm_run_follows(thread) && sm_object_waker(graph, loc, thread) == SM_NO_NODE))
        sm_block(&wait, event);
    sm_run_step(&new, event);
}

static bool cond_leave_timed(struct sm_event *event)
{
    uint64_t state, thread = event->thread->id;
    struct sm_explored_op op = {.op = SM_DO_COND_LEAVE_TIMED, .arg = thread};
    operate(event, &op, &state);
    return sm_cond_is_woken(state, (uint32_t)thread);
}

static bool cond_drain(struct sm_event *event)
{
    operate_on(event, &(struct sm_explored_op){.op = SM_DO_COND_DESTROY});
    return true;
}

static void cond_broadcast(struct sm_event *event)
{
    operate_on(event, &(struct sm_explored_op){.op = SM_DO_COND_BROADCAST});
    sm_wake_all((void *)event->addr);
}

static void cond_signal(struct sm_event *event)
{
    sm_point(event);
    if (!sm_share_threads())
        return;
    sm_await_busy(event->thread);
    uint32_t waiters = (uint32_t)sm_share_users(sm_share_object(event->addr), SM_USE_WAITS);
    uint64_t chosen = elect(event->thread->id, (struct sm_ballot){waiters, true}, 0);
    operate_on(event, &(struct sm_explored_op){.op = SM_DO_COND_SIGNAL, .arg = chosen});
    sm_wake_all((void *)event->addr);
}

/* ---- read-write locks ---- */

/* One location represents the whole lock. */
static bool is_whole(uint16_t loc, bool try, uint32_t thread)
{
    if (try)
        sm_share_user(loc, SM_USE_LOOKS, thread);
    return is_known(sm_share_users(loc, SM_USE_LOOKS));
}

/* The next reader after this one; 0: there is none. */
static uint32_t next_reader(uint16_t loc, uint32_t reader)
{
    sm_threads readers = sm_share_users(loc, SM_USE_WAITS);
    sm_threads more = reader < SM_GRAPH_THREADS ? readers >> reader << reader : 0;
    uint32_t next = more ? sm_threads_first(more) + 1 : 0;
    return sm_exploring == SM_EXPLORE_ALL
               ? next
               : sm_script_choose(SM_PURPOSE_ELECT, SM_GRAPH_THREADS + 1, next);
}

/* That of a reader, counted from 1; 0 is that of the writers. */
static void take_share(struct sm_event *event, uint32_t reader)
{
    uint64_t state, lock = sm_share_object(event->addr);
    operate_at(event, sm_share_object(part_of(event->addr, reader)),
               &(struct sm_explored_op){.op = SM_DO_SHARE, .arg = lock}, &state);
}

static uint32_t *reads(const struct sm_event *event)
{
    return sm_explore_depth((void *)part_of(event->addr, event->thread->id + 1));
}

static void take_shares(struct sm_event *event, bool writes)
{
    uint32_t thread = event->thread->id;
    uint16_t loc = sm_share_object(event->addr);
    if (!writes) {
        sm_share_user(loc, SM_USE_WAITS, thread);
        if (!(*reads(event))++)
            take_share(event, thread + 1);
        return;
    }
    take_share(event, 0);
    for (uint32_t reader = 0; (reader = next_reader(loc, reader));)
        take_share(event, reader);
}

static enum sm_step rwlock_lock(struct sm_event *event, bool writes, bool try)
{
    struct sm_explored_op op = {.op = writes ? SM_DO_WRITE_LOCK : SM_DO_READ_LOCK, .try = try};
    if (is_whole(sm_share_object(event->addr), try, event->thread->id))
        return operate_on(event, &op);
    take_shares(event, writes);
    return SM_STEP_TAKES;
}

/* In one step: a reader must not take its own again before the whole lock is free. */
static void give_shares(struct sm_event *event, bool writes)
{
    uint32_t thread = event->thread->id;
    uint16_t loc = sm_share_object(event->addr);
    if (!writes) {
        if (*reads(event) && !--*reads(event))
            release_at(event, sm_share_object(part_of(event->addr, thread + 1)), 0);
        return;
    }
    release_at(event, loc, 0);
    for (uint32_t reader = 0; (reader = next_reader(loc, reader));)
        write_state(event, sm_share_object(part_of(event->addr, reader)), 0, SM_LOCAL_AT_ONCE);
}

static void rwlock_unlock(struct sm_event *event, bool writes)
{
    bool whole = is_whole(sm_share_object(event->addr), false, event->thread->id);
    if (!whole)
        give_shares(event, writes);
    else if (writes)
        release(event, 0);
    else
        operate_on(event, &(struct sm_explored_op){.op = SM_DO_READ_UNLOCK});
}

/* ---- barriers ---- */

/* State of one barrier in one execution. No thread is two rounds ahead of another. */
struct sm_round {
    uint32_t arrivals[SM_GRAPH_THREADS];
    uint32_t serial[2]; /* of the current round and the one before, counted from 1 */
    uint32_t needed;
};

static struct sm_round *round_of(uint16_t loc)
{
    struct sm_origin *origin = sm_origin_of(loc);
    if (!origin->round)
        origin->round = sm_alloc(sizeof *origin->round);
    return origin->round;
}

static struct sm_local round_local(const struct sm_event *event, int kind, uint32_t round,
                                   uint64_t old)
{
    struct sm_local local = sm_local_of(event, kind, sm_share_object(event->addr));
    local.value = round;
    local.old = old;
    return local;
}

static void add_round(const struct sm_event *event, const struct sm_local *local)
{
    struct sm_new_event new = {.thread = event->thread->id, .event = local};
    new.local = sm_learn_event(new.thread, local, event);
    sm_graph_step(&sm_exploration->runs, &new);
}

/* No other thread runs between arriving and, if all have arrived, departing. */
static struct sm_local depart_local(const struct sm_event *event, const struct sm_round *rounds)
{
    uint32_t round = rounds->arrivals[event->thread->id] - 1;
    struct sm_local local = round_local(event, SM_LOCAL_DEPART, round, rounds->needed);
    local.flags |= SM_LOCAL_AT_ONCE;
    return local;
}

/* The next event is learnt before the thread waits for the others, which may never arrive. */
static void arrive(const struct sm_event *event, const struct sm_local *local,
                   const struct sm_round *rounds)
{
    struct sm_local next = depart_local(event, rounds);
    if (!sm_share_threads())
        return;
    add_round(event, local);
    sm_learn_answer(event->thread->id, 0);
    sm_learn_event(event->thread->id, &next, event);
}

/* Records which threads use the result of a round in a location of its own; late rounds share one,
   because locations are limited. */
static uint16_t look_at(const struct sm_event *event, uint32_t round, bool looks)
{
    enum { MOST_ROUNDS = 1000 };
    uint16_t place =
        sm_share_object(part_of(event->addr, 1 + (round < MOST_ROUNDS ? round : MOST_ROUNDS)));
    if (looks)
        sm_share_user(place, SM_USE_LOOKS, event->thread->id);
    return place;
}

static bool barrier_arrive(struct sm_event *event, uint32_t needed, bool looks)
{
    uint32_t thread = event->thread->id;
    uint16_t loc = sm_share_object(event->addr);
    sm_await_busy(event->thread);
    touch(loc, 0);
    sm_share_user(loc, SM_USE_WAITS, thread);
    sm_threads users = sm_share_users(loc, SM_USE_WAITS);
    if (sm_threads_count(users) > needed)
        sm_end(SM_END_REFUSED, 0,
               "verify: more threads wait at a barrier than the %u it is for; verify knows only "
               "barriers whose rounds are of the same threads",
               needed);
    struct sm_round *rounds = round_of(loc);
    uint32_t round = rounds->arrivals[thread]++;
    struct sm_local local = round_local(event, SM_LOCAL_ARRIVE, round, 0);
    rounds->needed = needed;
    bool elects = sm_threads_first(users) == thread;
    uint16_t place = look_at(event, round, looks);
    sm_threads lookers = sm_share_users(place, SM_USE_LOOKS);
    const struct sm_ballot ballot = {refuse_late(lookers), users != lookers};
    if (is_known(elects)) {
        uint32_t elected = elect(thread, ballot, SM_LOCAL_UNTOLD);
        bool chosen = continuations_of(ballot) > 1;
        rounds->serial[round % 2] = elected;
        local.old = chosen ? 0 : elected;
        local.flags |= chosen ? SM_LOCAL_AT_ONCE : 0;
    }
    arrive(event, &local, rounds);
    return false;
}

static bool barrier_depart(struct sm_event *event)
{
    uint32_t thread = event->thread->id;
    const struct sm_round *rounds = round_of(sm_share_object(event->addr));
    struct sm_local local = depart_local(event, rounds);
    bool serial = rounds->serial[local.value % 2] == thread + 1;
    sm_await_busy(event->thread);
    if (sm_share_threads()) {
        add_round(event, &local);
        sm_learn_answer(thread, serial);
    }
    return serial;
}

static void barrier_renew(struct sm_event *event)
{
    uint16_t loc = sm_share_object(event->addr);
    if (!sm_share_threads() || sm_share_is_alone(event->thread->id))
        return;
    sm_await_busy(event->thread);
    touch(loc, 0);
    sm_point(event);
    sm_exploration->misuses = true;
    struct sm_local local = sm_local_of(event, SM_LOCAL_RENEW, loc);
    add_round(event, &local);
    sm_learn_answer(event->thread->id, 0);
}

const struct sm_object_operations sm_objects_graph = {
    .operate = operate_on,
    .release = release,
    .renew = renew,
    .sem_value = sem_value,
    .cond_enter = cond_enter,
    .cond_leave = cond_leave,
    .cond_leave_timed = cond_leave_timed,
    .cond_signal = cond_signal,
    .cond_broadcast = cond_broadcast,
    .cond_drain = cond_drain,
    .rwlock_lock = rwlock_lock,
    .rwlock_unlock = rwlock_unlock,
    .barrier_arrive = barrier_arrive,
    .barrier_depart = barrier_depart,
    .barrier_renew = barrier_renew,
};
