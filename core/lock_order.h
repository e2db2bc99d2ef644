/*
 * lock_order.h - lock-order inversions: deadlocks that did not happen, but could.
 *
 * Each acquisition by a thread that holds other locks is a dependency: (thread, locks held, lock
 * wanted). Dependencies D1 ... Dn are a cycle if the lock that each wants is held in the next, and
 *   - their threads differ: a thread does not wait for itself here (that is a double-lock),
 *   - no two hold a common lock (a gate), for then they cannot be in progress together,
 *   - no two are ordered by happens-before that the locks themselves do not make,
 *   - a lock that is held shared blocks only who wants it alone.
 * An acquisition that gives up (trylock, a time limit) waits for nobody: it is no dependency, but
 * what it took is held.
 *
 * Locks are keys, made of the address and a number (core/objects/misuse.h), so that a lock which
 * takes the place of another in memory is another one. Dependencies with the same locks are one
 * shape. Of a shape the last SM_ORDER_USES are kept, each of another thread or moment. Running out
 * of room loses cycles and makes up none.
 *
 * Used by the race detector's runtime and by controlled execution. Not locked: the caller sees to
 * it that one thread at a time is here.
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

/* One acquisition. `where` and `taken` are the caller's: stacks, or numbers of stacks. */
struct sm_order_use {
    uint32_t thread;
    uint32_t slot, time;    /* its place in clocks */
    struct sm_clock before; /* what is ordered before it, whatever order the locks came in */
    uint64_t where;
    uint64_t taken[SM_ORDER_HELD]; /* of the locks held */
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

/* Of a cycle: the lock that this one wants is the lock `held[holds]` of the next. */
struct sm_order_step {
    const struct sm_order_shape *shape;
    const struct sm_order_use *use;
    uint32_t holds; /* which of its locks the step before wants */
};
struct sm_order_cycle {
    uint32_t n;
    struct sm_order_step steps[SM_ORDER_LONGEST];
};

enum sm_order_result { SM_ORDER_NEW, SM_ORDER_CYCLE, SM_ORDER_FULL };

/* Adds what the shape's locks and the use say; the clock is copied. `replaced` is told of each use
   that goes, for the caller to free what is its own. CYCLE: it closes one, the shortest. */
enum sm_order_result sm_lock_order_add(struct sm_lock_order *order,
                                       const struct sm_order_shape *locks,
                                       const struct sm_order_use *use,
                                       void (*replaced)(const struct sm_order_use *use),
                                       struct sm_order_cycle *cycle);

#endif
