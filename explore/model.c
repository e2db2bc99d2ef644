/*
 * model.c - between the program and the graph: every event of a thread is answered from the
 * graph as long as the graph has it, and is a new one from then on.
 */
#include <errno.h>
#include <string.h>

#include "../runtime/control.h"
#include "../runtime/model/memory.h"
#include "../runtime/module.h"
#include "../runtime/sched/sched.h"
#include "../runtime/sys.h"
#include "../runtime/trace.h"
#include "await.h"
#include "axioms.h"
#include "explore.h"
#include "pool.h"
#include "share.h"
#include "tree.h"

/* What memory held at a location before its first event. */
struct origin {
    bool known;
    uint64_t value;
    uint64_t rf[8];
};

static struct origin *origins;
static uint32_t origin_capacity;
static uint64_t *records; /* of each node, when a trace is kept */
static uint32_t record_capacity;

/* A write that waits in its thread's buffer. What no other thread sees waits only for older
   ones, so that they land in order. */
struct waiting {
    struct sm_thread *thread;
    uintptr_t addr;
    uint64_t value, record;
    uint32_t stamp; /* SM_NO_NODE: private */
    uint8_t size;
};
static struct waiting *waiting;
static uint32_t n_waiting, waiting_capacity;

static void start(void)
{
    sm_provenance_start();
    sm_explore_begin();
    origins = NULL;
    records = NULL;
    waiting = NULL;
    origin_capacity = record_capacity = waiting_capacity = n_waiting = 0;
}

static void *grow(void *block, uint32_t *capacity, uint32_t need, size_t size)
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

/* ---- where a location began ---- */

static struct origin *origin_of(uint16_t loc)
{
    if (loc >= origin_capacity)
        origins = grow(origins, &origin_capacity, loc, sizeof *origins);
    return &origins[loc];
}

static void touch(const struct sm_event *event, uint16_t loc)
{
    struct origin *origin = origin_of(loc);
    struct sm_graph *graph = sm_tree_graph();
    if (!origin->known) {
        origin->known = true;
        origin->value = sm_memory_read(event->addr, event->size);
        if (sm_provenance_on())
            sm_provenance_get(event, origin->value, origin->rf);
    }
    if (loc >= graph->n_locs || graph->locs[loc].newest == SM_NO_NODE)
        sm_graph_touch(graph, loc, origin->value);
}

/* ---- nodes ---- */

static struct sm_node node_of(const struct sm_event *event, int kind, uint16_t loc)
{
    return (struct sm_node){.kind = (uint8_t)kind,
                            .order = event->order,
                            .thread = (uint8_t)event->thread->id,
                            .loc = loc,
                            .value = event->value,
                            .site = sm_site_number(event->site),
                            .rf = SM_NO_NODE};
}

static uint32_t replay(const struct sm_node *now)
{
    uint32_t stamp = sm_tree_replay(now->thread);
    if (stamp == SM_NO_NODE && sm_tree_graph()->length[now->thread] >= sm_option(bound))
        sm_end(SM_END_HANG, 0, "thread %u has more than %lu events", now->thread, sm_option(bound));
    if (stamp == SM_NO_NODE)
        return SM_NO_NODE;
    const struct sm_node *then = &sm_tree_graph()->nodes[stamp];
    if (then->kind != now->kind || then->loc != now->loc ||
        (now->kind == SM_NODE_WRITE && then->value != now->value))
        sm_end(SM_END_REFUSED, 0,
               "verify: thread %u does not do the same again in the same circumstances; does the "
               "program keep state that a restart does not restore, or read the time?",
               now->thread);
    return stamp;
}

/* A graph that no execution has, or one that is reached another way. */
static _Noreturn void prune(void)
{
    sm_end(SM_END_NONE, 0, "%s", "");
}

static void note_record(uint32_t stamp)
{
    if (!sm_provenance_on())
        return;
    if (stamp >= record_capacity)
        records = grow(records, &record_capacity, stamp, sizeof *records);
    records[stamp] = sm_trace_next();
}

static void say_rf(struct sm_event *event, const struct sm_node *node)
{
    if (!sm_provenance_on())
        return;
    if (node->rf == SM_NO_NODE)
        sm_read_from(event, origin_of(node->loc)->rf);
    else
        event->rf = records[node->rf];
}

