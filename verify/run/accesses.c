/*
 * accesses.c - the memory model of runs: a thread's events are answered from the graph as long as
 * the graph has them, and are new from then on.
 */
#include <errno.h>
#include <string.h>

#include "analysis/memory.h"
#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/heap.h"
#include "runtime/model/memory.h"
#include "runtime/module.h"
#include "runtime/sched/sched.h"
#include "runtime/trace.h"
#include "verify/consistency/axioms.h"
#include "verify/consistency/races.h"
#include "verify/exploration.h"
#include "verify/explore.h"
#include "verify/graph/objects.h"
#include "verify/graph/order.h"
#include "verify/graph/preempt.h"
#include "verify/graph/symmetry.h"
#include "verify/loops/await.h"
#include "verify/loops/iteration.h"
#include "verify/loops/probe.h"
#include "verify/loops/undone.h"
#include "verify/pool.h"
#include "verify/results/prints.h"
#include "verify/run/frees.h"
#include "verify/run/mirror.h"
#include "verify/run/outside.h"
#include "verify/run/run.h"
#include "verify/run/script.h"
#include "verify/run/share.h"
#include "verify/run/spurious.h"
#include "verify/sync.h"
#include "verify/trees/effects.h"
#include "verify/trees/learn.h"

static struct sm_origin *origins;
static uint32_t origin_capacity;
static uint64_t *records; /* of each node, when a trace is kept */
static uint32_t record_capacity;

/* A write in its thread's store buffer. A write to private memory waits only for older ones, so
   that they land in order; and so does a free: its own stores (frees.h) are among them, and until
   they land other threads read what was stored before. */
struct waiting {
    struct sm_thread *thread;
    uintptr_t addr;
    uint64_t value, record;
    const struct sm_record *free; /* NULL: a write */
    uint32_t stamp;               /* of its first piece; SM_NO_NODE: private, or a free */
    uint8_t size, pieces;
};
static struct waiting *waiting;
static uint32_t n_waiting, waiting_capacity;

static void start(void)
{
    sm_provenance_start();
    sm_explore_begin();
    sm_objects_begin();
    sm_outside_begin();
    sm_prints_begin();
    origins = NULL;
    records = NULL;
    waiting = NULL;
    origin_capacity = record_capacity = waiting_capacity = n_waiting = 0;
}

void *sm_grow(void *block, uint32_t *capacity, uint32_t need, size_t size)
{
    uint32_t larger = *capacity ? *capacity : 64;
    while (larger <= need)
        larger *= 2;
    if (larger == *capacity)
        return block;
    char *copy = sm_alloc(larger * size);
    if (block)
        memcpy(copy, block, *capacity * size);
    *capacity = larger;
    return copy;
}

/* ---- initial values ---- */

struct sm_origin *sm_origin_of(uint16_t loc)
{
    if (loc >= origin_capacity)
        origins = sm_grow(origins, &origin_capacity, loc, sizeof *origins);
    return &origins[loc];
}

static void touch(const struct sm_event *event, uint16_t loc)
{
    struct sm_origin *origin = sm_origin_of(loc);
    struct sm_graph *graph = sm_graph_now();
    if (!origin->known) {
        origin->known = true;
        origin->value = sm_memory_read(event->addr, event->size);
        if (sm_provenance_on())
            sm_provenance_get(event, origin->value, origin->rf);
    }
    if (loc >= graph->n_locs || graph->locs[loc].newest == SM_NO_NODE) {
        sm_graph_touch(graph, loc, origin->value);
        sm_learn_initial(loc, origin->value);
    }
}

/* ---- nodes ---- */

struct sm_node sm_node_of(const struct sm_event *event, int kind, uint16_t loc)
{
    return (struct sm_node){.kind = (uint8_t)kind,
                            .order = event->order,
                            .thread = (uint8_t)event->thread->id,
                            .loc = loc,
                            .value = event->value,
                            .site = sm_site_number(event->site),
                            .rf = SM_NO_NODE};
}

_Noreturn void sm_prune(void)
{
    sm_end(SM_END_NONE, 0, "%s", "");
}

/* For the report, if the exploration is incomplete: where the thread with the most events is. */
static void note_length(const struct sm_graph *graph, const struct sm_node *now)
{
    sm_control->explored.most_events = graph->length[now->thread];
    sm_control->explored.most_events_site = now->site;
}

_Noreturn void sm_run_departed(uint32_t thread)
{
    sm_end(SM_END_REFUSED, 0,
           "verify: thread %u does not do the same again in the same circumstances; does %s?",
           thread,
           sm_outside_on ? "a library that is not instrumented (libstdc++: std::map) store to "
                           "memory that threads share, the program keep state that a restart "
                           "does not restore, or read the time"
                         : "the program keep state that a restart does not restore, or read "
                           "the time");
}

