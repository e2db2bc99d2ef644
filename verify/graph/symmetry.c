#include "verify/graph/symmetry.h"

#include <string.h>

#include "abi/control.h"
#include "base/mix.h"
#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/region.h"
#include "runtime/thread.h"
#include "verify/graph/objects.h"
#include "verify/pool.h"

enum { NO_THREAD_ALIKE = SM_GRAPH_THREADS };

void sm_symmetry_init(struct sm_symmetry *symmetry)
{
    memset(symmetry, 0, sizeof *symmetry);
    sm_histories_init(&symmetry->histories);
}

static bool is_symmetric(const struct sm_symmetry *symmetry, uint32_t a, uint32_t b)
{
    return symmetry->threads[a].known && symmetry->threads[b].known &&
           !symmetry->threads[a].apart && !symmetry->threads[b].apart &&
           symmetry->threads[a].start == symmetry->threads[b].start &&
           symmetry->threads[a].arg == symmetry->threads[b].arg;
}

static bool is_symmetric_to_any(const struct sm_symmetry *symmetry, uint32_t thread)
{
    for (uint32_t t = 0; t < SM_GRAPH_THREADS; t++)
        if (t != thread && is_symmetric(symmetry, thread, t))
            return true;
    return false;
}

void sm_symmetry_break(struct sm_symmetry *symmetry, uint32_t thread)
{
    if (!sm_option(symmetry) || thread >= SM_GRAPH_THREADS || symmetry->threads[thread].apart)
        return;
    symmetry->shrank |= is_symmetric_to_any(symmetry, thread);
    symmetry->threads[thread].apart = true;
}

/* An address that could identify this thread: of its stack, its heap, or the C library's. */
static bool tells_who(uint64_t value)
{
    uintptr_t start, end;
    if (value <= UINT32_MAX || value >= UINT64_MAX - UINT32_MAX)
        return false;
    if (value >= SM_REGION_HEAP && value < SM_REGION_HEAP + SM_REGION_HEAP_STRIDE)
        return false;
    sm_region_bounds(value, &start, &end);
    return !end;
}

void sm_symmetry_stored(struct sm_symmetry *symmetry, const struct sm_event *event)
{
    uintptr_t low = (uintptr_t)event->thread->stack_low;
    bool mine = event->addr - low < event->thread->stack_size;
    if (sm_option(symmetry) && event->thread->id && !mine && tells_who(event->value))
        sm_symmetry_break(symmetry, event->thread->id);
}

void sm_symmetry_created(struct sm_symmetry *symmetry, uint32_t thread, const void *start,
                         const void *arg)
{
    struct sm_symmetry_thread *known = &symmetry->threads[thread];
    if (known->known && (known->start != start || known->arg != arg))
        sm_symmetry_break(symmetry, thread);
    known->known = true;
    known->start = start;
    known->arg = arg;
}

void sm_symmetry_settle(struct sm_symmetry *symmetry)
{
    symmetry->shrank = false;
    sm_histories_clear(&symmetry->histories);
}

void sm_symmetry_pack(const struct sm_symmetry *symmetry, struct sm_parcel *parcel)
{
    sm_parcel_put(parcel, symmetry->threads, sizeof symmetry->threads);
}

void sm_symmetry_unpack(struct sm_symmetry *symmetry, struct sm_parcel *parcel)
{
    sm_parcel_take(parcel, symmetry->threads, sizeof symmetry->threads);
    symmetry->shrank = false;
}

/* ---- symmetric threads ---- */

/* A graph by threads. */
struct view {
    struct sm_symmetry *symmetry;
    const struct sm_graph *graph;
    uint32_t *stamps; /* of all events, thread by thread */
    uint32_t first[SM_GRAPH_THREADS];
    uint32_t before[SM_GRAPH_THREADS]; /* the symmetric thread created directly before;
                                          NO_THREAD_ALIKE */
    bool any;
};

static void find_symmetric(struct view *view)
{
    const struct sm_graph *graph = view->graph;
    view->any = false;
    for (unsigned t = 0; t < graph->lanes; t++)
        view->before[t] = NO_THREAD_ALIKE;
    for (uint32_t e = 0; e < graph->n; e++) {
        const struct sm_node *node = &graph->nodes[e];
        if (node->kind != SM_NODE_SPAWN || node->pred == SM_NO_NODE)
            continue;
        const struct sm_node *last = &graph->nodes[node->pred];
        if (last->kind != SM_NODE_SPAWN || last->thread != node->thread ||
            !is_symmetric(view->symmetry, (uint32_t)last->value, (uint32_t)node->value))
            continue;
        view->before[node->value] = (uint32_t)last->value;
        view->any = true;
    }
}