static uint32_t read_node(const struct sm_node *node, const struct sm_tree_rmw *rmw)
{
    uint32_t stamp = replay(node);
    return stamp == SM_NO_NODE ? sm_tree_read(node, rmw) : stamp;
}

static uint32_t write_node(const struct sm_node *node)
{
    uint32_t stamp = replay(node);
    if (stamp == SM_NO_NODE)
        stamp = sm_tree_write(node);
    if (stamp == SM_NO_NODE)
        prune();
    note_record(stamp);
    return stamp;
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
    sm_trace_flush(entry.thread, entry.addr, entry.size, entry.value, entry.record);
    memmove(waiting + i, waiting + i + 1, (--n_waiting - i) * sizeof *waiting);
    for (uint32_t k = 0; k < n_waiting; k++)
        if (waiting[k].stamp == SM_NO_NODE && is_oldest(k)) {
            land(k);
            return;
        }
}

static void delay(struct sm_event *event, uint32_t stamp)
{
    waiting = grow(waiting, &waiting_capacity, n_waiting, sizeof *waiting);
    waiting[n_waiting++] = (struct waiting){event->thread,   event->addr, event->value,
                                            sm_trace_next(), stamp,       event->size};
    if (stamp == SM_NO_NODE && is_oldest(n_waiting - 1))
        n_waiting--;
    else
        event->flags |= SM_RECORD_DELAYED;
}

static void choose_landings(void)
{
    while (n_waiting) {
        uint32_t wanted = 0, now = sm_tree_script_landing();
        for (uint32_t i = 0; i < n_waiting && now != SM_NO_NODE; i++)
            if (waiting[i].stamp == now)
                wanted = i + 1;
        uint32_t pick = sm_tree_choose(SM_PURPOSE_FLUSH, n_waiting + 1, wanted);
        if (!pick)
            return;
        sm_tree_script_landed();
        land(pick - 1);
    }
}

/* ---- waiting ---- */

/* For ever: what it waits for revisits its read, in another execution. */
static _Noreturn void wait_for_ever(struct sm_event *event, const char *what)
{
    struct sm_wait wait = {.queue = (void *)event->addr, .what = what, .deadline = SM_NO_DEADLINE};
    for (;;)
        sm_block(&wait, event);
}

static bool is_idle(const struct sm_event *event, bool private)
{
    uint16_t position = sm_tree_position(event->thread->id);
    if (sm_exploring == SM_EXPLORE_FREE)
        return sm_tree_choose(SM_PURPOSE_AWAIT, 2, 0);
    bool idle = private ? sm_await_idle_privately(event, position) : sm_await_idle(event, position);
    return sm_exploring == SM_EXPLORE_ALL ? idle : sm_tree_choose(SM_PURPOSE_AWAIT, 2, idle);
}

/* Before a read: see await.h. */
static void wait_if_idle(struct sm_event *event, bool private)
{
    bool idle = is_idle(event, private);
    if (sm_exploring == SM_EXPLORE_ALL && sm_await_grew())
        prune();
    if (!idle || sm_tree_has_more(event->thread->id))
        return;
    if (sm_exploring == SM_EXPLORE_ALL && sm_await_is_vain(sm_tree_graph(), event->thread->id)) {
        sm_control->explored.blocked++;
        prune();
    }
    sm_await_stopped(event);
    wait_for_ever(event, "change of what it reads, in a loop,");
}

/* ---- accesses ---- */

static uint16_t location(const struct sm_event *event, bool write)
{
    if (!sm_share_threads())
        return SM_PRIVATE;
    uint16_t loc = sm_share_access(event, write);
    if (loc == SM_PRIVATE)
        return loc;
    if ((event->flags & SM_RECORD_MORE) && event->order != SM_ORDER_PLAIN)
        sm_end(SM_END_REFUSED, 0,
               "verify: the program shares an atomic of more than 8 bytes; "
               "verify knows smaller ones only");
    if (event->order < SM_ORDER_SEQ_CST)
        sm_control->explored.weak = 1;
    touch(event, loc);
    return loc;
}

