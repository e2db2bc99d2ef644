#include "verify/graph/preempt.h"

#include <string.h>

#include "base/random.h"
#include "core/objects/objects.h"
#include "runtime/control.h"
#include "verify/exploration.h"
#include "verify/graph/order.h"
#include "verify/pool.h"

/* Slots of 16 bytes. With MOST_SEEN (64 MB) three million states are remembered; then the
   exploration stops, and the previous bound is the result. */
enum { FIRST_SEEN = 1 << 12, MOST_SEEN = 1 << 22, FIRST_STAMPS = 256 };

/* 112 bits of hash: 10 million states have a collision with a probability of 1e-20. */
struct seen {
    uint64_t hash;
    uint64_t rest; /* 48 bits of hash; below, 1 + the preemptions that were left; 0: empty */
};

struct digest {
    uint64_t a, b;
};

static struct preempt {
    uint32_t bound;
    bool cut;         /* a switch was left out for the bound */
    uint32_t decided; /* events of the graph for which sm_preempt_next has remembered the state */
    uint32_t stamp, thread, used; /* which thread adds that event; preemptions by then */
    /* By stamp, for the first n_past events: the schedule up to it; for the first n_digested: the
       digest of the graph that ends with it. */
    uint32_t n_past, n_digested, room, digest_room;
    struct past {
        uint32_t used; /* preemptions, that to this event included */
        uint32_t last; /* the thread that runs */
    } *past;
    struct digest *digests;
    struct seen *slots;
    uint32_t n_slots, slot_room;
} *preempt;

bool sm_preempt_on(void)
{
    return preempt;
}

static void empty_slots(uint32_t room)
{
    size_t size = room * sizeof *preempt->slots;
    preempt->slots = memset(sm_pool_get(size), 0, size);
    preempt->slot_room = room;
    preempt->n_slots = 0;
}

/* The current graph is empty. */
static void restart(void)
{
    preempt->cut = false;
    preempt->n_past = preempt->n_digested = 0;
    preempt->decided = preempt->stamp = SM_NO_NODE;
}

void sm_preempt_start(void)
{
    preempt = NULL;
    if (sm_option(preemptions) == SM_ANY_PREEMPTIONS || sm_option(model) != SM_MODEL_SC)
        return;
    preempt = sm_pool_get(sizeof *preempt);
    *preempt = (struct preempt){.room = FIRST_STAMPS, .digest_room = FIRST_STAMPS};
    preempt->past = sm_pool_get(FIRST_STAMPS * sizeof *preempt->past);
    preempt->digests = sm_pool_get(FIRST_STAMPS * sizeof *preempt->digests);
    empty_slots(FIRST_SEEN);
    restart();
}

void sm_preempt_clear(void)
{
    if (!preempt)
        return;
    sm_pool_put(preempt->slots, preempt->slot_room * sizeof *preempt->slots);
    empty_slots(FIRST_SEEN);
    preempt->bound = 0;
    sm_control->explored.proved = 0;
    restart();
}

/* ---- graphs ---- */

static uint64_t name_of(const struct sm_graph *graph, uint32_t e)
{
    if (e == SM_NO_NODE)
        return UINT32_MAX;
    return (uint64_t)graph->nodes[e].thread << 16 | graph->nodes[e].index;
}

/* Distinguishes the event from one of the same thread and index in another graph: by the write that
   it reads or follows, or by the chosen answer. */
static uint64_t answer_of(const struct sm_graph *graph, const struct sm_node *node)
{
    if (sm_node_has_rf(node))
        return name_of(graph, node->rf);
    if (node->kind == SM_NODE_WRITE)
        return name_of(graph, node->mo_prev);
    return node->kind == SM_NODE_CHOICE ? node->value : 0;
}

/* A graph is the set of its events: the digest does not depend on the order of adding. */
static void add_event(struct digest *sum, const struct sm_graph *graph, uint32_t e)
{
    const struct sm_node *node = &graph->nodes[e];
    uint64_t what = sm_random_mix(answer_of(graph, node) << 8 | node->kind);
    uint64_t hash = sm_random_mix(what + name_of(graph, e));
    sum->a += hash;
    sum->b += sm_random_mix(hash ^ what << 1);
}

static struct digest digest_of(const struct sm_graph *graph)
{
    struct digest sum = {0};
    preempt->digests =
        sm_pool_room(preempt->digests, &preempt->digest_room, graph->n, sizeof *preempt->digests);
    if (preempt->n_digested)
        sum = preempt->digests[preempt->n_digested - 1];
    while (preempt->n_digested < graph->n) {
        add_event(&sum, graph, preempt->n_digested);
        preempt->digests[preempt->n_digested++] = sum;
    }
    return sum;
}

