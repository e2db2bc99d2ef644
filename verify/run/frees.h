/*
 * frees.h - memory errors where executions are enumerated.
 *
 * free() is a plain store to each location of the block by the freeing thread. So both orders of a
 * free and an unordered access are explored as for any two accesses, the trees have it, and
 * modification order tells what comes after it:
 *
 *   sc, tso, pso   an error: a read from the free or from a mo-later write, and a write
 *                  that is mo-later
 *   c11            an error: an access that does not happen before the free
 *
 * and two frees of a block are an error in any order. In a program without such errors every
 * access happens before the free, which is then the last write and is never read: no execution is
 * added.
 *
 * Under tso and pso these stores are delayed as any others, and the record FREE of the trace waits
 * behind them (accesses.c): a thread may see the block as it was after the free was executed.
 *
 * A read from a free fails at once. The other errors are checked when the graph is complete. When
 * the execution is run again its graph grows in an order in which it can happen, and the second
 * event of the pair fails.
 *
 * A function that returns does the same to its locals whose addresses escape. Their memory is
 * reused by the frames of later calls, so fewer accesses are errors: those of the thread itself,
 * and those porf-after the return, may be to another local. The errors that remain are unordered
 * with the return:
 *
 *   sc, tso, pso   an access of another thread as above, that is not after the return by porf
 *   c11            one that does not happen before the return and is not after it by porf
 *
 * and accesses of the thread to its own stack below its stack pointer. In hb and oota returns are
 * not checked.
 *
 * Private memory has no events, and accesses to it are ordered by program order, creation and
 * joining: there the state of the heap at the access decides.
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

/* A free, or the end of a local, in the state engine, which does not explore their orders: if
   another thread accesses the memory, the exploration is incomplete. */
void sm_frees_cut(const void *block, size_t size);

/* Checks an access to private memory; or one that has become a node of the graph. */
void sm_frees_private(const struct sm_event *event);
void sm_frees_shared(const struct sm_event *event, uint32_t stamp);

/* The node marks the end of a local. */
static inline bool sm_frees_is_return(const struct sm_node *node)
{
    return (node->flags & SM_NODE_FREES) && node->kind == SM_NODE_WRITE && node->op == SM_OP_RETURN;
}

/* The read reads from a free. */
bool sm_frees_is_read(const struct sm_graph *graph, uint32_t read);
/* The complete graph has an error. */
bool sm_frees_has_error(const struct sm_graph *graph);
/* The current execution is complete: if it has an error, that becomes its ending. */
void sm_frees_judge(void);

#endif