static void load(struct sm_event *event)
{
    uint16_t loc = location(event, false);
    if (loc == SM_PRIVATE) {
        wait_if_idle(event, true);
        sm_memory_load(event);
        return;
    }
    wait_if_idle(event, false);
    struct sm_node node = node_of(event, SM_NODE_READ, loc);
    static const struct sm_tree_rmw none;
    uint32_t stamp = read_node(&node, &none);
    const struct sm_node *read = &sm_tree_graph()->nodes[stamp];
    event->value = read->value;
    sm_memory_write(event->addr, event->size, event->value); /* for libraries */
    say_rf(event, read);
}

static void store(struct sm_event *event)
{
    sm_await_busy(event->thread);
    uint16_t loc = location(event, true);
    if (loc == SM_PRIVATE) {
        if (has_buffers())
            delay(event, SM_NO_NODE);
        sm_memory_store(event);
        return;
    }
    if (event->size < 8)
        event->value &= (1ul << 8 * event->size) - 1;
    struct sm_node node = node_of(event, SM_NODE_WRITE, loc);
    uint32_t stamp = write_node(&node);
    if (has_buffers() && !sm_axioms_lands_at_once(&node))
        delay(event, stamp);
    sm_memory_write(event->addr, event->size, event->value);
}

static void rmw(struct sm_event *event)
{
    uint16_t loc = location(event, true);
    if (loc == SM_PRIVATE) {
        sm_await_busy(event->thread);
        sm_memory_rmw(event);
        return;
    }
    wait_if_idle(event, false);
    struct sm_tree_rmw how = {.event = event};
    struct sm_node node = node_of(event, SM_NODE_READ, loc);
    node.flags = SM_NODE_EXCLUSIVE;
    if (event->op == SM_OP_CAS) {
        node.flags |= SM_NODE_CAS;
        node.order_done = event->order;
        node.order_fail = event->order_fail;
        node.expected = event->size < 8 ? event->old & ((1ul << 8 * event->size) - 1) : event->old;
    }
    uint32_t stamp = read_node(&node, &how);
    struct sm_node read = sm_tree_graph()->nodes[stamp];
    say_rf(event, &read);
    if (sm_rmw_apply(event, read.value)) {
        sm_await_busy(event->thread);
        node = node_of(event, SM_NODE_WRITE, loc);
        node.flags = SM_NODE_RMW;
        write_node(&node);
    }
    sm_memory_write(event->addr, event->size, event->value);
}

/* ---- mutexes ---- */

/* Before there are other threads a mutex has no events, only a state to begin with. */
static struct origin *mutex_origin(uint16_t loc)
{
    struct origin *origin = origin_of(loc);
    origin->known = true;
    return origin;
}

static uint16_t mutex_location(const struct sm_event *event)
{
    uint16_t loc = sm_share_object(event->addr);
    struct sm_graph *graph = sm_tree_graph();
    uint64_t value = mutex_origin(loc)->value;
    if (sm_share_threads() && (loc >= graph->n_locs || graph->locs[loc].newest == SM_NO_NODE))
        sm_graph_touch(graph, loc, value);
    return loc;
}

static int lock_alone(struct sm_event *event, uint16_t loc, bool try)
{
    struct origin *origin = mutex_origin(loc);
    if (origin->value && !try)
        wait_for_ever(event, "mutex");
    if (origin->value)
        return EBUSY;
    origin->value = 1;
    return 0;
}

static int lock_in_graph(struct sm_event *event, uint16_t loc, bool try)
{
    struct sm_tree_rmw how = {.lock = true, .waits = !try};
    struct sm_node node = node_of(event, SM_NODE_READ, loc);
    node.order = SM_ORDER_ACQUIRE;
    node.flags = SM_NODE_EXCLUSIVE | SM_NODE_LOCK;
    uint32_t stamp = read_node(&node, &how);
    if (sm_tree_graph()->nodes[stamp].value == 0) {
        node.kind = SM_NODE_WRITE;
        node.flags = SM_NODE_RMW | SM_NODE_LOCK;
        node.value = 1;
        write_node(&node);
        return 0;
    }
    if (try)
        return EBUSY;
    struct sm_node *read = &sm_tree_graph()->nodes[stamp];
    read->flags |= SM_NODE_BLOCKED;
    if (sm_exploring == SM_EXPLORE_ALL &&
        sm_graph_next(sm_tree_graph(), loc, read->rf) != SM_NO_NODE)
        prune(); /* it was freed since: another graph has this thread go on */
    wait_for_ever(event, "mutex");
}

