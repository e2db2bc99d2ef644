/*
 * loops.c - see loops.h.
 *
 * A depth-first search finds the edges that lead back to a block still on its stack; every cycle
 * has one. Those with one target make a loop: its body is what reaches them without passing the
 * target. If that walk arrives at the function's entry, the target does not dominate its body (a
 * goto into the loop), and the loop is counted unconditionally. No dominator tree is needed, which
 * the C API lacks.
 */
#include "plugin/loops.h"

#include "plugin/llvm_gaps.h"

#include <stdlib.h>

struct back_edge {
    size_t from, to;
};

struct flow_graph { /* the function's blocks, by number; the entry is 0 */
    LLVMBasicBlockRef *blocks;
    size_t n_blocks;
    struct sm_map numbers; /* block -> number */
    struct back_edge *back_edges;
    size_t n_back_edges, room_back_edges;
};

struct loop {
    const struct flow_graph *graph;
    size_t header;
    size_t n_latches;
    bool *inside; /* by block number */
    size_t *body; /* the numbers of those inside */
    size_t n_body;
    bool irreducible;
};

static void graph_init(struct flow_graph *graph, LLVMValueRef function)
{
    *graph = (struct flow_graph){.n_blocks = LLVMCountBasicBlocks(function)};
    graph->blocks = sm_allocate(graph->n_blocks * sizeof *graph->blocks);
    LLVMGetBasicBlocks(function, graph->blocks);
    for (size_t i = 0; i < graph->n_blocks; i++)
        *sm_map_at(&graph->numbers, graph->blocks[i]) = i;
}

static void graph_free(struct flow_graph *graph)
{
    free(graph->blocks);
    free(graph->back_edges);
    sm_map_free(&graph->numbers);
}

static size_t number_of(const struct flow_graph *graph, LLVMBasicBlockRef block)
{
    return sm_map_get(&graph->numbers, block);
}

static void add_back_edge(struct flow_graph *graph, size_t from, size_t to)
{
    graph->back_edges = sm_grow(graph->back_edges, graph->n_back_edges, &graph->room_back_edges,
                                sizeof *graph->back_edges);
    graph->back_edges[graph->n_back_edges++] = (struct back_edge){from, to};
}

enum colour { UNVISITED, ON_STACK, FINISHED };

struct dfs_frame {
    size_t block;
    unsigned next; /* successor to look at */
};

static void find_back_edges(struct flow_graph *graph)
{
    unsigned char *colour = sm_allocate(graph->n_blocks);
    struct dfs_frame *stack = sm_allocate(graph->n_blocks * sizeof *stack);
    size_t depth = 1;
    colour[0] = ON_STACK;
    while (depth) {
        struct dfs_frame *top = &stack[depth - 1];
        LLVMValueRef terminator = LLVMGetBasicBlockTerminator(graph->blocks[top->block]);
        if (top->next == LLVMGetNumSuccessors(terminator)) {
            colour[top->block] = FINISHED;
            depth--;
            continue;
        }
        size_t next = number_of(graph, LLVMGetSuccessor(terminator, top->next++));
        if (colour[next] == ON_STACK)
            add_back_edge(graph, top->block, next);
        if (colour[next] != UNVISITED)
            continue;
        colour[next] = ON_STACK;
        stack[depth++] = (struct dfs_frame){next, 0};
    }
    free(colour);
    free(stack);
}

/* The body of a loop. */

static void include(struct loop *loop, size_t block)
{
    if (loop->inside[block])
        return;
    loop->inside[block] = true;
    loop->body[loop->n_body++] = block;
    if (block == 0)
        loop->irreducible = true;
}

static void include_predecessors(struct loop *loop, size_t block)
{
    LLVMValueRef value = LLVMBasicBlockAsValue(loop->graph->blocks[block]);
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAInstruction(user) && LLVMIsATerminatorInst(user))
            include(loop, number_of(loop->graph, LLVMGetInstructionParent(user)));
    }
}