/* ---- states ---- */

/* Besides threads: no thread could continue; the graph is complete. */
enum { NONE_RUNS = SM_GRAPH_THREADS, COMPLETE };
enum { LEFT_BITS = 16 };

static struct seen *find_slot(struct seen *slots, uint32_t room, const struct seen *key)
{
    uint32_t i = (uint32_t)key->hash & (room - 1);
    while (slots[i].rest &&
           (slots[i].hash != key->hash || slots[i].rest >> LEFT_BITS != key->rest >> LEFT_BITS))
        i = (i + 1) & (room - 1);
    return &slots[i];
}

static void grow(void)
{
    struct seen *old = preempt->slots;
    uint32_t room = preempt->slot_room, n = preempt->n_slots;
    empty_slots(2 * room);
    for (uint32_t i = 0; i < room; i++)
        if (old[i].rest)
            *find_slot(preempt->slots, preempt->slot_room, &old[i]) = old[i];
    preempt->n_slots = n;
    sm_pool_put(old, room * sizeof *old);
}

/* False: the state was explored with at least as many preemptions left. */
static bool remember(struct digest sum, uint32_t thread, uint32_t left)
{
    uint64_t hash = sm_random_mix(sum.a + thread);
    const struct seen key = {hash, sm_random_mix(sum.b + hash) << LEFT_BITS | (left + 1)};
    struct seen *slot = find_slot(preempt->slots, preempt->slot_room, &key);
    if (slot->rest >= key.rest)
        return false;
    preempt->n_slots += !slot->rest;
    *slot = key;
    if (4 * (uint64_t)preempt->n_slots < 3 * (uint64_t)preempt->slot_room)
        return true;
    if (preempt->slot_room < MOST_SEEN)
        grow();
    else
        sm_control->explored.stop = 1;
    return true;
}

/* If the initial thread left by pthread_exit, the last thread to end has no end event. */
static struct digest without_ends(struct digest sum, const struct sm_graph *graph)
{
    struct digest ends = {0};
    for (uint32_t e = 0; e < graph->n; e++)
        if (graph->nodes[e].kind == SM_NODE_END)
            add_event(&ends, graph, e);
    return (struct digest){sum.a - ends.a, sum.b - ends.b};
}

bool sm_preempt_is_new(void)
{
    const struct sm_graph *graph = sm_graph_now();
    return !preempt || remember(without_ends(digest_of(graph), graph), COMPLETE, 0);
}

/* ---- which thread is next ---- */

void sm_ready_set(struct sm_ready *ready, uint32_t thread, enum sm_rank rank,
                  const struct sm_local *event)
{
    int op = event && event->kind == SM_LOCAL_OPERATE ? event->op : -1;
    ready->rank[thread] = (uint8_t)rank;
    ready->preempts[thread] =
        op == SM_DO_COND_SIGNAL ||
        (rank < SM_RANK_WOULD_BLOCK && op != SM_DO_SHARE && op != SM_DO_COND_LEAVE_TIMED);
}

static bool is_enabled(const struct sm_ready *ready, uint32_t thread)
{
    return ready->rank[thread] < SM_RANK_WOULD_BLOCK;
}

static uint32_t lowest_rank(const struct sm_ready *ready)
{
    uint32_t best = SM_NO_NODE, rank = SM_RANK_BLOCKED;
    for (uint32_t t = 0; t < ready->n; t++)
        if (ready->rank[t] < rank) {
            best = t;
            rank = ready->rank[t];
        }
    return best;
}

static uint32_t first_enabled(const struct sm_ready *ready)
{
    uint32_t t = 0;
    while (!is_enabled(ready, t))
        t++;
    return t;
}

static struct past past_before(uint32_t stamp)
{
    return stamp ? preempt->past[stamp - 1] : (struct past){0};
}

/* Events aside, added during another thread's turn, are not a switch: that thread adds the next
   event. */
static void add_past(const struct sm_graph *graph, uint32_t e)
{
    const struct sm_node *node = &graph->nodes[e];
    bool in_turn = preempt->stamp == e && preempt->thread == node->thread;
    struct past now = past_before(e);
    if (!sm_preempt_is_aside(node) || in_turn) {
        now.used = preempt->stamp == e ? preempt->used : now.used;
        now.last = node->thread;
    } else if (preempt->stamp == e) {
        preempt->stamp++;
        preempt->decided += preempt->decided == e;
    }
    preempt->past[e] = now;
}

