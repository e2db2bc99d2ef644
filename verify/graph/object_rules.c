/* object_rules.c - what the operations of each kind of object make of its state. */
#include <limits.h>

#include "verify/graph/graph.h"
#include "verify/graph/objects.h"

enum { HALF = 32, ONCE_DONE = 2 };
static const uint64_t writer = 1ull << 63;

static enum sm_step take(uint64_t *next, uint64_t value)
{
    *next = value;
    return SM_STEP_TAKES;
}

bool sm_cond_is_woken(uint64_t state, uint32_t thread)
{
    return state >> (HALF + thread) & 1;
}

static enum sm_step signal_step(uint64_t state, uint64_t chosen, uint64_t *next)
{
    uint64_t waiting = state & UINT32_MAX, bit = 1ull << (chosen - 1);
    if (chosen == 0)
        return waiting ? SM_STEP_WAITS : SM_STEP_PASSES;
    return waiting & bit ? take(next, (state & ~bit) | bit << HALF) : SM_STEP_WAITS;
}

enum { ARRIVED = 0, RELEASED = 16, SERIAL = 32, THREADS_MASK = 0xffff };
enum { ARG_NEEDED = 8, ARG_SERIAL = 16, ARG_MASK = 0xff };

uint64_t sm_barrier_argument(uint32_t thread, uint32_t needed)
{
    return thread | (uint64_t)needed << ARG_NEEDED;
}

static uint64_t arrived(uint64_t state, uint64_t arg)
{
    return (state >> ARRIVED & THREADS_MASK) | 1ull << (arg & ARG_MASK);
}

static bool is_last(uint64_t state, uint64_t arg)
{
    return (uint64_t)__builtin_popcountll(arrived(state, arg)) >= (arg >> ARG_NEEDED & ARG_MASK);
}

static enum sm_step arrive_step(uint64_t state, uint64_t arg, uint64_t *next)
{
    uint64_t all = arrived(state, arg), serial = arg >> ARG_SERIAL;
    if (!is_last(state, arg))
        return take(next, state | all << ARRIVED);
    return take(next, (state & ~(uint64_t)THREADS_MASK) | all << RELEASED |
                          1ull << (SERIAL + serial - 1));
}

static enum sm_step depart_step(uint64_t state, uint64_t thread, uint64_t *next)
{
    uint64_t bit = 1ull << thread;
    return state & bit << RELEASED ? take(next, state & ~(bit << RELEASED | bit << SERIAL))
                                   : SM_STEP_WAITS;
}

enum sm_step sm_object_step(enum sm_object_op op, uint64_t state, uint64_t arg, uint64_t *next)
{
    switch (op) {
    case SM_DO_LOCK:
    case SM_DO_SPIN:
    case SM_DO_BLOCK:
    case SM_DO_SHARE:
        return state ? SM_STEP_WAITS : take(next, 1);
    case SM_DO_READ_LOCK:
        return state == writer ? SM_STEP_WAITS : take(next, state + 1);
    case SM_DO_READ_UNLOCK:
        return take(next, state - 1);
    case SM_DO_WRITE_LOCK:
        return state ? SM_STEP_WAITS : take(next, writer);
    case SM_DO_SEM_WAIT:
        return state ? take(next, state - 1) : SM_STEP_WAITS;
    case SM_DO_SEM_POST:
        return state == SEM_VALUE_MAX ? SM_STEP_FAILS : take(next, state + 1);
    case SM_DO_ONCE:
        return state == 0 ? take(next, 1) : state == ONCE_DONE ? SM_STEP_PASSES : SM_STEP_WAITS;
    case SM_DO_COND_ENTER:
        return take(next, (state | 1ull << arg) & ~(1ull << (HALF + arg)));
    case SM_DO_COND_LEAVE:
        return sm_cond_is_woken(state, (uint32_t)arg) ? take(next, state & ~(1ull << (HALF + arg)))
                                                      : SM_STEP_WAITS;
    case SM_DO_COND_LEAVE_TIMED:
        return take(next, state & ~(1ull << arg));
    case SM_DO_COND_SIGNAL:
        return signal_step(state, arg, next);
    case SM_DO_COND_BROADCAST:
        return state & UINT32_MAX ? take(next, (state | state << HALF) & ~(uint64_t)UINT32_MAX)
                                  : SM_STEP_PASSES;
    case SM_DO_COND_DESTROY:
        return state & UINT32_MAX ? SM_STEP_WAITS : SM_STEP_PASSES;
    case SM_DO_BARRIER_ARRIVE:
        return arrive_step(state, arg, next);
    case SM_DO_BARRIER_DEPART:
        return depart_step(state, arg, next);
    default:
        return SM_STEP_PASSES;
    }
}