static void loop_init(struct loop *loop, const struct flow_graph *graph, size_t header)
{
    *loop = (struct loop){.graph = graph, .header = header};
    loop->inside = sm_allocate(graph->n_blocks * sizeof *loop->inside);
    loop->body = sm_allocate(graph->n_blocks * sizeof *loop->body);
    include(loop, header);
    for (size_t i = 0; i < graph->n_back_edges; i++) {
        if (graph->back_edges[i].to == header) {
            include(loop, graph->back_edges[i].from);
            loop->n_latches++;
        }
    }
    for (size_t i = 1; i < loop->n_body && !loop->irreducible; i++)
        include_predecessors(loop, loop->body[i]);
}

static void loop_free(struct loop *loop)
{
    free(loop->inside);
    free(loop->body);
}

/* What its exits depend on. */

struct slice { /* values the decision to leave is computed from */
    const struct loop *loop;
    struct sm_map seen;
    LLVMValueRef *pending;
    size_t n_pending, room_pending;
    bool has_all_conditions;
};

static bool is_inside(const struct loop *loop, LLVMValueRef value)
{
    return LLVMIsAInstruction(value) &&
           loop->inside[number_of(loop->graph, LLVMGetInstructionParent(value))];
}

static void slice_add(struct slice *slice, LLVMValueRef value)
{
    if (!is_inside(slice->loop, value) || sm_map_get(&slice->seen, value))
        return;
    *sm_map_at(&slice->seen, value) = 1;
    slice->pending =
        sm_grow(slice->pending, slice->n_pending, &slice->room_pending, sizeof *slice->pending);
    slice->pending[slice->n_pending++] = value;
}

/* The value that decides a block's branch; the terminator itself if that is not a plain branch. */
static LLVMValueRef decision(LLVMBasicBlockRef block)
{
    LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
    if (LLVMGetInstructionOpcode(terminator) == LLVMBr)
        return LLVMIsConditional(terminator) ? LLVMGetCondition(terminator) : NULL;
    if (LLVMGetInstructionOpcode(terminator) == LLVMSwitch)
        return LLVMGetOperand(terminator, 0);
    return LLVMGetNumSuccessors(terminator) ? terminator : NULL;
}

/* Which value a phi takes is decided by the branches on the way to it. All branches of the loop are
 * used: a safe over-approximation. */
static void add_all_conditions(struct slice *slice)
{
    const struct loop *loop = slice->loop;
    if (slice->has_all_conditions)
        return;
    slice->has_all_conditions = true;
    for (size_t i = 0; i < loop->n_body; i++) {
        LLVMValueRef condition = decision(loop->graph->blocks[loop->body[i]]);
        if (condition)
            slice_add(slice, condition);
    }
}

static void slice_expand(struct slice *slice, LLVMValueRef value)
{
    const struct loop *loop = slice->loop;
    size_t block = number_of(loop->graph, LLVMGetInstructionParent(value));
    bool carried = block == loop->header && loop->n_latches == 1; /* no branch decides it */
    if (LLVMIsAPHINode(value) && !carried)
        add_all_conditions(slice);
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        slice_add(slice, LLVMGetOperand(value, (unsigned)i));
}

static bool comes_from_outside(LLVMValueRef value)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    return sm_touches_memory(value) || opcode == LLVMLandingPad || opcode == LLVMIndirectBr ||
           opcode == LLVMInvoke || opcode == LLVMCallBr;
}

static bool slice_depends_on_others(struct slice *slice)
{
    while (slice->n_pending) {
        LLVMValueRef value = slice->pending[--slice->n_pending];
        if (comes_from_outside(value))
            return true;
        slice_expand(slice, value);
    }
    return false;
}

static bool leaves(const struct loop *loop, LLVMBasicBlockRef block)
{
    LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++)
        if (!loop->inside[number_of(loop->graph, LLVMGetSuccessor(terminator, i))])
            return true;
    return false;
}