static void find_past(const struct sm_graph *graph)
{
    preempt->past = sm_pool_room(preempt->past, &preempt->room, graph->n, sizeof *preempt->past);
    for (; preempt->n_past < graph->n; preempt->n_past++)
        add_past(graph, preempt->n_past);
}

static uint32_t give_turn(uint32_t stamp, uint32_t thread, uint32_t used)
{
    preempt->stamp = stamp;
    preempt->thread = thread;
    preempt->used = used;
    return thread;
}

/* Pushes the alternatives of a switch from the thread that ran last. */
static void push_others(const struct sm_ready *ready, uint32_t first, uint32_t last, uint32_t used)
{
    for (uint32_t t = ready->n; t-- > 0;)
        if (t != first && t != last && is_enabled(ready, t))
            sm_frontier_push_turn(&sm_exploration->frontier, t, used);
}

static bool has_other(const struct sm_ready *ready, uint32_t thread)
{
    for (uint32_t t = 0; t < ready->n; t++)
        if (t != thread && is_enabled(ready, t))
            return true;
    return false;
}

/* If the thread that ran last can continue, it does so first: this keeps the stack of pending
   entries short. */
static uint32_t decide(const struct sm_ready *ready, uint32_t stamp, uint32_t last, uint32_t used)
{
    uint32_t then = used + ready->preempts[last];
    bool goes_on = is_enabled(ready, last), others = has_other(ready, last);
    if (goes_on && (!others || sm_order_is_inside(sm_graph_now())))
        return give_turn(stamp, last, used);
    bool may_switch = then <= preempt->bound;
    preempt->cut |= !may_switch;
    if (!goes_on && !may_switch)
        return SM_NO_TURN;
    uint32_t first = goes_on ? last : first_enabled(ready);
    if (may_switch)
        push_others(ready, first, last, then);
    return give_turn(stamp, first, goes_on ? used : then);
}

uint32_t sm_preempt_next(const struct sm_ready *ready)
{
    const struct sm_graph *graph = sm_graph_now();
    find_past(graph);
    struct past past = past_before(graph->n);
    uint32_t stamp = graph->n, last = past.last, lowest = lowest_rank(ready);
    if (lowest == SM_NO_NODE)
        return lowest;
    if (!is_enabled(ready, lowest))
        return give_turn(stamp, lowest, past.used);
    if (preempt->stamp == stamp && is_enabled(ready, preempt->thread))
        return preempt->thread;
    /* Threads have since begun to wait, without an event: the state is the same. */
    bool again = preempt->decided == stamp;
    preempt->decided = stamp;
    if (!again && !remember(digest_of(graph), ready->preempts[last] ? last : NONE_RUNS,
                            preempt->bound - past.used))
        return SM_NO_TURN;
    return decide(ready, stamp, last, past.used);
}

bool sm_preempt_has_turn(uint32_t thread)
{
    find_past(sm_graph_now());
    return preempt->stamp == sm_graph_now()->n && preempt->thread == thread;
}

void sm_preempt_had_turn(uint32_t thread)
{
    uint32_t stamp = sm_graph_now()->n;
    if (!sm_preempt_has_turn(thread))
        give_turn(stamp, thread, past_before(stamp).used);
}

void sm_preempt_resume(void)
{
    const struct sm_frontier *frontier = &sm_exploration->frontier;
    uint32_t n = frontier->now->n;
    if (!preempt)
        return;
    bool turns = frontier->turn.thread != SM_NO_NODE; /* else an alternative of the last event */
    uint32_t same = turns ? n : n - 1;
    preempt->decided = preempt->stamp = SM_NO_NODE;
    preempt->n_digested = preempt->n_digested < same ? preempt->n_digested : same;
    preempt->n_past = preempt->n_past < n ? preempt->n_past : n;
    if (turns)
        give_turn(n, frontier->turn.thread, frontier->turn.used);
}

/* ---- the bound ---- */

bool sm_preempt_raise(void)
{
    struct sm_explored *explored = &sm_control->explored;
    if (!preempt)
        return false;
    if (!explored->cut && !explored->sampled)
        explored->proved = preempt->bound + 1;
    if (!preempt->cut || preempt->bound >= sm_option(preemptions)) {
        explored->cut |= preempt->cut ? SM_CUT_BIT(PREEMPTIONS) : 0;
        return false;
    }
    preempt->bound++;
    sm_frontier_clear(&sm_exploration->frontier);
    restart();
    return true;
}