static void open_view(struct view *view, struct sm_symmetry *symmetry, const struct sm_graph *graph)
{
    uint32_t at = 0;
    view->symmetry = symmetry;
    view->graph = graph;
    find_symmetric(view);
    if (!view->any)
        return;
    view->stamps = sm_pool_get(graph->n * sizeof *view->stamps);
    for (unsigned t = 0; t < graph->lanes; t++) {
        view->first[t] = at;
        at += graph->length[t];
    }
    for (uint32_t e = 0; e < graph->n; e++)
        view->stamps[view->first[graph->nodes[e].thread] + graph->nodes[e].index] = e;
}

static void close_view(const struct view *view)
{
    if (view->any)
        sm_pool_put(view->stamps, view->graph->n * sizeof *view->stamps);
}

/* The event of a thread, or SM_NO_NODE. */
static uint32_t event(const struct view *view, uint32_t thread, uint32_t nth)
{
    return nth < view->graph->length[thread] ? view->stamps[view->first[thread] + nth] : SM_NO_NODE;
}

/* ---- lists ---- */

enum order { ASCENDS, EQUAL, DESCENDS, NOT_SYMMETRIC };

static enum order order_of_writes(const struct sm_graph *graph, uint32_t a, uint32_t b)
{
    if (a == b)
        return EQUAL;
    if (a == SM_NO_NODE || b == SM_NO_NODE)
        return a == SM_NO_NODE ? ASCENDS : DESCENDS;
    for (uint32_t w = graph->nodes[a].mo_next; w != SM_NO_NODE; w = graph->nodes[w].mo_next)
        if (w == b)
            return ASCENDS;
    return DESCENDS;
}

static enum order order_of(const struct sm_graph *graph, uint32_t a, uint32_t b)
{
    const struct sm_node *x = &graph->nodes[a], *y = &graph->nodes[b];
    if (x->kind != y->kind)
        return NOT_SYMMETRIC;
    switch (x->kind) {
    case SM_NODE_READ:
        return x->loc != y->loc ? NOT_SYMMETRIC : order_of_writes(graph, x->rf, y->rf);
    case SM_NODE_WRITE:
        return x->loc != y->loc || x->value != y->value ? NOT_SYMMETRIC
                                                        : order_of_writes(graph, a, b);
    case SM_NODE_CHOICE:
        return x->value == y->value ? EQUAL : x->value < y->value ? ASCENDS : DESCENDS;
    default:
        return EQUAL;
    }
}

/* ---- graphs that can be dropped ---- */

/* All events that are in every descendant of this graph. */
static struct sm_vector find_permanent(const struct sm_graph *graph)
{
    struct sm_vector staying;
    sm_vector_clear(&staying, graph->lanes);
    for (uint32_t e = 0; e < graph->n; e++) {
        const struct sm_node *node = &graph->nodes[e];
        if (node->kind == SM_NODE_READ && node->rf != SM_NO_NODE && node->rf > e)
            sm_vector_join(&staying, sm_graph_porf(graph, node->rf), graph->lanes);
    }
    return staying;
}

/* An operation that always takes the object, or stores, sooner or later. */
static bool is_sure_step(const struct sm_node *read)
{
    if (!(read->flags & SM_NODE_EXCLUSIVE) || (read->flags & SM_NODE_CAS))
        return false;
    return read->op == SM_DO_NOTHING || read->op == SM_DO_LOCK || read->op == SM_DO_SPIN;
}

/* No write can be inserted in modification order between the initial value and this write. */
static bool is_sealed(const struct sm_graph *graph, uint32_t write)
{
    for (uint32_t w = write; w != SM_NO_NODE; w = graph->nodes[w].mo_prev) {
        const struct sm_node *node = &graph->nodes[w];
        bool releases = (node->flags & SM_NODE_LOCK) && node->mo_prev != SM_NO_NODE &&
                        graph->nodes[node->mo_prev].thread == node->thread;
        if (!(node->flags & SM_NODE_RMW) && !releases)
            return false;
    }
    return true;
}

static bool has_passed(const struct view *view, uint32_t thread, uint32_t nth,
                       const struct sm_vector *staying)
{
    const struct sm_graph *graph = view->graph;
    uint32_t write = event(view, thread, nth + 1);
    return is_sure_step(&graph->nodes[event(view, thread, nth)]) && write != SM_NO_NODE &&
           (graph->nodes[write].flags & SM_NODE_RMW) &&
           sm_vector_has(staying, &graph->nodes[write]) && is_sealed(graph, write);
}

static bool descends_permanently(const struct view *view, uint32_t earlier, uint32_t later,
                                 const struct sm_vector *staying)
{
    const struct sm_graph *graph = view->graph;
    for (uint32_t nth = 0;; nth++) {
        uint32_t a = event(view, earlier, nth), b = event(view, later, nth);
        if (b == SM_NO_NODE || !sm_vector_has(staying, &graph->nodes[b]))
            return false;
        if (a == SM_NO_NODE || !sm_vector_has(staying, &graph->nodes[a]))
            return has_passed(view, later, nth, staying);
        enum order order = order_of(graph, a, b);
        if (order != EQUAL)
            return order == DESCENDS;
    }
}

