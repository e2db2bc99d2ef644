/*
 * graph.h - an execution as a graph: events, program order, reads-from, modification order.
 *
 * Events are stored in the order in which they were added (their stamps). A read or a write is a
 * node; a read-modify-write is two, the second directly after the first in its thread. Each node
 * has two vector clocks, computed when it is added: its prefix by program order and reads-from
 * (porf), and by happens-before (hb), itself included. The vectors of a graph have as many lanes as
 * it needs for its threads, 8 at first: with 128 lanes the clocks of a small test would be 16 times
 * as large, and as slow.
 *
 * The reads-from of an event changes only while nothing follows it, so clocks never go stale.
 */
#ifndef SM_VERIFY_GRAPH_GRAPH_H
#define SM_VERIFY_GRAPH_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "core/order.h"
#include "verify/results/parcel.h"

enum { SM_GRAPH_THREADS = 128, SM_GRAPH_LENGTH = UINT16_MAX };

#define SM_NO_NODE UINT32_MAX /* rf: the initial value; modification order: the front */

enum sm_node_kind {
    SM_NODE_READ,
    SM_NODE_WRITE,
    SM_NODE_FENCE,
    SM_NODE_SPAWN,
    SM_NODE_END,
    SM_NODE_JOIN,
    SM_NODE_CHOICE,
    SM_NODE_ARRIVE, /* barrier */
    SM_NODE_DEPART, /* barrier; after the arrivals of its round */
    SM_NODE_WAKE,   /* condition: after the signal, which is its rf */
    SM_NODE_RENEW,  /* barrier: initialised or destroyed (run/misuses.h) */
};

enum sm_node_flag {
    SM_NODE_EXCLUSIVE = 1 << 0, /* read: a read-modify-write; its write comes next */
    SM_NODE_RMW = 1 << 1,       /* write: of a read-modify-write */
    SM_NODE_LOCK = 1 << 2,      /* of a synchronisation object */
    SM_NODE_BLOCKED = 1 << 3,   /* read: the thread waits for another value */
    SM_NODE_CAS = 1 << 4,       /* read: of a compare-exchange */
    SM_NODE_REVISITS = 1 << 5,  /* write: a read that was added before it reads, or has read, from
                                   it */
    SM_NODE_FREES = 1 << 7,     /* write: the memory is freed, or the function returns */
    SM_NODE_JOINED = 1 << 6,    /* one atomic step with its thread's previous event (order.h) */
};

/* Those of a graph have only `lanes` of them. */
struct sm_vector {
    uint16_t at[SM_GRAPH_THREADS];
};
enum { SM_FIRST_LANES = 8 }; /* lanes are a multiple of this */

struct sm_node {
    uint8_t kind, order, flags, thread;
    uint16_t index; /* in its thread */
    uint16_t loc;   /* accesses, barriers: number of the location */
    uint64_t value; /* read, written or chosen; barrier: the round */
    uint32_t rf;    /* read: the write; join: the end; wake: the signal; choice: how many answers */
    uint32_t pred;  /* po-predecessor, or the creation of the thread */
    uint32_t mo_prev, mo_next;      /* write */
    uint32_t older;                 /* previous node at the same location, by stamp */
    uint32_t site;                  /* number of its place in the program, or SM_NO_SITE */
    uint8_t order_done, order_fail; /* compare-exchange, objects: `order` on success, failure */
    uint8_t op;     /* objects, read: enum sm_object_op; SM_NODE_FREES: SM_OP_FREE, SM_OP_RETURN */
    bool at_once;   /* the thread does it together with its previous event: SM_LOCAL_AT_ONCE */
    uint32_t local; /* its event in the tree of its thread (learn.h); 0: not known */
    uint32_t after; /* what the thread does next (walk.c); 0: not known */
    uint64_t expected; /* compare-exchange: the expected value; objects: argument */
};

