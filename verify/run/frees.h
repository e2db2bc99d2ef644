/*
 * frees.h - memory errors where executions are enumerated.
 *
 * free() is a plain store to each location of the block, made by the thread that frees. So both
 * orders of a free and an access that nothing orders are explored as those of two accesses are, the
 * trees of threads have it, and modification order says what comes after it:
 *
 *   sc, tso, pso   an access is wrong that reads from the free or from a later write, and a write
 *                  that is later in modification order
 *   c11            an access is wrong that does not happen before the free
 *
 * and two frees of a block are wrong in any order. In a program without such an error every access
 * happens before the free, which is then the last write and is read by nobody: no execution is
 * added.
 *
 * A read from a free fails at once. The other errors are looked for when the graph is complete.
 * Where an execution is made again its graph grows in an order in which it can happen, and the
 * second event of the pair fails.
 *
 * A function that returns does the same to its locals whose addresses escape. Their memory is used
 * again, by the frames of later calls, so less is wrong: what the thread itself does, and what
 * comes after the return by program order and reads-from, may be about another local. What is left
 * has no order with the return:
 *
 *   sc, tso, pso   an access of another thread as above, that is not after the return by porf
 *   c11            one that does not happen before the return and is not after it by porf
 *
 * and accesses of the thread to its own stack, below its stack pointer. In hb and oota returns are
 * not looked at.
 *
 * Memory that is not shared has no events, and the accesses to it are ordered by program order,
 * creation and joining: there the state of the heap at the access decides.
 */
#ifndef SM_VERIFY_RUN_FREES_H
#define SM_VERIFY_RUN_FREES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/event.h"
#include "verify/graph/graph.h"

/* A block is about to be freed. */
void sm_frees_step(const void *block, size_t size);
/* A function with this local is about to return. */
void sm_frees_return(const void *local, size_t size);

/* A free, or the end of a local, in the engine of states, which does not explore their orders: if
   another thread accesses the memory, not everything is explored. */
void sm_frees_cut(const void *block, size_t size);

/* The access is to memory that is not shared; or has become a node of the graph. */
void sm_frees_private(const struct sm_event *event);
void sm_frees_shared(const struct sm_event *event, uint32_t stamp);

/* The node is the end of a local. */
static inline bool sm_frees_is_return(const struct sm_node *node)
{
    return (node->flags & SM_NODE_FREES) && node->kind == SM_NODE_WRITE && node->op == SM_OP_RETURN;
}

/* The read reads from a free. */
bool sm_frees_is_read(const struct sm_graph *graph, uint32_t read);
/* The complete graph has an error. */
bool sm_frees_has_error(const struct sm_graph *graph);
/* The execution at hand is complete: if it has an error, that is how it has ended. */
void sm_frees_judge(void);

#endif