/* The thread has come to the default bound in a loop. */
static bool is_endless(uint32_t thread)
{
    enum { LONG_LOOP = 100 };
    return sm_exploring == SM_EXPLORE_ALL && sm_option(bound) == SM_DEFAULT_BOUND &&
           !sm_await_most_rounds() && sm_iteration_rounds(thread) >= LONG_LOOP;
}

uint32_t sm_run_replay(const struct sm_node *now)
{
    struct sm_graph *graph = sm_graph_now();
    sm_probe_settle(now->thread);
    uint32_t stamp = sm_replay_next(&sm_exploration->replay, now->thread);
    bool new = stamp == SM_NO_NODE;
    if (new && graph->length[now->thread] > sm_control->explored.most_events)
        note_length(graph, now);
    bool bounded = now->kind != SM_NODE_CHOICE && graph->length[now->thread] >= sm_option(bound);
    if (new && bounded && is_endless(now->thread)) {
        sm_await_limit_rounds();
        sm_prune();
    }
    if (new && bounded)
        sm_end(SM_END_HANG, 0, "thread %u has more than %lu events", now->thread, sm_option(bound));
    if (new) {
        if (SM_UNLIKELY(sm_preempt_on()))
            sm_run_wait_for_turn(now);
        return SM_NO_NODE;
    }
    struct sm_node *then = &graph->nodes[stamp];
    bool same = then->kind == now->kind && then->loc == now->loc &&
                (now->kind != SM_NODE_WRITE || then->value == now->value);
    if (!same && (sm_share_grew() || sm_await_grew()))
        sm_prune(); /* the graph will be made again */
    if (!same && sm_mirror_is_on())
        sm_mirror_departs(now->thread);
    if (!same && sm_learn_on()) {
        sm_learn_off(); /* the graph may come from a tree, not from a run */
        sm_prune();
    }
    if (!same)
        sm_run_departed(now->thread);
    then->local = now->local;
    return stamp;
}

void sm_run_added(uint32_t stamp)
{
    sm_replay_added(&sm_exploration->replay, sm_graph_now()->nodes[stamp].thread, stamp);
    if (sm_exploring == SM_EXPLORE_SCRIPT)
        sm_races_meet(sm_script_stamp());
    sm_script_added();
}

static void note_record(uint32_t stamp)
{
    if (!sm_provenance_on())
        return;
    if (stamp >= record_capacity)
        records = sm_grow(records, &record_capacity, stamp, sizeof *records);
    records[stamp] = sm_trace_next();
}

static void say_rf(struct sm_event *event, const struct sm_node *node)
{
    if (!sm_provenance_on())
        return;
    if (node->rf == SM_NO_NODE)
        sm_read_from(event, sm_origin_of(node->loc)->rf);
    else
        event->rf = records[node->rf];
}

enum sm_step_end sm_run_step(struct sm_new_event *new, const struct sm_event *run)
{
    new->local = sm_learn_event(new->thread, new->event, run);
    enum sm_step_end end = sm_graph_step(&sm_exploration->runs, new);
    if (end != SM_STEP_BLOCKED)
        sm_learn_answer(new->thread, new->answer);
    if (end == SM_STEP_PRUNED)
        sm_prune();
    if (new->write != SM_NO_NODE)
        note_record(new->write);
    return end;
}

uint32_t sm_run_pick(uint32_t thread, uint32_t n, int flags, uint64_t old)
{
    const struct sm_local event = {.kind = SM_LOCAL_CHOICE,
                                   .flags = (uint8_t)flags,
                                   .value = n,
                                   .old = old,
                                   .site = SM_NO_SITE};
    struct sm_new_event new = {.thread = thread, .event = &event};
    sm_probe_settle(thread);
    if (n == 1)
        return 0;
    sm_run_step(&new, NULL);
    return (uint32_t)sm_graph_now()->nodes[new.stamp].value;
}

/* ---- landing, in traces of tso and pso ---- */

static bool has_buffers(void)
{
    return sm_exploring != SM_EXPLORE_ALL &&
           (sm_option(model) == SM_MODEL_TSO || sm_option(model) == SM_MODEL_PSO);
}

static bool is_oldest(uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (waiting[k].thread == waiting[i].thread)
            return false;
    return true;
}

static void land(uint32_t i)
{
    const struct waiting entry = waiting[i];
    if (entry.free)
        sm_trace_put(entry.free);
    else
        sm_trace_flush(entry.thread, entry.addr, entry.size, entry.value, entry.record);
    memmove(waiting + i, waiting + i + 1, (--n_waiting - i) * sizeof *waiting);
    for (uint32_t k = 0; k < n_waiting; k++)
        if (waiting[k].stamp == SM_NO_NODE && is_oldest(k)) {
            land(k);
            return;
        }
}