bool sm_object_gives(enum sm_object_op op)
{
    return op == SM_DO_NOTHING || op == SM_DO_SEM_POST || op == SM_DO_READ_UNLOCK;
}

uint64_t sm_object_told(enum sm_object_op op, enum sm_step step, uint64_t state, uint64_t arg)
{
    switch (op) {
    case SM_DO_SEM_VALUE:
        return state;
    case SM_DO_COND_LEAVE_TIMED:
        return sm_cond_is_woken(state, (uint32_t)arg);
    case SM_DO_BARRIER_DEPART:
        return state >> (SERIAL + arg) & 1;
    case SM_DO_COND_SIGNAL:
    case SM_DO_COND_BROADCAST:
    case SM_DO_BARRIER_ARRIVE:
        return 0;
    default:
        return step;
    }
}

uint32_t sm_object_candidates(enum sm_object_op op, uint64_t state, uint64_t arg)
{
    if (op == SM_DO_COND_SIGNAL)
        return (uint32_t)state;
    return op == SM_DO_BARRIER_ARRIVE && is_last(state, arg) ? (uint32_t)arrived(state, arg) : 0;
}

uint64_t sm_object_pick(enum sm_object_op op, uint64_t arg, uint32_t thread)
{
    if (op == SM_DO_COND_SIGNAL)
        return thread;
    return op == SM_DO_BARRIER_ARRIVE ? arg | (uint64_t)thread << ARG_SERIAL : arg;
}

/* Each state that lets it go on, but for the newest, was taken by another one. */
static bool takes_its_turn(enum sm_object_op op)
{
    return op != SM_DO_NOTHING && op < SM_DO_COND_ENTER;
}

/* It could still do its operation in the place of one that was done: that revisits the read of the
   other one, if it may take back all that came later. The write that a waiting thread's older read
   reads from it may not (is_dull in revisit.c): so that must come later, and must not be needed. */
bool sm_object_comes_behind(const struct sm_graph *graph, const struct sm_awaiting *waits,
                            uint16_t given)
{
    uint32_t seen = graph->locs[given].mo_last, last = graph->last[waits->thread];
    const struct sm_node *kept = &graph->nodes[seen];
    if (waits->loc == given)
        return true;
    if (!takes_its_turn(waits->op) || seen == SM_NO_NODE || last == SM_NO_NODE ||
        sm_vector_has(&graph->clocks[last].porf, kept))
        return false;
    for (uint32_t e = graph->locs[waits->loc].newest; e != SM_NO_NODE; e = graph->nodes[e].older) {
        const struct sm_node *node = &graph->nodes[e];
        uint64_t unused;
        bool revisited = node->kind == SM_NODE_READ &&
                         !sm_vector_has(&graph->clocks[last].porf, node) && e > seen;
        bool needs_it =
            node->kind == SM_NODE_WRITE && sm_vector_has(&graph->clocks[e].porf, kept) &&
            sm_object_step(waits->op, node->value, waits->arg, &unused) != SM_STEP_WAITS;
        if (revisited || needs_it)
            return false;
    }
    return true;
}
