#include "verify/results/prints.h"

#include <string.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/restart.h"
#include "runtime/sched/sched.h"
#include "verify/exploration.h"
#include "verify/explore.h"
#include "verify/graph/order.h"
#include "verify/graph/threads.h"
#include "verify/pool.h"
#include "verify/results/outcomes.h"
#include "verify/run/run.h"
#include "verify/run/share.h"
#include "verify/states/paths.h"

/* n pieces need n * n bytes; n threads that print once have n! orders. */
enum { MOST_PIECES = 256, MOST_PRINTED_ORDERS = 5040 };

/* Positions in the two texts: standard output, and that of stalemate_outcome. */
struct text_mark {
    size_t output, outcome;
};

struct text_piece {
    uint32_t thread;
    uint32_t position; /* events of the thread before it */
    uint32_t threads;  /* that were created before it */
    struct text_mark begin;
};

static sm_threads *printers; /* in any execution */
static struct text_piece *pieces;
static uint32_t n_pieces, capacity;
static struct text_mark left; /* when the running thread began to run */
static bool unannounced;      /* a piece may be of several calls */

void sm_prints_start(void)
{
    printers = sm_pool_get(sizeof *printers);
    *printers = 0;
}

void sm_prints_begin(void)
{
    pieces = NULL;
    n_pieces = capacity = 0;
    left = (struct text_mark){0};
    unannounced = false;
}

static struct text_mark written(void)
{
    const char *unused;
    return (struct text_mark){sm_restart_written(&unused), sm_control->outcome_bytes};
}

static void add_piece(uint32_t thread, struct text_mark begin)
{
    pieces = sm_grow(pieces, &capacity, n_pieces, sizeof *pieces);
    uint32_t position = sm_paths_on() ? 0 : sm_run_position(thread);
    pieces[n_pieces++] = (struct text_piece){thread, position, sm_share_thread_count(), begin};
    *printers |= sm_threads_of(thread);
}

/* What a call has printed that nobody intercepts (putchar_unlocked). */
static void find_unannounced(uint32_t thread)
{
    struct text_mark now = written();
    bool more = now.output != left.output || now.outcome != left.outcome;
    bool known = n_pieces && pieces[n_pieces - 1].thread == thread &&
                 pieces[n_pieces - 1].begin.output >= left.output &&
                 pieces[n_pieces - 1].begin.outcome >= left.outcome;
    if (!more || known)
        return;
    unannounced = true;
    add_piece(thread, left);
}

void sm_prints_note(void)
{
    uint32_t thread = sm_running()->id;
    find_unannounced(thread);
    add_piece(thread, written());
}

void sm_prints_switch(uint32_t from)
{
    find_unannounced(from);
    left = written();
}

/* For the state engine, which has no graph: the thread was created after that by the other one, or
   has joined it. */
static bool is_known_first(const struct text_piece *first, const struct sm_thread *thread)
{
    const struct sm_thread *then = sm_thread_by_id(first->thread);
    bool created = thread->parent == then->id && thread->id >= first->threads;
    return thread == then || created || (then->joined && then->joined_by == thread->id);
}

/* The program may end before the thread prints. */
static bool may_be_late(const struct sm_thread *thread)
{
    const struct sm_thread *last = sm_thread_by_id(sm_control->end_thread);
    return sm_threads_have(*printers, thread->id) && thread != last && !last->exited &&
           !(thread->joined && thread->joined_by == last->id);
}