/* The vectors of each node; separate, because most code that looks at nodes does not look at them.
   MESSAGE, of a write: what an acquire read of it synchronises with. */
enum sm_graph_clock_kind { SM_CLOCK_PORF, SM_CLOCK_HB, SM_CLOCK_MESSAGE, SM_CLOCKS };

struct sm_loc {
    uint32_t mo_last; /* newest write */
    uint32_t newest;  /* newest node, by stamp */
    uint64_t initial;
};

struct sm_graph {
    uint32_t n, capacity;
    uint32_t n_locs, loc_capacity;
    uint32_t n_sc;      /* seq_cst accesses and fences */
    uint32_t n_plain;   /* accesses that are neither atomic nor of an object */
    uint32_t n_frees;   /* SM_NODE_FREES */
    uint32_t n_ordered; /* so many first events are sequentially consistent (sm_axioms_order); 0:
                           not known */
    uint32_t n_tangled; /* so many first events are not: their po, rf, mo and fr have a cycle; 0:
                           not known */
    uint32_t forest;    /* which trees its nodes point to: sm_learn_forest */
    uint32_t lanes;     /* threads have smaller numbers */
    struct sm_node *nodes;
    uint16_t *clocks; /* sm_graph_clock */
    struct sm_loc *locs;
    uint32_t *last;   /* newest node of each thread, or its creation: sm_graph_last */
    uint16_t *length; /* nodes of each thread */
};

static inline struct sm_vector *sm_graph_clock(const struct sm_graph *graph, uint32_t e,
                                               enum sm_graph_clock_kind clock)
{
    return (struct sm_vector *)(graph->clocks + ((size_t)e * SM_CLOCKS + clock) * graph->lanes);
}

static inline const struct sm_vector *sm_graph_porf(const struct sm_graph *graph, uint32_t e)
{
    return sm_graph_clock(graph, e, SM_CLOCK_PORF);
}

static inline const struct sm_vector *sm_graph_hb(const struct sm_graph *graph, uint32_t e)
{
    return sm_graph_clock(graph, e, SM_CLOCK_HB);
}

/* SM_NO_NODE: the thread was not created. */
static inline uint32_t sm_graph_last(const struct sm_graph *graph, uint32_t thread)
{
    return thread < graph->lanes ? graph->last[thread] : SM_NO_NODE;
}

void sm_graph_init(struct sm_graph *graph);
void sm_graph_free(struct sm_graph *graph);
void sm_graph_clear(struct sm_graph *graph);
/* Makes location `loc` known, with its initial value. */
void sm_graph_touch(struct sm_graph *graph, uint16_t loc, uint64_t initial);

/* Adds a node: kind, order, flags, thread, loc, value, rf are given, the rest is filled in. A write
   is not yet in modification order. Returns its stamp. */
uint32_t sm_graph_add(struct sm_graph *graph, const struct sm_node *node);
/* A deep copy; and one through a parcel. */
void sm_graph_copy(struct sm_graph *to, const struct sm_graph *from);
/* A deep copy in which each thread goes by another name; created and joined are the threads of the
   same names as before. */
void sm_graph_rename(struct sm_graph *to, const struct sm_graph *from, const uint8_t names[]);
void sm_graph_pack(const struct sm_graph *graph, struct sm_parcel *parcel);
void sm_graph_unpack(struct sm_graph *graph, struct sm_parcel *parcel);
/* Puts a write directly after another one in modification order, or after the initial value
   (SM_NO_NODE). */
void sm_graph_place(struct sm_graph *graph, uint32_t write, uint32_t after);
/* Sets reads-from of the last event of a thread. */
void sm_graph_set_rf(struct sm_graph *graph, uint32_t read, uint32_t write);
/* Removes the nodes from a stamp on. */
void sm_graph_cut(struct sm_graph *graph, uint32_t stamp);
/* Copies the events up to `read`, the porf-prefix of `write`, and the write, not yet in
   modification order; the read then reads from the write. Returns the new stamp of the read; the
   write's is the last. */
