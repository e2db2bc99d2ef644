#include "verify/run/frees.h"

#include "analysis/memory.h"
#include "base/sys.h"
#include "runtime/blocks.h"
#include "runtime/control.h"
#include "runtime/end.h"
#include "runtime/harm.h"
#include "runtime/heap.h"
#include "runtime/module.h"
#include "runtime/step.h"
#include "runtime/thread.h"
#include "verify/exploration.h"
#include "verify/explore.h"
#include "verify/run/share.h"

enum {
    MOST_BYTES = 4096,    /* of a block, from its start: later ones are ignored */
    UNTOUCHED_BYTES = 64, /* the same for a local that nobody has accessed yet */
};

/* ---- free() ---- */

static void store(uintptr_t addr, uint8_t size, uint8_t op)
{
    struct sm_event event = {.kind = SM_EV_STORE,
                             .op = op,
                             .size = size,
                             .order = SM_ORDER_PLAIN,
                             .thread = sm_running(),
                             .addr = addr,
                             .value = 0xddddddddddddddddu,
                             .rf = SM_RF_NONE};
    sm_exploration->frees = true;
    sm_step(&event);
}

/* Once a thread is alone, only its own accesses can come after its free. */
static bool is_wanted(void)
{
    return sm_option(memory) && sm_share_threads() && !sm_share_is_alone(sm_running()->id);
}

void sm_frees_cut(const void *block, size_t size)
{
    uintptr_t start = (uintptr_t)block;
    for (uintptr_t at = 0; is_wanted() && at < size && at < MOST_BYTES; at += 8)
        if (sm_share_is_open(start + at, sm_running()->id))
            sm_control->explored.cut |= SM_CUT_BIT(FREES);
}

void sm_frees_step(const void *block, size_t size)
{
    uintptr_t start = (uintptr_t)block;
    if (!is_wanted())
        return;
    for (uintptr_t at = 0; at == 0 || (at < size && at < MOST_BYTES); at += 8) {
        struct sm_pieces pieces = sm_share_freed(start + at, at == 0);
        for (unsigned i = 0; i < pieces.n; i++)
            store(start + at + (unsigned)pieces.at[i].offset, pieces.at[i].size, SM_OP_FREE);
    }
}

/* Stores to the bytes of the piece that belong to the local: its first and last granule may hold
   others. */
static void end_piece(uintptr_t addr, size_t size, uintptr_t start, uintptr_t end)
{
    uintptr_t low = addr > start ? addr : start, high = addr + size < end ? addr + size : end;
    if (low < high)
        store(low, (uint8_t)(high - low), SM_OP_RETURN);
}

void sm_frees_return(const void *local, size_t size)
{
    uintptr_t start = (uintptr_t)local, end = start + (size < MOST_BYTES ? size : MOST_BYTES);
    if (!is_wanted())
        return;
    for (uintptr_t at = start & ~7ul; at < end; at += 8) {
        struct sm_pieces pieces = sm_share_freed(at, at < start + UNTOUCHED_BYTES);
        for (unsigned i = 0; i < pieces.n; i++)
            end_piece(at + (unsigned)pieces.at[i].offset, pieces.at[i].size, start, end);
    }
}

/* ---- errors ---- */

static bool is_free(const struct sm_node *node)
{
    return node->kind == SM_NODE_WRITE && (node->flags & SM_NODE_FREES);
}

static bool is_access(const struct sm_node *node)
{
    return node->kind == SM_NODE_READ || node->kind == SM_NODE_WRITE;
}

/* `free` is `write`, or is mo-before it. */
static bool comes_from(const struct sm_graph *graph, uint32_t write, uint32_t free)
{
    while (write != SM_NO_NODE && write != free)
        write = graph->nodes[write].mo_prev;
    return write == free;
}

/* The newest event of the thread that is in the vector; there is one. */
static uint32_t newest_known(const struct sm_graph *graph, const struct sm_vector *porf,
                             uint32_t thread)
{
    uint32_t e = graph->last[thread];
    while (graph->nodes[e].index >= porf->at[thread])
        e = graph->nodes[e].pred;
    return e;
}

/* The access may be to a local of a later call at the same address: by the thread itself, or by one
   that it could have told since. Reading from the return does not count as being told. */
static bool may_be_later(const struct sm_graph *graph, uint32_t returns, const struct sm_node *node)
{
    const struct sm_node *end = &graph->nodes[returns];
    if (node->thread == end->thread)
        return true;
    const struct sm_vector *porf =
        node->pred == SM_NO_NODE ? NULL : sm_graph_porf(graph, node->pred);
    if (!porf || !sm_vector_has(porf, end))
        return false;
    uint32_t e = newest_known(graph, porf, end->thread);
    while (e != returns &&
           (sm_frees_is_return(&graph->nodes[e]) || graph->nodes[e].kind == SM_NODE_END))
        e = graph->nodes[e].pred;
    return e != returns;
}