static void wait_in_buffer(struct waiting entry)
{
    waiting = sm_grow(waiting, &waiting_capacity, n_waiting, sizeof *waiting);
    waiting[n_waiting++] = entry;
}

/* stamp SM_NO_NODE: a store to private memory, which waits for older ones. No thread can observe
   the delay, so it is allowed at any site, whichever variables are weak. */
static void delay(struct sm_event *event, uint32_t stamp, unsigned pieces)
{
    wait_in_buffer((struct waiting){.thread = event->thread,
                                    .addr = event->addr,
                                    .value = event->value,
                                    .record = sm_trace_next(),
                                    .stamp = stamp,
                                    .size = event->size,
                                    .pieces = (uint8_t)pieces});
    if (stamp == SM_NO_NODE && is_oldest(n_waiting - 1))
        n_waiting--;
    else
        event->flags |= SM_RECORD_DELAYED | (stamp == SM_NO_NODE ? SM_RECORD_LIED : 0);
}

static bool delays_free(const struct sm_event *event)
{
    bool older = false;
    for (uint32_t i = 0; i < n_waiting; i++)
        older |= waiting[i].thread == event->thread;
    if (!older)
        return false;
    struct sm_record *record = sm_alloc(sizeof *record);
    *record = sm_trace_record(event);
    wait_in_buffer((struct waiting){
        .thread = event->thread, .free = record, .stamp = SM_NO_NODE, .pieces = 1});
    return true;
}

static void choose_landings(void)
{
    while (n_waiting) {
        uint32_t wanted = 0, now = sm_script_landing();
        for (uint32_t i = 0; i < n_waiting && now != SM_NO_NODE; i++)
            if (waiting[i].stamp == now)
                wanted = i + 1;
        uint32_t pick = sm_script_choose(SM_PURPOSE_FLUSH, n_waiting + 1, wanted);
        if (!pick)
            return;
        for (unsigned i = 0; i < waiting[pick - 1].pieces; i++)
            sm_script_landed();
        land(pick - 1);
    }
}

/* ---- waiting ---- */

_Noreturn void sm_wait_for_ever(struct sm_event *event, const char *what)
{
    struct sm_wait wait = {.queue = (void *)event->addr, .what = what, .deadline = SM_NO_DEADLINE};
    for (;;)
        sm_block(&wait, event);
}

static bool is_idle(const struct sm_event *event, bool private)
{
    uint16_t position = sm_run_position(event->thread->id);
    if (sm_exploring == SM_EXPLORE_FREE)
        return sm_script_choose(SM_PURPOSE_AWAIT, 2, 0);
    bool idle = private ? sm_await_idle_privately(event, position) : sm_await_idle(event, position);
    return sm_exploring == SM_EXPLORE_ALL ? idle : sm_script_choose(SM_PURPOSE_AWAIT, 2, idle);
}

/* Not if a store may be missing because its memory was not known to be shared. */
static void look_back(const struct sm_event *event, uint16_t loc)
{
    struct sm_node node = {
        .thread = (uint8_t)event->thread->id, .site = sm_site_number(event->site), .loc = loc};
    if (sm_exploring == SM_EXPLORE_ALL && event->site && !sm_share_grew() &&
        !sm_run_follows(node.thread))
        sm_await_look_back(sm_graph_now(), &node, event->site);
}

/* The last iteration had no effect; `idle`: its entry in the tree. */
static _Noreturn void block_in_loop(struct sm_event *event, const struct sm_local *idle)
{
    uint32_t thread = event->thread->id;
    sm_learn_event(thread, idle, NULL);
    if (sm_exploring == SM_EXPLORE_ALL && sm_await_is_futile(sm_graph_now(), thread)) {
        sm_control->explored.blocked++;
        sm_prune();
    }
    sm_await_stopped(thread, idle->flags & SM_LOCAL_RETRIES);
    sm_wait_for_ever(event, SM_WAITS_IN_LOOP);
}

/* Before a read: see await.h. */
static void wait_if_idle(struct sm_event *event, bool private)
{
    bool idle = is_idle(event, private);
    if (sm_exploring == SM_EXPLORE_ALL && sm_await_grew())
        sm_prune();
    if (!idle || sm_run_follows(event->thread->id))
        return;
    struct sm_local waited = {.kind = SM_LOCAL_IDLE,
                              .value = sm_await_since(event->thread),
                              .old = private ? 0 : sm_await_state(event->thread),
                              .site = SM_NO_SITE};
    block_in_loop(event, &waited);
}