static bool others_can_prolong(const struct loop *loop)
{
    struct slice slice = {.loop = loop};
    bool has_exit = false;
    for (size_t i = 0; i < loop->n_body; i++) {
        LLVMBasicBlockRef block = loop->graph->blocks[loop->body[i]];
        if (!leaves(loop, block))
            continue;
        has_exit = true;
        slice_add(&slice, decision(block));
    }
    bool answer = loop->irreducible || !has_exit || slice_depends_on_others(&slice);
    sm_map_free(&slice.seen);
    free(slice.pending);
    return answer;
}

/* Calls `show` once for each loop that another thread can prolong. */
static void each_waiting_loop(struct flow_graph *graph,
                              void (*show)(void *context, const struct loop *loop), void *context)
{
    bool *decided = sm_allocate(graph->n_blocks * sizeof *decided);
    find_back_edges(graph);
    for (size_t i = 0; i < graph->n_back_edges; i++) {
        size_t header = graph->back_edges[i].to;
        struct loop loop;
        if (decided[header])
            continue;
        decided[header] = true;
        loop_init(&loop, graph, header);
        if (others_can_prolong(&loop))
            show(context, &loop);
        loop_free(&loop);
    }
    free(decided);
}

static void count_latches(void *counted, const struct loop *loop)
{
    const struct flow_graph *graph = loop->graph;
    for (size_t i = 0; i < graph->n_back_edges; i++)
        if (graph->back_edges[i].to == loop->header)
            ((bool *)counted)[graph->back_edges[i].from] = true;
}

size_t sm_find_latches(LLVMValueRef function, LLVMValueRef **latches)
{
    struct flow_graph graph;
    graph_init(&graph, function);
    bool *counted = sm_allocate(graph.n_blocks * sizeof *counted);
    size_t n = 0;
    each_waiting_loop(&graph, count_latches, counted);
    *latches = sm_allocate(graph.n_back_edges * sizeof **latches);
    for (size_t i = 0; i < graph.n_blocks; i++)
        if (counted[i])
            (*latches)[n++] = LLVMGetBasicBlockTerminator(graph.blocks[i]);
    free(counted);
    graph_free(&graph);
    return n;
}

size_t sm_find_back_edges(LLVMValueRef function, LLVMValueRef **terminators)
{
    struct flow_graph graph;
    graph_init(&graph, function);
    find_back_edges(&graph);
    size_t n = graph.n_back_edges;
    *terminators = sm_allocate(n * sizeof **terminators);
    for (size_t i = 0; i < n; i++)
        (*terminators)[i] = LLVMGetBasicBlockTerminator(graph.blocks[graph.back_edges[i].from]);
    graph_free(&graph);
    return n;
}

struct waiting_loops {
    struct sm_waiting_loop *all;
    size_t n, room;
};

static void keep_loop(void *context, const struct loop *loop)
{
    struct waiting_loops *loops = context;
    if (loop->irreducible)
        return;
    struct sm_waiting_loop kept = {.header = loop->graph->blocks[loop->header],
                                   .n_body = loop->n_body};
    kept.body = sm_allocate(loop->n_body * sizeof *kept.body);
    for (size_t i = 0; i < loop->n_body; i++)
        kept.body[i] = loop->graph->blocks[loop->body[i]];
    loops->all = sm_grow(loops->all, loops->n, &loops->room, sizeof *loops->all);
    loops->all[loops->n++] = kept;
}

size_t sm_find_waiting_loops(LLVMValueRef function, struct sm_waiting_loop **loops)
{
    struct flow_graph graph;
    struct waiting_loops found = {0};
    graph_init(&graph, function);
    each_waiting_loop(&graph, keep_loop, &found);
    graph_free(&graph);
    *loops = found.all;
    return found.n;
}

void sm_free_waiting_loops(struct sm_waiting_loop *loops, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(loops[i].body);
    free(loops);
}

bool sm_is_in_loop(const struct sm_waiting_loop *loop, LLVMBasicBlockRef block)
{
    for (size_t i = 0; i < loop->n_body; i++)
        if (loop->body[i] == block)
            return true;
    return false;
}