static bool is_error(const struct sm_graph *graph, uint32_t free, uint32_t access)
{
    const struct sm_node *node = &graph->nodes[access];
    if (free == access || !is_access(node))
        return false;
    if (sm_frees_is_return(&graph->nodes[free]) && may_be_later(graph, free, node))
        return false;
    if (is_free(node))
        return true;
    if (sm_option(model) >= SM_MODEL_C11)
        return !sm_vector_has(sm_graph_hb(graph, free), node);
    return comes_from(graph, node->kind == SM_NODE_READ ? node->rf : access, free);
}

/* The event with which this one makes an error; or SM_NO_NODE. */
static uint32_t partner_of(const struct sm_graph *graph, uint32_t stamp)
{
    const struct sm_node *node = &graph->nodes[stamp];
    uint32_t e = graph->locs[node->loc].newest;
    for (; e != SM_NO_NODE; e = graph->nodes[e].older)
        if (is_free(node) ? is_error(graph, stamp, e)
                          : is_free(&graph->nodes[e]) && is_error(graph, e, stamp))
            break;
    return e;
}

bool sm_frees_is_read(const struct sm_graph *graph, uint32_t read)
{
    const struct sm_node *node = &graph->nodes[read];
    return node->kind == SM_NODE_READ && node->rf != SM_NO_NODE &&
           is_free(&graph->nodes[node->rf]) && is_error(graph, node->rf, read);
}

struct error {
    uint32_t free, other; /* the second of the events; SM_NO_NODE: no error */
};

static struct error find_error(const struct sm_graph *graph)
{
    for (uint32_t e = 0; graph->n_frees && e < graph->n; e++) {
        uint32_t other = is_free(&graph->nodes[e]) ? partner_of(graph, e) : SM_NO_NODE;
        if (other != SM_NO_NODE)
            return (struct error){e, other};
    }
    return (struct error){SM_NO_NODE, SM_NO_NODE};
}

bool sm_frees_has_error(const struct sm_graph *graph)
{
    return find_error(graph).other != SM_NO_NODE;
}

static enum sm_failure_kind kind_of(const struct sm_node *free, const struct sm_node *other)
{
    if (sm_frees_is_return(free))
        return SM_FAILURE_STACK_USE;
    return is_free(other) ? SM_FAILURE_DOUBLE_FREE : SM_FAILURE_USE_AFTER_FREE;
}

void sm_frees_judge(void)
{
    const struct sm_graph *graph = sm_graph_now();
    if (!sm_exploration->frees || sm_end_is_failure((int)sm_control->end) ||
        sm_control->end == SM_END_ASSUME)
        return;
    struct error error = find_error(graph);
    if (error.other == SM_NO_NODE)
        return;
    const struct sm_node *node = &graph->nodes[error.other];
    sm_control->end = SM_END_HARM;
    sm_control->status = (int)kind_of(&graph->nodes[error.free], node);
    sm_control->end_thread = node->thread;
    sm_control->end_site = node->site;
    sm_format(sm_control->detail, sizeof sm_control->detail, "%s", "freed memory");
}

/* ---- events ---- */

static void free_used(const struct sm_event *event, const struct sm_node *access)
{
    struct sm_harm_place places[SM_BLOCK_PLACES + 1];
    uint32_t n = sm_memory_places(event->addr, places);
    places[n++] = (struct sm_harm_place){.role = SM_ROLE_ACCESSED,
                                         .thread = access->thread,
                                         .site = sm_site_by_number(access->site)};
    if (event->op == SM_OP_RETURN)
        sm_harm(SM_FAILURE_STACK_USE, event->addr, places, n,
                "a function returns while an access of another thread to its local is not ordered "
                "before that");
    else if (is_free(access))
        sm_harm(SM_FAILURE_DOUBLE_FREE, event->addr, places, n - 1,
                "free of a block that was freed");
    else
        sm_harm(SM_FAILURE_USE_AFTER_FREE, event->addr, places, n,
                "free of a block while an access of another thread is not ordered before it");
}

void sm_frees_shared(const struct sm_event *event, uint32_t stamp)
{
    const struct sm_graph *graph = sm_graph_now();
    if (sm_option(memory) && !sm_op_ends_memory(event->op))
        sm_memory_check_frames(event);
    if (!sm_exploration->frees)
        return;
    uint32_t partner = SM_NO_NODE;
    if (sm_exploring != SM_EXPLORE_ALL)
        partner = partner_of(graph, stamp);
    else if (sm_frees_is_read(graph, stamp))
        partner = graph->nodes[stamp].rf;
    if (partner == SM_NO_NODE)
        return;
    if (is_free(&graph->nodes[stamp]))
        free_used(event, &graph->nodes[partner]);
    else if (sm_frees_is_return(&graph->nodes[partner]))
        sm_memory_report_returned(event);
    else
        sm_memory_report_freed(event);
}

/* The block may be one that another thread is yet to allocate in this run. */
void sm_frees_private(const struct sm_event *event)
{
    uintptr_t start;
    size_t size;
    if (!sm_option(memory) || sm_share_grew())
        return;
    sm_memory_check_frames(event);
    if (!sm_memory_is_wrong(event) || sm_heap_look(event->addr, &start, &size) == SM_HEAP_BAD)
        return;
    sm_memory_report(event);
}