/* The thread is at the header of a loop, and its last read, a probe (probe.h), was all of the
   iteration. */
static bool only_probed(uint32_t thread)
{
    return sm_probe_is_active(thread) && !sm_iteration_reloads(thread) &&
           sm_iteration_since(thread) == sm_run_position(thread);
}

/* An iteration that is one load is that of a spin loop: the load is probed before it becomes an
   event (probe.h), after a restart if that was not known. Returns the state of the thread at the
   load; 0: the iteration is something else. */
static uint64_t spin_state(uint32_t thread)
{
    const struct sm_graph *graph = sm_graph_now();
    const struct sm_node *last = &graph->nodes[graph->last[thread]];
    if (sm_exploring != SM_EXPLORE_ALL || last->kind != SM_NODE_READ ||
        (last->flags & SM_NODE_EXCLUSIVE) || last->index != sm_iteration_since(thread))
        return 0;
    sm_await_learn(sm_site_by_number(last->site));
    if (sm_await_grew())
        sm_prune();
    return sm_await_state(sm_running());
}

/* The tree's entry for the iteration that the thread has made. */
static struct sm_local iteration_of(uint32_t thread)
{
    uint8_t flags = (sm_iteration_reloads(thread) ? SM_LOCAL_RETRIES : 0) |
                    (sm_iteration_undoes(thread) ? SM_LOCAL_UNDOES : 0);
    return (struct sm_local){.kind = SM_LOCAL_IDLE,
                             .value = sm_iteration_since(thread),
                             .old = spin_state(thread),
                             .flags = flags,
                             .site = SM_NO_SITE};
}

/* The thread has undone its last iteration: is it blocked? */
static bool stays_undone(uint32_t thread, uint16_t had)
{
    if (sm_exploring == SM_EXPLORE_ALL && sm_await_grew())
        sm_prune();
    sm_probe_settle(thread);
    if (!sm_run_follows(thread) &&
        sm_undone_holds(sm_graph_now(), thread, sm_iteration_since(thread), had))
        return true;
    struct sm_local waited = iteration_of(thread);
    sm_learn_event(thread, &waited, NULL);
    sm_learn_answer(thread, SM_LOCAL_WENT_ON);
    return false;
}

/* See iteration.h: the loop counts its iterations, and may end now. */
static bool ends_by_count(uint32_t thread, const struct sm_iteration *at)
{
    sm_probe_settle(thread);
    uint16_t had = sm_run_position(thread);
    bool ends = sm_exploring != SM_EXPLORE_FREE && sm_iteration_is_idle(thread, at, had) &&
                !sm_iteration_undoes(thread) && !sm_iteration_reloads(thread) &&
                had - sm_iteration_since(thread) == 1;
    return sm_exploring == SM_EXPLORE_ALL ? ends : sm_script_choose(SM_PURPOSE_AWAIT, 2, ends);
}

/* The loop is not followed further (await.h): the thread stops, as at an assumption that fails. */
static void limit_rounds(uint32_t thread)
{
    uint32_t most = sm_await_most_rounds(), rounds = sm_iteration_rounds(thread);
    if (sm_exploring != SM_EXPLORE_ALL || sm_run_follows(thread))
        return;
    if (sm_await_rounds_grow(rounds) && sm_option(bound) == SM_DEFAULT_BOUND) {
        sm_await_limit_rounds();
        sm_prune();
    }
    if (!most || rounds < most)
        return;
    sm_control->explored.cut |= SM_CUT_BIT(ROUNDS);
    sm_end(SM_END_ASSUME, 0, "thread %u has gone round a loop %u times", thread, most);
}

/* See iteration.h. */
bool sm_explore_iteration(const struct sm_iteration *at)
{
    uint32_t thread = sm_running()->id;
    if (!sm_iteration_is_on() || !sm_share_threads())
        return false;
    if (at->counts) {
        bool ends = ends_by_count(thread, at);
        if (!ends)
            limit_rounds(thread);
        return ends;
    }
    uint16_t had = (uint16_t)(sm_run_position(thread) + sm_probe_is_active(thread));
    bool idle = sm_exploring != SM_EXPLORE_FREE && sm_iteration_is_idle(thread, at, had);
    if (idle && sm_iteration_undoes(thread))
        idle = stays_undone(thread, had);
    if (sm_exploring != SM_EXPLORE_ALL)
        idle = sm_script_choose(SM_PURPOSE_AWAIT, 2, idle);
    if (!idle)
        limit_rounds(thread);
    if (!idle || sm_run_follows(thread))
        return false;
    if (only_probed(thread)) {
        sm_probe_idle(thread);
        return false;
    }
    sm_probe_settle(thread);
    struct sm_event event = sm_sync_event(SM_EV_WAIT, NULL, 0, (void *)at->loop);
    struct sm_local waited = iteration_of(thread);
    sm_await_waited(thread, sm_iteration_since(thread), waited.old);
    block_in_loop(&event, &waited);
}