static bool are_in_one_order(void)
{
    for (const struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        if (may_be_late(t))
            return false;
    for (uint32_t i = 0; i < n_pieces; i++)
        for (uint32_t k = 0; k < i; k++)
            if (!is_known_first(&pieces[k], sm_thread_by_id(pieces[i].thread)))
                return false;
    return true;
}

/* ---- orders ---- */

/* before[b * n + a]: piece a comes before piece b; from b = n on, before the nth end of the
   program. Threads that are about to end it are not ordered. */
struct orders {
    uint32_t n, n_ends, found;
    bool *before;
    bool used[MOST_PIECES];
    uint16_t order[MOST_PIECES];
    char *text;
    uint32_t number;
};

static struct text_mark end_of(uint32_t piece)
{
    return piece + 1 < n_pieces ? pieces[piece + 1].begin : written();
}

static void append(char **to, const char *text, size_t begin, size_t end)
{
    memcpy(*to, text + begin, end - begin);
    *to += end - begin;
}

/* Of the first pieces of the order. */
static void add_outcome(struct orders *orders, uint32_t placed)
{
    const char *output;
    char *to = orders->text;
    sm_restart_written(&output);
    for (uint32_t i = 0; i < placed; i++) {
        uint32_t piece = orders->order[i];
        append(&to, output, pieces[piece].begin.output, end_of(piece).output);
    }
    for (uint32_t i = 0; i < placed; i++) {
        uint32_t piece = orders->order[i];
        append(&to, sm_control->outcome, pieces[piece].begin.outcome, end_of(piece).outcome);
    }
    orders->number = sm_outcomes_add(orders->text, (size_t)(to - orders->text));
}

static bool may_follow(const struct orders *orders, uint32_t b)
{
    for (uint32_t a = 0; a < orders->n; a++)
        if (!orders->used[a] && orders->before[b * orders->n + a])
            return false;
    return true;
}

static bool may_end(const struct orders *orders)
{
    for (uint32_t end = 0; end < orders->n_ends; end++)
        if (may_follow(orders, orders->n + end))
            return true;
    return false;
}

/* False: there are too many. */
static bool extend(struct orders *orders, uint32_t placed)
{
    if (may_end(orders)) {
        add_outcome(orders, placed);
        orders->found++;
    }
    for (uint32_t piece = 0; piece < orders->n && orders->found < MOST_PRINTED_ORDERS; piece++) {
        if (orders->used[piece] || !may_follow(orders, piece))
            continue;
        orders->order[placed] = (uint16_t)piece;
        orders->used[piece] = true;
        extend(orders, placed + 1);
        orders->used[piece] = false;
    }
    return orders->found < MOST_PRINTED_ORDERS;
}

/* The nth event of the thread; SM_NO_NODE: it has fewer. */
static uint32_t event_of(const struct sm_graph *graph, uint32_t thread, uint32_t nth)
{
    for (uint32_t e = 0; e < graph->n; e++)
        if (graph->nodes[e].thread == thread && graph->nodes[e].index == nth)
            return e;
    return SM_NO_NODE;
}

/* The event before the piece: of the thread, or its creation. */
static uint32_t event_before(const struct sm_graph *graph, const struct text_piece *piece)
{
    if (piece->position)
        return event_of(graph, piece->thread, piece->position - 1);
    uint32_t first = event_of(graph, piece->thread, 0);
    return first == SM_NO_NODE ? sm_graph_last(graph, piece->thread) : graph->nodes[first].pred;
}

/* Which pieces come before one, or before the end of the program at that place (row n). */
static void find_before(struct orders *orders, uint32_t row, const struct text_piece *of)
{
    const struct sm_graph *graph = sm_graph_now();
    size_t size = 2ul * graph->n + 1;
    bool *past = memset(sm_pool_get(size), 0, size);
    uint32_t last = event_before(graph, of);
    if (last != SM_NO_NODE)
        sm_order_past(graph, last, past);
    for (uint32_t a = 0; a < orders->n; a++) {
        uint32_t next = event_of(graph, pieces[a].thread, pieces[a].position);
        bool same = pieces[a].thread == of->thread;
        orders->before[row * orders->n + a] = same ? a < row : next != SM_NO_NODE && past[2 * next];
    }
    sm_pool_put(past, size);
}

/* The last of several threads ends the program when all have ended. */
static void find_ends(struct orders *orders)
{
    uint32_t ender = sm_control->end_thread;
    bool all = sm_thread_by_id(ender)->exited;
    for (const struct sm_thread *t = sm_thread_by_id(0); t; t = t->next) {
        uint32_t row = orders->n + orders->n_ends;
        if (t->id != ender && !sm_explore_is_exiting(t))
            continue;
        orders->n_ends++;
        if (all)
            memset(orders->before + row * orders->n, 1, orders->n);
        else
            find_before(orders, row, &(struct text_piece){t->id, sm_run_position(t->id), 0, {0}});
    }
}

static uint32_t add_in_each_order(size_t size)
{
    struct orders orders = {.n = n_pieces};
    size_t room = (size_t)n_pieces * (n_pieces + SM_GRAPH_THREADS);
    orders.before = sm_pool_get(room);
    orders.text = sm_pool_get(size + 1);
    for (uint32_t piece = 0; piece < n_pieces; piece++)
        find_before(&orders, piece, &pieces[piece]);
    find_ends(&orders);
    bool all = extend(&orders, 0);
    if (!all || unannounced)
        sm_control->explored.cut |= SM_CUT_BIT(PRINTED);
    sm_pool_put(orders.before, room);
    sm_pool_put(orders.text, size + 1);
    return orders.number;
}

static uint32_t add_as_it_is(const char *output, size_t size)
{
    size_t both = size + sm_control->outcome_bytes;
    char *text = sm_pool_get(both + 1);
    memcpy(text, output, size);
    memcpy(text + size, sm_control->outcome, sm_control->outcome_bytes);
    uint32_t number = sm_outcomes_add(text, both);
    sm_pool_put(text, both + 1);
    return number;
}

/* More than one thread prints or ends the program. */
static bool are_of_several(void)
{
    bool several = false;
    for (const struct sm_thread *t = sm_thread_by_id(0); t && n_pieces; t = t->next)
        several |= t->id != pieces[0].thread && sm_explore_is_exiting(t);
    for (uint32_t i = 0; i < n_pieces; i++)
        several |= pieces[i].thread != sm_control->end_thread;
    return several;
}

uint32_t sm_prints_add_outcomes(void)
{
    const char *output;
    sm_outcomes_begin();
    sm_prints_switch(sm_control->end_thread);
    size_t size = sm_restart_written(&output);
    uint32_t number = 0;
    bool one = sm_paths_on() ? are_in_one_order() : !are_of_several();
    if (!one && !sm_paths_on() && n_pieces <= MOST_PIECES)
        number = add_in_each_order(size + sm_control->outcome_bytes);
    else if (!one)
        sm_control->explored.cut |= SM_CUT_BIT(PRINTED);
    if (!number) /* also if the graph has no order */
        number = add_as_it_is(output, size);
    sm_restart_output(&output);
    return number;
}