uint32_t sm_graph_revisit(struct sm_graph *to, const struct sm_graph *from, uint32_t read,
                          uint32_t write);

static inline bool sm_vector_has(const struct sm_vector *vector, const struct sm_node *node)
{
    return vector->at[node->thread] > node->index;
}

/* Eight lanes fit a register. The size is constant, and the runtime is compiled with -fno-builtin.
 */
enum { SM_LANES_SIZE = SM_FIRST_LANES * sizeof(uint16_t) };

static inline void sm_vector_join(struct sm_vector *to, const struct sm_vector *from,
                                  uint32_t lanes)
{
    uint32_t i = 0;
    do {
        uint16_t a[SM_FIRST_LANES], b[SM_FIRST_LANES];
        __builtin_memcpy(a, to->at + i, SM_LANES_SIZE);
        __builtin_memcpy(b, from->at + i, SM_LANES_SIZE);
        for (uint32_t k = 0; k < SM_FIRST_LANES; k++)
            a[k] = b[k] > a[k] ? b[k] : a[k];
        __builtin_memcpy(to->at + i, a, SM_LANES_SIZE);
        i += SM_FIRST_LANES;
    } while (i < lanes);
}

static inline void sm_vector_copy(struct sm_vector *to, const struct sm_vector *from,
                                  uint32_t lanes)
{
    uint32_t i = 0;
    do {
        __builtin_memcpy(to->at + i, from->at + i, SM_LANES_SIZE);
        i += SM_FIRST_LANES;
    } while (i < lanes);
}

static inline void sm_vector_clear(struct sm_vector *to, uint32_t lanes)
{
    uint32_t i = 0;
    do {
        __builtin_memset(to->at + i, 0, SM_LANES_SIZE);
        i += SM_FIRST_LANES;
    } while (i < lanes);
}

static inline bool sm_node_has_rf(const struct sm_node *node)
{
    return node->kind == SM_NODE_READ || node->kind == SM_NODE_JOIN || node->kind == SM_NODE_WAKE;
}

static inline bool sm_node_is_plain(const struct sm_node *node)
{
    return node->kind <= SM_NODE_WRITE && node->order == SM_ORDER_PLAIN;
}

/* Turns the read of a read-modify-write into its write. */
static inline void sm_node_take(struct sm_node *node, uint64_t value)
{
    node->kind = SM_NODE_WRITE;
    node->flags = (uint8_t)(SM_NODE_RMW | (node->flags & SM_NODE_LOCK));
    node->rf = SM_NO_NODE;
    node->after = 0;
    node->value = value;
}

/* The arrival belongs to the round of the departure. */
static inline bool sm_node_departs_after(const struct sm_node *departure,
                                         const struct sm_node *arrival)
{
    return arrival->kind == SM_NODE_ARRIVE && arrival->value == departure->value;
}

static inline bool sm_graph_is_rmw(const struct sm_graph *graph, uint32_t write)
{
    return write != SM_NO_NODE && (graph->nodes[write].flags & SM_NODE_RMW);
}

static inline uint64_t sm_graph_value(const struct sm_graph *graph, uint16_t loc, uint32_t write)
{
    return write == SM_NO_NODE ? graph->locs[loc].initial : graph->nodes[write].value;
}

/* A thread that read the newest write of the location is blocked for another value. */
bool sm_graph_is_awaited(const struct sm_graph *graph, uint16_t loc);
/* A thread that read the mo-predecessor of this write is blocked, and its read is older than that
   predecessor: it was revisited. */
bool sm_graph_leaves_waiting(const struct sm_graph *graph, uint32_t write);

/* The write directly after `write` in modification order. */
uint32_t sm_graph_next(const struct sm_graph *graph, uint16_t loc, uint32_t write);

#endif