void sm_explore_iteration_effect(void)
{
    sm_await_busy(sm_running());
    sm_effects_note_unknown(sm_running()->id);
}

/* ---- which accesses are events ---- */

/* The access is in the graph: its block will be allocated in this run, perhaps later. */
static void make_room(const struct sm_event *event)
{
    if (sm_heap_owns((const void *)event->addr))
        sm_heap_reserve((const void *)event->addr);
}

static struct sm_pieces pieces_of(const struct sm_event *event, bool write)
{
    struct sm_pieces pieces = {0};
    if (sm_share_threads())
        pieces = sm_share_access(event, write);
    if (pieces.n && event->order < SM_ORDER_SEQ_CST)
        sm_control->explored.weak = 1;
    if (pieces.n && sm_run_follows(event->thread->id))
        make_room(event);
    return pieces;
}

static struct sm_local read_of(const struct sm_event *event, uint16_t loc)
{
    struct sm_local read = sm_local_of(event, SM_LOCAL_READ, loc);
    bool probes = sm_await_is_known(event->site) && !(event->flags & SM_RECORD_MORE);
    read.value = 0;
    read.old = probes ? sm_await_state(event->thread) : 0;
    read.flags |= probes ? SM_LOCAL_PROBES : 0;
    return read;
}

/* Not if every other thread has ended: it reads what they left. See undone.h. */
static void note_load(const struct sm_event *event, uint16_t loc)
{
    if (sm_exploring != SM_EXPLORE_ALL || sm_share_is_alone(event->thread->id))
        return;
    sm_undone_loaded(loc, event->site);
    if (sm_await_grew())
        sm_prune();
}

/* ---- accesses in pieces ---- */

static struct sm_event piece_of(const struct sm_event *event, const struct sm_pieces *pieces,
                                unsigned nth)
{
    struct sm_event piece = *event;
    piece.addr += pieces->at[nth].offset;
    piece.size = pieces->at[nth].size;
    piece.value = event->value >> 8 * pieces->at[nth].offset;
    if (piece.size < 8)
        piece.value &= (1ul << 8 * piece.size) - 1;
    return piece;
}

/* The nth event of this access, which the trees do not know. */
static struct sm_node piece_node(const struct sm_event *event, const struct sm_pieces *pieces,
                                 unsigned nth, int kind)
{
    struct sm_event piece = piece_of(event, pieces, nth);
    uint16_t loc = pieces->at[nth].loc;
    struct sm_node node = sm_node_of(&piece, kind, loc);
    sm_learn_off();
    sm_order_has_pieces();
    touch(&piece, loc);
    node.flags = nth ? SM_NODE_JOINED : 0;
    return node;
}

static void note_sources(uint64_t *rf, const struct sm_node *read, unsigned size)
{
    for (unsigned i = 0; i < size && sm_provenance_on(); i++)
        rf[i] = read->rf == SM_NO_NODE ? sm_origin_of(read->loc)->rf[i] : records[read->rf];
}

static void put_pieces(const struct sm_event *event, const struct sm_pieces *pieces)
{
    sm_memory_write(event->addr, event->size, event->value);
    for (unsigned i = 0; i < pieces->n; i++)
        sm_outside_left(pieces->at[i].loc, event->addr + (uintptr_t)pieces->at[i].offset,
                        pieces->at[i].size);
}

static void load_pieces(struct sm_event *event, const struct sm_pieces *pieces)
{
    uint64_t rf[8];
    look_back(event, pieces->at[0].loc);
    wait_if_idle(event, false);
    event->value = 0;
    for (unsigned i = 0; i < pieces->n; i++) {
        static const struct sm_step_read plain;
        struct sm_node node = piece_node(event, pieces, i, SM_NODE_READ);
        sm_undone_loaded(node.loc, NULL);
        uint32_t stamp = sm_step_read(&sm_exploration->runs, &node, &plain);
        sm_frees_shared(event, stamp);
        const struct sm_node *read = &sm_graph_now()->nodes[stamp];
        event->value |= read->value << 8 * pieces->at[i].offset;
        note_sources(rf + pieces->at[i].offset, read, pieces->at[i].size);
    }
    put_pieces(event, pieces);
    if (sm_provenance_on())
        sm_read_from(event, rf);
}

