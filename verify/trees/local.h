/*
 * local.h - thread-local trees: what each thread does next, given what it has read. Learnt from
 * runs.
 *
 * A thread is deterministic apart from the answers it gets: the values of its reads, whether a
 * trylock succeeds, how a thread that it joins has ended. So its behaviour is a tree: each node is
 * an event, each answer leads to a child. A run of the program shows one path for each thread,
 * which need not be run again.
 *
 * A node is identified by its number; 0 is none. A spawn has two children: the creator's next
 * event, and the first event of the created thread. A spin loop (await.h) leads back to the start
 * of its iteration, so trees with spin loops are finite.
 *
 * In model hb machine.c works on the trees; in the others walk.c does.
 *
 * A write is named across executions by its thread, its location, and how many writes to that
 * location its thread made before it: the paper's scheme (JPR, section III). A write that two
 * branches have in common is then one action, wherever it is in the program (tc6 needs that).
 */
#ifndef SM_VERIFY_TREES_LOCAL_H
#define SM_VERIFY_TREES_LOCAL_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/event.h"

enum sm_local_kind {
    SM_LOCAL_UNKNOWN,
    SM_LOCAL_READ,
    SM_LOCAL_WRITE,
    SM_LOCAL_RMW,
    SM_LOCAL_FENCE,
    SM_LOCAL_OPERATE, /* on a synchronisation object (objects.h) */
    SM_LOCAL_RELEASE, /* its only holder releases it, or it is initialised */
    SM_LOCAL_SPAWN,
    SM_LOCAL_JOIN,
    SM_LOCAL_END,
    SM_LOCAL_CHOICE,
    SM_LOCAL_EXIT, /* of the program */
    SM_LOCAL_FAIL,
    SM_LOCAL_ASSUME, /* failed */
    SM_LOCAL_CUT,    /* value: why, as bits of enum sm_cut */
    SM_LOCAL_STUCK,  /* waits in a loop for memory that no other thread changes */
    SM_LOCAL_SAME,   /* as the node `value` */
    SM_LOCAL_IDLE,   /* has made an idle iteration: since it had `value` events; hb: since the node
                        `value` */
    SM_LOCAL_WAKE,   /* graphs: is woken at a condition */
    SM_LOCAL_ARRIVE, /* graphs: at a barrier, in round `value`; `old`: its serial thread, from 1 */
    SM_LOCAL_DEPART, /* graphs: after the `old` arrivals of round `value` */
    SM_LOCAL_RENEW,  /* graphs: a barrier is initialised or destroyed */
};

enum sm_local_flag {
    SM_LOCAL_HALVES = 1 << 0,     /* a plain value of 8 bytes is read in halves */
    SM_LOCAL_UNDOES = 1 << 0,     /* idle: if the graph allows it (undone.h), else it continues */
    SM_LOCAL_TRY = 1 << 1,        /* fails where it would have to wait */
    SM_LOCAL_FAILS = 1 << 1,      /* RMW: a compare-exchange that fails, whatever it reads */
    SM_LOCAL_ANEW = 1 << 2,       /* release: the object is initialised, and has no past */
    SM_LOCAL_AT_ONCE = 1 << 3,    /* no thread runs between the previous event and this one */
    SM_LOCAL_PROBES = 1 << 4,     /* read: of a spin loop, probed first (probe.h) */
    SM_LOCAL_ENTERED = 1 << 4,    /* hb: a loop leads to it that does not begin there (idle.h) */
    SM_LOCAL_RETRIES = 1 << 6,    /* idle: the next iteration would differ (iteration.h) */
    SM_LOCAL_NOT_ATOMIC = 1 << 7, /* hb: coherent like a relaxed one, but may race */
    SM_LOCAL_UNTOLD = 1 << 5,     /* choice: for others; its own thread does not learn the answer */
};

/* One cache line: walk.c goes from node to node, and most are far from each other. */
struct sm_local {
    uint8_t kind, thread, order, order_fail, size, op, flags;
    uint16_t loc;
    uint16_t nth;   /* writes: the name */
    uint32_t depth; /* events of its thread before it */
    uint32_t site;
    uint32_t parent, first_child, sibling;
    uint64_t value; /* written; RMW, operation: operand; spawn, join: the thread; choice: of how
                       many; exit: status; fail: signature; graphs, end: what it left (learn.h) */
    uint64_t old;   /* compare-exchange: expected; graphs, read, idle: state of the thread
                       (await.h); exit: its outcome, counted from 1 */
    uint64_t answer;
    uint64_t state; /* of its thread at this event; graphs: 0: not taken; hb: its time */
};
_Static_assert(sizeof(struct sm_local) == 64, "a cache line");

/* The slots, twice as many as nodes, map a parent and an answer to the child: a read may have had
   hundreds of answers. */
extern struct sm_forest {
    struct sm_local *nodes;
    uint32_t n, capacity;
    uint32_t *slots; /* 0: empty */
} *sm_forest;

void sm_local_start(void); /* once */
void sm_local_clear(void);

/* The event of a run, without its place in a tree. */
struct sm_local sm_local_of(const struct sm_event *event, int kind, uint16_t loc);
uint32_t sm_local_root(void); /* of the initial thread */
/* The child for an answer, created if missing; never a SAME. */
uint32_t sm_local_child(uint32_t node, uint64_t answer);
/* The same, if there is one; else 0. */
uint32_t sm_local_find(uint32_t node, uint64_t answer);
/* Fills in the event of the node, with its name and place in the tree. */
void sm_local_learn(uint32_t node, const struct sm_local *event);

/* How many nodes there are, numbered from 1. */
uint32_t sm_local_count(void);

static inline struct sm_local *sm_local_at(uint32_t node)
{
    return &sm_forest->nodes[node];
}

static inline uint32_t sm_local_resolve(uint32_t node)
{
    const struct sm_local *at = sm_local_at(node);
    return at->kind == SM_LOCAL_SAME ? (uint32_t)at->value : node;
}

/* Of a spawn: the first event of the new thread. */
#define SM_LOCAL_BORN 1
/* Of an iteration that undoes its changes but still has an effect. */
#define SM_LOCAL_WENT_ON 1

/* The value an RMW writes when it reads `read`; false: a compare-exchange that fails. */
bool sm_local_apply(const struct sm_local *rmw, uint64_t read, uint64_t *written);

/* The answer that the choosing thread gets. */
static inline uint64_t sm_local_told(const struct sm_local *choice, uint64_t answer)
{
    return choice->flags & SM_LOCAL_UNTOLD ? 0 : answer;
}

static inline bool sm_local_writes(const struct sm_local *node)
{
    return node->kind == SM_LOCAL_WRITE || node->kind == SM_LOCAL_RMW;
}

static inline bool sm_local_is_plain(const struct sm_local *node)
{
    return node->order == SM_ORDER_PLAIN;
}

#endif