bool sm_symmetry_excludes(struct sm_symmetry *symmetry, const struct sm_graph *graph)
{
    struct view view;
    bool excluded = false;
    if (!sm_option(symmetry))
        return false;
    open_view(&view, symmetry, graph);
    struct sm_vector staying = find_permanent(graph);
    for (uint32_t t = 0; t < graph->lanes && view.any && !excluded; t++)
        for (uint32_t u = view.before[t]; u != NO_THREAD_ALIKE && !excluded; u = view.before[u])
            excluded = descends_permanently(&view, u, t, &staying);
    close_view(&view);
    return excluded;
}

/* ---- whole graphs ---- */

static enum order order_of_lists(const struct view *view, uint32_t earlier, uint32_t later)
{
    for (uint32_t nth = 0;; nth++) {
        uint32_t a = event(view, earlier, nth), b = event(view, later, nth);
        if (a == SM_NO_NODE || b == SM_NO_NODE)
            return a != SM_NO_NODE ? DESCENDS : b != SM_NO_NODE ? ASCENDS : EQUAL;
        enum order order = order_of(view->graph, a, b);
        if (order == NOT_SYMMETRIC) {
            sm_symmetry_break(view->symmetry, earlier);
            sm_symmetry_break(view->symmetry, later);
        }
        if (order != EQUAL)
            return order;
    }
}

/* Of each thread: the first of its symmetric threads, its position among them, from 0; of that
   first one: how many there are. */
struct alike {
    uint32_t leader[SM_GRAPH_THREADS], nth[SM_GRAPH_THREADS], size[SM_GRAPH_THREADS];
};

/* A thread has a larger number than one that its creator created before. */
static void find_groups(struct alike *alike, const struct view *view)
{
    for (uint32_t t = 0; t < view->graph->lanes; t++) {
        uint32_t before = view->before[t];
        bool first = before == NO_THREAD_ALIKE;
        alike->leader[t] = first ? t : alike->leader[before];
        alike->nth[t] = first ? 0 : alike->nth[before] + 1;
        alike->size[alike->leader[t]] = alike->nth[t] + 1;
    }
}

static bool is_member(const struct alike *alike, uint32_t thread)
{
    return alike->size[alike->leader[thread]] > 1;
}

/* The number of graphs in the class of this one; 0: this one is not the canonical one. */
static uint64_t class_size(const struct view *view, const struct alike *alike)
{
    uint64_t size = 1;
    uint32_t equal[SM_GRAPH_THREADS];
    for (uint32_t t = 0; t < view->graph->lanes; t++) {
        uint32_t before = view->before[t];
        equal[t] = 1;
        if (before == NO_THREAD_ALIKE)
            continue;
        enum order order = order_of_lists(view, before, t);
        if (order == DESCENDS || order == NOT_SYMMETRIC)
            return 0;
        equal[t] += order == EQUAL ? equal[before] : 0;
        bool fits = !__builtin_mul_overflow(size, alike->nth[t] + 1, &size);
        size = fits && size <= SM_MOST_STOOD_FOR ? size / equal[t] : SM_MOST_STOOD_FOR;
    }
    return size;
}

static bool breaks_symmetry(const struct sm_node *node)
{
    switch (node->kind) {
    case SM_NODE_SPAWN:
    case SM_NODE_JOIN:
    case SM_NODE_ARRIVE:
    case SM_NODE_RENEW:
    case SM_NODE_WAKE:
        return true;
    case SM_NODE_READ:
        return node->op >= SM_DO_COND_ENTER;
    case SM_NODE_WRITE:
        return !(node->flags & SM_NODE_LOCK) && tells_who(node->value);
    default:
        return false;
    }
}

/* A join of a thread, if a symmetric one was joined before, but not directly before. */
static bool parts_joins(const struct view *view, const struct alike *alike,
                        const struct sm_node *join, uint32_t joined)
{
    const struct sm_node *last = &view->graph->nodes[join->pred];
    return joined && !(last->kind == SM_NODE_JOIN && last->thread == join->thread &&
                       alike->leader[last->value] == alike->leader[join->value]);
}

static bool joins_member(const struct alike *alike, const struct sm_node *node)
{
    return node->kind == SM_NODE_JOIN && is_member(alike, (uint32_t)node->value);
}

/* Of each group: how many were joined, and by which join last. */
struct joined {
    uint32_t n[SM_GRAPH_THREADS], last[SM_GRAPH_THREADS];
};