static void store_pieces(struct sm_event *event, const struct sm_pieces *pieces)
{
    uint32_t first = SM_NO_NODE;
    for (unsigned i = 0; i < pieces->n; i++) {
        struct sm_node node = piece_node(event, pieces, i, SM_NODE_WRITE);
        sm_spurious_stores(event->site, node.loc);
        uint32_t stamp = sm_step_write(&sm_exploration->runs, &node);
        if (stamp == SM_NO_NODE)
            sm_prune();
        note_record(stamp);
        sm_frees_shared(event, stamp);
        first = i ? first : stamp;
    }
    if (has_buffers() &&
        !sm_axioms_lands_at_once(sm_exploration->axioms, &sm_graph_now()->nodes[first]))
        delay(event, first, pieces->n);
    put_pieces(event, pieces);
}

/* ---- accesses ---- */

static void load(struct sm_event *event)
{
    struct sm_pieces pieces = pieces_of(event, false);
    uint16_t loc = pieces.at[0].loc;
    if (!pieces.n) {
        wait_if_idle(event, true);
        sm_frees_private(event);
        sm_memory_load(event);
        sm_memory_check_written(event);
        return;
    }
    if (pieces.n > 1) {
        load_pieces(event, &pieces);
        return;
    }
    touch(event, loc);
    sm_outside_check(loc, event);
    note_load(event, loc);
    if (!sm_probe_waited(event->thread->id)) {
        look_back(event, loc);
        wait_if_idle(event, false);
    }
    struct sm_local local = read_of(event, loc);
    if ((local.flags & SM_LOCAL_PROBES) && sm_exploring == SM_EXPLORE_ALL &&
        !sm_run_follows(event->thread->id)) {
        sm_probe_read(event, loc, sm_learn_event(event->thread->id, &local, event));
        return;
    }
    struct sm_new_event new = {.thread = event->thread->id, .event = &local};
    sm_run_step(&new, event);
    const struct sm_node *read = &sm_graph_now()->nodes[new.stamp];
    event->value = read->value;
    sm_frees_shared(event, new.stamp);
    sm_memory_check_written(event);
    sm_outside_put(event, loc);
    say_rf(event, read);
}

static void fence(const struct sm_event *event);

/* A store to private memory is not an event, but draining the buffer is. */
static void drain_privately(const struct sm_event *access)
{
    struct sm_event event = *access;
    bool buffers = sm_option(model) == SM_MODEL_TSO || sm_option(model) == SM_MODEL_PSO;
    bool store = access->kind == SM_EV_STORE || access->kind == SM_EV_ATOMIC_STORE;
    if (!buffers || (store && access->order != SM_ORDER_SEQ_CST))
        return;
    event.kind = SM_EV_FENCE;
    event.order = SM_ORDER_SEQ_CST;
    fence(&event);
}

/* Memory holds the value already. In a store buffer it may be another one. */
static bool rewrites(const struct sm_event *event)
{
    return !has_buffers() && event->size <= sizeof event->value && !sm_op_ends_memory(event->op) &&
           sm_memory_read(event->addr, event->size) == event->value;
}

static void store(struct sm_event *event)
{
    struct sm_pieces pieces = pieces_of(event, true);
    uint16_t loc = pieces.at[0].loc;
    if (pieces.n)
        sm_await_busy(event->thread);
    else
        sm_await_stored_privately(event, rewrites(event));
    if (!pieces.n) {
        if (sm_op_ends_memory(event->op))
            return;
        sm_frees_private(event);
        drain_privately(event);
        if (has_buffers())
            delay(event, SM_NO_NODE, 1);
        sm_memory_store(event);
        sm_effects_note(event);
        sm_symmetry_stored(&sm_exploration->symmetry, event);
        return;
    }
    if (event->size < 8)
        event->value &= (1ul << 8 * event->size) - 1;
    if (pieces.n > 1) {
        store_pieces(event, &pieces);
        return;
    }
    touch(event, loc);
    sm_spurious_stores(event->site, loc);
    struct sm_local local = sm_local_of(event, SM_LOCAL_WRITE, loc);
    struct sm_new_event new = {.thread = event->thread->id, .event = &local};
    sm_run_step(&new, event);
    sm_frees_shared(event, new.write);
    if (has_buffers() &&
        !sm_axioms_lands_at_once(sm_exploration->axioms, &sm_graph_now()->nodes[new.write]))
        delay(event, new.write, 1);
    sm_outside_put(event, loc);
}

/* A read-modify-write that leaves the value unchanged: see iteration.h. */
static bool is_silent(const struct sm_event *done, uint64_t read)
{
    return sm_iteration_is_on() && done->value == read;
}

