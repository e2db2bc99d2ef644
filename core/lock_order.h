/*
 * lock_order.h - lock-order inversions: potential deadlocks.
 *
 * Each acquisition by a thread that holds other locks is a dependency: (thread, locks held, lock
 * wanted). Dependencies D1 ... Dn are a cycle if the lock that each wants is held in the next, and
 *   - their threads differ (a thread that waits for itself is a double-lock),
 *   - no two hold a common lock (a gate lock), for then they cannot be in progress together,
 *   - no two are ordered by happens-before other than that of the locks themselves,
 *   - a lock that is held shared blocks only exclusive acquisitions.
 * An acquisition that does not wait for ever (trylock, a time limit) is not a dependency, but the
 * lock it acquires is held.
 *
 * A lock's key is its address and a number (core/objects/misuse.h), so that a later lock at the
 * same address is a different one. Dependencies with the same locks are one shape. A shape keeps
 * its last SM_ORDER_USES uses, each of a different thread or time. Running out of room misses
 * cycles but reports no false ones.
 *
 * Used by the race detector's runtime and by controlled execution. Not thread-safe: the caller
 * serialises all calls.
 */
#ifndef SM_CORE_LOCK_ORDER_H
#define SM_CORE_LOCK_ORDER_H

#include "core/clock.h"

enum { SM_ORDER_HELD = 8, SM_ORDER_USES = 4, SM_ORDER_LONGEST = 8, SM_ORDER_SHAPES = 4096 };

enum { SM_ORDER_ADDRESS_BITS = 47 };

static inline uint64_t sm_order_key(uintptr_t lock, uint32_t number)
{
    return lock | (uint64_t)number << SM_ORDER_ADDRESS_BITS;
}

static inline uintptr_t sm_order_address(uint64_t key)
{
    return key & ((1ull << SM_ORDER_ADDRESS_BITS) - 1);
}

struct sm_order_lock {
    uint64_t key;
    bool shared;
};

/* One acquisition. `where` and `taken` are opaque: the caller's stacks, or numbers of stacks. */
struct sm_order_use {
    uint32_t thread;
    uint32_t slot, time;    /* its epoch */
    struct sm_clock before; /* the clock that is ordered before it independently of the locks */
    uint64_t where;
    uint64_t taken[SM_ORDER_HELD]; /* where the held locks were acquired */
};

struct sm_order_shape {
    struct sm_order_lock wanted;
    uint32_t n_held;
    struct sm_order_lock held[SM_ORDER_HELD];
    uint64_t held_bits; /* a filter for `held` */
    uint32_t n_uses, next_use;
    struct sm_order_use uses[SM_ORDER_USES];
};

struct sm_lock_order {
    struct sm_order_shape **shapes;
    uint32_t n, room;
};

/* A step of a cycle: the lock that it wants is `held[holds]` of the next step. */
struct sm_order_step {
    const struct sm_order_shape *shape;
    const struct sm_order_use *use;
    uint32_t holds; /* which of its locks the previous step wants */
};
struct sm_order_cycle {
    uint32_t n;
    struct sm_order_step steps[SM_ORDER_LONGEST];
};

enum sm_order_result { SM_ORDER_NEW, SM_ORDER_CYCLE, SM_ORDER_FULL };

/* Adds a use of the shape's locks; copies the clock. `replaced` is called for each use that is
   dropped, so that the caller can free what belongs to it. CYCLE: the use closes one; `cycle` is
   the shortest. */
enum sm_order_result sm_lock_order_add(struct sm_lock_order *order,
                                       const struct sm_order_shape *locks,
                                       const struct sm_order_use *use,
                                       void (*replaced)(const struct sm_order_use *use),
                                       struct sm_order_cycle *cycle);

#endif