int sm_explore_lock(struct sm_event *event, bool try)
{
    sm_await_busy(event->thread);
    uint16_t loc = mutex_location(event);
    return sm_share_threads() ? lock_in_graph(event, loc, try) : lock_alone(event, loc, try);
}

void sm_explore_unlock(struct sm_event *event)
{
    sm_await_busy(event->thread);
    uint16_t loc = mutex_location(event);
    if (!sm_share_threads()) {
        mutex_origin(loc)->value = 0;
        return;
    }
    struct sm_node node = node_of(event, SM_NODE_WRITE, loc);
    node.order = SM_ORDER_RELEASE;
    node.flags = SM_NODE_LOCK;
    node.value = 0;
    write_node(&node);
}

/* ---- everything else ---- */

static void plain_node(const struct sm_event *event, int kind, uint64_t value, uint32_t rf)
{
    struct sm_node node = node_of(event, kind, 0);
    node.value = value;
    node.rf = rf;
    if (replay(&node) == SM_NO_NODE)
        sm_tree_other(&node);
}

static void spawn(const struct sm_event *event)
{
    if (event->thread->id != 0)
        sm_end(SM_END_REFUSED, 0,
               "verify: thread %u creates a thread; only the initial thread may, so far",
               event->thread->id);
    if (event->old >= SM_GRAPH_THREADS)
        sm_end(SM_END_REFUSED, 0, "verify: more than %u threads", SM_GRAPH_THREADS);
    sm_share_spawned(event->thread->id, (uint32_t)event->old);
    plain_node(event, SM_NODE_SPAWN, event->old, SM_NO_NODE);
}

/* The end of a thread that has ended natively is in the graph, and is its last event. */
static void join(const struct sm_event *event)
{
    sm_share_joined(event->thread->id, (uint32_t)event->old);
    plain_node(event, SM_NODE_JOIN, event->old, sm_tree_graph()->last[event->old]);
}

static _Noreturn void refuse(const struct sm_event *event)
{
    static const char *const words[] = {
#define SM_EVENT(name, word, hb) word,
#include "../abi/events.def"
    };
    sm_end(SM_END_REFUSED, 0,
           "verify: the program uses '%s', of which verify does not explore every order yet; it "
           "knows memory accesses, fences, mutexes, creating and joining threads",
           words[event->kind]);
}

/* A fence or a yield in a loop that waits is part of the waiting. */
static bool is_busy(const struct sm_event *event)
{
    return event->kind != SM_EV_FENCE && event->kind != SM_EV_YIELD && event->kind != SM_EV_SLEEP &&
           event->kind != SM_EV_ENTER && event->kind != SM_EV_LEAVE;
}

static void sync(struct sm_event *event)
{
    if (is_busy(event))
        sm_await_busy(event->thread);
    switch (event->kind) {
    case SM_EV_SPAWN:
        spawn(event);
        break;
    case SM_EV_JOIN:
        join(event);
        break;
    case SM_EV_END:
        plain_node(event, SM_NODE_END, 0, SM_NO_NODE);
        break;
    case SM_EV_ASM:
    case SM_EV_FENCE:
        if (sm_share_threads())
            plain_node(event, SM_NODE_FENCE, 0, SM_NO_NODE);
        break;
    case SM_EV_BEGIN:
        sm_await_thread(event->thread);
        break;
    case SM_EV_LOCK:
    case SM_EV_UNLOCK:
    case SM_EV_TRYLOCK_FAIL:
    case SM_EV_INIT:
    case SM_EV_YIELD:
    case SM_EV_SLEEP:
    case SM_EV_SYSCALL:
    case SM_EV_CHOOSE:
    case SM_EV_ENTER:
    case SM_EV_LEAVE:
    case SM_EV_UNIT_BEGIN:
    case SM_EV_UNIT_END:
        break;
    default:
        if (sm_share_threads())
            refuse(event);
    }
}

static void point(struct sm_thread *self)
{
    (void)self;
    choose_landings();
}

static void switched(struct sm_thread *from, struct sm_thread *to)
{
    (void)from;
    (void)to;
    choose_landings();
}

const struct sm_model sm_model_graph = {.name = "graph",
                                        .start = start,
                                        .point = point,
                                        .switched = switched,
                                        .load = load,
                                        .store = store,
                                        .rmw = rmw,
                                        .sync = sync,
                                        .forget = sm_provenance_forget};