/* After a read-modify-write that has stored. */
static void note_stored(const struct sm_event *event, uint16_t loc, uint64_t read)
{
    if (is_silent(event, read))
        return;
    if (sm_iteration_is_on() && sm_undone_is_addition(event))
        sm_await_added(event->thread, loc, event->size, event->value - read);
    else
        sm_await_busy(event->thread);
}

static void rmw_privately(struct sm_event *event)
{
    wait_if_idle(event, true);
    sm_frees_private(event);
    drain_privately(event);
    if (sm_spurious_fails_privately(event))
        return;
    if (sm_memory_update(event))
        sm_await_busy(event->thread);
    sm_spurious_done(event);
    sm_effects_note(event);
    sm_symmetry_stored(&sm_exploration->symmetry, event);
}

static void rmw(struct sm_event *event)
{
    struct sm_pieces pieces = pieces_of(event, true);
    uint16_t loc = pieces.at[0].loc;
    if (!pieces.n) {
        rmw_privately(event);
        return;
    }
    touch(event, loc);
    if (event->op == SM_OP_CAS)
        note_load(event, loc);
    look_back(event, loc);
    wait_if_idle(event, false);
    struct sm_local local = sm_local_of(event, SM_LOCAL_RMW, loc);
    bool fails = sm_spurious_fails(event, &local);
    struct sm_new_event new = {.thread = event->thread->id, .event = &local};
    sm_run_step(&new, event);
    sm_frees_shared(event, new.stamp);
    if (new.write != SM_NO_NODE)
        sm_frees_shared(event, new.write);
    const struct sm_node *read = &sm_graph_now()->nodes[new.stamp];
    say_rf(event, read);
    if (fails)
        sm_spurious_fail(event, read->value);
    else if (sm_rmw_apply(event, read->value))
        note_stored(event, loc, read->value);
    sm_spurious_done(event);
    sm_outside_put(event, loc);
}

/* ---- the fast path ---- */

/* The thread's node `nth` positions after its next one, or NULL. */
static struct sm_node *peek(uint32_t thread, uint32_t nth)
{
    uint32_t stamp = sm_replay_peek(&sm_exploration->replay, thread, nth);
    return stamp == SM_NO_NODE ? NULL : &sm_graph_now()->nodes[stamp];
}

static void relearn(const struct sm_event *event, int kind, struct sm_node *node)
{
    if (!sm_learn_on())
        return;
    struct sm_local local =
        kind == SM_LOCAL_READ ? read_of(event, node->loc) : sm_local_of(event, kind, node->loc);
    node->local = sm_learn_event(node->thread, &local, event);
    sm_learn_answer(node->thread, kind == SM_LOCAL_WRITE ? 0 : node->value);
}

static bool replay_load(struct sm_event *event, struct sm_node *node)
{
    if (node->kind != SM_NODE_READ || (node->flags & SM_NODE_EXCLUSIVE) ||
        sm_await_is_known(event->site))
        return false;
    sm_outside_check(node->loc, event);
    relearn(event, SM_LOCAL_READ, node);
    event->value = node->value;
    sm_replay_skip(&sm_exploration->replay, event->thread->id, 1);
    sm_frees_shared(event, (uint32_t)(node - sm_graph_now()->nodes));
    sm_memory_check_written(event);
    return true;
}

static bool replay_store(struct sm_event *event, struct sm_node *node)
{
    uint64_t mask = event->size < 8 ? (1ul << 8 * event->size) - 1 : UINT64_MAX;
    if (node->kind != SM_NODE_WRITE || node->value != (event->value & mask))
        return false;
    event->value &= mask;
    sm_spurious_stores(event->site, node->loc);
    relearn(event, SM_LOCAL_WRITE, node);
    sm_await_busy(event->thread);
    sm_replay_skip(&sm_exploration->replay, event->thread->id, 1);
    return true;
}

static bool replay_rmw(struct sm_event *event, struct sm_node *read)
{
    struct sm_node *write = peek(event->thread->id, 1);
    struct sm_event done = *event;
    if (read->kind != SM_NODE_READ || !(read->flags & SM_NODE_EXCLUSIVE) ||
        sm_await_is_known(event->site))
        return false;
    bool stores = sm_rmw_apply(&done, read->value);
    if (stores && (!write || !(write->flags & SM_NODE_RMW) || write->value != done.value))
        return false;
    relearn(event, SM_LOCAL_RMW, read);
    if (stores)
        write->local = read->local;
    if (stores)
        note_stored(&done, read->loc, read->value);
    *event = done;
    sm_spurious_done(event);
    sm_replay_skip(&sm_exploration->replay, event->thread->id, 1 + stores);
    sm_frees_shared(event, (uint32_t)(read - sm_graph_now()->nodes));
    return true;
}