/* Some threads of the group were joined, others were not, and the joining thread did not stop
   there. */
static bool joins_some(const struct sm_graph *graph, const struct alike *alike,
                       const struct joined *joined, uint32_t group, bool exits)
{
    uint32_t join = joined->last[group];
    return joined->n[group] < alike->size[group] &&
           (exits || graph->last[graph->nodes[join].thread] != join);
}

static void watch_joins(const struct view *view, const struct alike *alike, bool exits)
{
    const struct sm_graph *graph = view->graph;
    struct joined joined = {{0}, {0}};
    for (uint32_t e = 0; e < graph->n; e++) {
        const struct sm_node *node = &graph->nodes[e];
        if (!joins_member(alike, node))
            continue;
        uint32_t group = alike->leader[node->value];
        if (parts_joins(view, alike, node, joined.n[group]++))
            sm_symmetry_break(view->symmetry, (uint32_t)node->value);
        joined.last[group] = e;
    }
    for (uint32_t e = 0; e < graph->n; e++) {
        const struct sm_node *node = &graph->nodes[e];
        if (joins_member(alike, node) &&
            joins_some(graph, alike, &joined, alike->leader[node->value], exits))
            sm_symmetry_break(view->symmetry, (uint32_t)node->value);
    }
}

static void watch(const struct view *view, const struct alike *alike, bool exits)
{
    for (uint32_t e = 0; e < view->graph->n; e++) {
        const struct sm_node *node = &view->graph->nodes[e];
        if (is_member(alike, node->thread) && breaks_symmetry(node))
            sm_symmetry_break(view->symmetry, node->thread);
    }
    watch_joins(view, alike, exits);
}

/* ---- exchanged threads ---- */

/* What the thread has done and was answered so far, with one more event. */
static uint64_t add_to_history(uint64_t history, const struct sm_node *node)
{
    history = sm_mix(history, node->kind | node->op << 8 | (uint64_t)node->loc << 16 |
                                  (uint64_t)node->order << 32);
    return sm_mix(history, node->value);
}

static bool is_checked(const struct view *view, const struct alike *alike, uint32_t thread)
{
    uint64_t history = alike->leader[thread];
    for (uint32_t nth = 0; nth < view->graph->length[thread]; nth++)
        history = add_to_history(history, &view->graph->nodes[event(view, thread, nth)]);
    return sm_histories_have(&view->symmetry->histories, history);
}

static void note_checked(const struct view *view, const struct alike *alike, uint32_t thread)
{
    uint64_t history = alike->leader[thread];
    sm_histories_add(&view->symmetry->histories, history);
    for (uint32_t nth = 0; nth < view->graph->length[thread]; nth++) {
        history = add_to_history(history, &view->graph->nodes[event(view, thread, nth)]);
        sm_histories_add(&view->symmetry->histories, history);
    }
}

void sm_symmetry_checked(struct sm_symmetry *symmetry, const struct sm_graph *graph)
{
    struct view view;
    struct alike alike;
    open_view(&view, symmetry, graph);
    find_groups(&alike, &view);
    for (uint32_t t = 0; t < graph->lanes && view.any; t++)
        if (is_member(&alike, t))
            note_checked(&view, &alike, t);
    close_view(&view);
}

bool sm_symmetry_rotate(struct sm_symmetry *symmetry, const struct sm_graph *graph, uint32_t by,
                        uint8_t names[])
{
    struct view view = {.symmetry = symmetry, .graph = graph};
    struct alike alike = {{0}, {0}, {0}};
    bool any = false;
    find_symmetric(&view);
    find_groups(&alike, &view);
    for (uint32_t t = 0; t < graph->lanes; t++) {
        uint32_t size = alike.size[alike.leader[t]];
        SM_ASSERT(size > 0);
        any |= by < size;
        for (uint32_t u = 0; u < graph->lanes; u++)
            if (alike.leader[u] == alike.leader[t] && alike.nth[u] == (alike.nth[t] + by) % size)
                names[t] = (uint8_t)u;
    }
    return any;
}

/* ---- the judgement ---- */

struct sm_symmetry_judgement sm_symmetry_judge(struct sm_symmetry *symmetry,
                                               const struct sm_graph *graph, bool exits)
{
    struct sm_symmetry_judgement judgement = {.class_size = 1};
    struct view view;
    struct alike alike;
    if (!sm_option(symmetry))
        return judgement;
    open_view(&view, symmetry, graph);
    if (view.any) {
        find_groups(&alike, &view);
        watch(&view, &alike, exits);
        judgement.class_size = class_size(&view, &alike);
    }
    for (uint32_t t = 0; t < graph->lanes && view.any && !judgement.unchecked; t++)
        judgement.unchecked = is_member(&alike, t) && !is_checked(&view, &alike, t);
    close_view(&view);
    return judgement;
}