bool sm_explore_replay(struct sm_event *event)
{
    sm_probe_access(event);
    struct sm_node *node = peek(event->thread->id, 0);
    bool done = false;
    if (!node || !sm_share_is(node->loc, event) || sm_run_is_early(event->thread->id))
        return false;
    switch (event->kind) {
    case SM_EV_LOAD:
    case SM_EV_ATOMIC_LOAD:
        done = replay_load(event, node);
        break;
    case SM_EV_STORE:
    case SM_EV_ATOMIC_STORE:
        done = replay_store(event, node);
        break;
    case SM_EV_RMW:
        done = replay_rmw(event, node);
        break;
    default:
        break;
    }
    if (!done)
        return false;
    make_room(event);
    sm_outside_put(event, node->loc);
    return true;
}

/* ---- everything else ---- */

/* An event that neither reads nor writes. `answers`: the thread continues, and gets no answer. */
static void other(const struct sm_event *event, int kind, uint64_t value, bool answers)
{
    struct sm_local local = sm_local_of(event, kind, 0);
    struct sm_new_event new = {.thread = event->thread->id, .event = &local};
    local.value = value;
    local.old = 0;
    new.local = sm_learn_event(new.thread, &local, event);
    sm_graph_step(&sm_exploration->runs, &new);
    if (answers)
        sm_learn_answer(new.thread, 0);
}

static void spawn(const struct sm_event *event)
{
    uint32_t thread = event->thread->id, child = (uint32_t)event->old;
    const struct sm_thread *created = sm_thread_by_id(child);
    sm_share_spawned(thread, child);
    sm_symmetry_created(&sm_exploration->symmetry, child, (const void *)created->start,
                        created->arg);
    other(event, SM_LOCAL_SPAWN, child, false);
    sm_learn_spawn(thread, child);
}

/* A thread that has ended natively has an end event, which is its last. */
static void join(const struct sm_event *event)
{
    uint32_t thread = event->thread->id, child = (uint32_t)event->old;
    sm_share_joined(thread, child);
    other(event, SM_LOCAL_JOIN, child, false);
    sm_learn_join(thread, child);
}

static void end(const struct sm_event *event)
{
    other(event, SM_LOCAL_END, sm_effects_at_end(event->thread), false);
}

static void fence(const struct sm_event *event)
{
    if (event->kind == SM_EV_ASM)
        sm_learn_off(); /* it may have stored something */
    if (!sm_share_threads())
        return;
    other(event, SM_LOCAL_FENCE, 0, true);
}

/* run/objects.c has noted it (note_operation). */
static bool is_of_lock(uint8_t kind)
{
    return kind == SM_EV_LOCK || kind == SM_EV_UNLOCK || kind == SM_EV_TRYLOCK_FAIL;
}

static void sync(struct sm_event *event)
{
    if (!sm_sync_is_waiting(event->kind) && !is_of_lock(event->kind))
        sm_await_busy(event->thread);
    switch (event->kind) {
    case SM_EV_SPAWN:
        spawn(event);
        break;
    case SM_EV_JOIN:
        join(event);
        break;
    case SM_EV_END:
        end(event);
        break;
    case SM_EV_ASM:
    case SM_EV_FENCE:
        fence(event);
        break;
    case SM_EV_BEGIN:
        sm_await_thread(event);
        break;
    default:
        if (!sm_sync_is_modelled(event->kind) && sm_share_threads())
            sm_sync_refuse(event->kind);
    }
}

static void point(struct sm_thread *self)
{
    (void)self;
    choose_landings();
}

static void switched(struct sm_thread *from, struct sm_thread *to)
{
    (void)to;
    sm_learn_switch(from);
    sm_prints_switch(from->id);
    choose_landings();
}

void sm_explore_allocated(const struct sm_event *event)
{
    sm_await_allocated(event->thread, event->addr, event->old);
    sm_outside_allocated(event);
    if (sm_exploring == SM_EXPLORE_ALL)
        sm_effects_note(event);
}

static void forget(uintptr_t addr, uint64_t size)
{
    const struct sm_event event = {
        .kind = SM_EV_FREE, .thread = sm_running(), .addr = addr, .value = size};
    sm_provenance_forget(addr, size);
    if (!event.thread)
        return;
    sm_await_freed(event.thread, addr);
    sm_effects_note(&event);
}

const struct sm_model sm_model_graph = {.start = start,
                                        .point = point,
                                        .switched = switched,
                                        .load = load,
                                        .store = store,
                                        .rmw = rmw,
                                        .sync = sync,
                                        .forget = forget,
                                        .delays_free = delays_free};
