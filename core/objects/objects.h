/*
 * objects.h - synchronisation objects as state machines.
 *
 * An object's state is one word. A transition function takes the state and the operation's
 * argument, and returns the result of the operation, with the new state if there is one. Nothing
 * here knows of queues of threads, graphs or events: the sampling engine (runtime/sync) applies the
 * functions to a table of states, verify to values of graph locations and of machine states.
 * objects.def is the table of operations.
 *
 *   mutex, spin lock   SM_OBJECT_FREE or SM_OBJECT_HELD; the thread keeps holder and depth
 *
 *   rwlock             number of readers, or SM_OBJECT_WRITER
 *
 *   semaphore          its value
 *
 *   once               enum sm_once_state
 *
 *   condition          low half: a bit for each thread that waits; high half: a bit for each that
 *                      was woken and has not waited since
 *
 *   barrier            which threads have arrived, which may depart, which of these is the serial
 *                      thread: 16 bits each, one for each thread
 *
 * Conditions and barriers have a bit for each thread, of which there may be 32 and 16: enough for
 * verify. The sampling engine supports any number of threads: it keeps the waiters of a condition
 * in a queue, and counts arrivals at a barrier (sm_barrier_is_full).
 */
#ifndef SM_CORE_OBJECTS_OBJECTS_H
#define SM_CORE_OBJECTS_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

enum sm_object_op {
    SM_DO_NOTHING,
#define SM_OBJECT_OP(name, step, order, what) SM_DO_##name,
#include "core/objects/objects.def"
    SM_OBJECT_OPS
};

/* The operation is blocked; fails; succeeds without a change; succeeds and sets `next`. */
enum sm_step { SM_STEP_WAITS, SM_STEP_FAILS, SM_STEP_PASSES, SM_STEP_TAKES };

enum { SM_OBJECT_FREE = 0, SM_OBJECT_HELD = 1 };
#define SM_OBJECT_WRITER (1ull << 63)
enum sm_once_state { SM_ONCE_NEW, SM_ONCE_RUNNING, SM_ONCE_DONE };

typedef enum sm_step sm_step_function(uint64_t state, uint64_t arg, uint64_t *next);
#define SM_OBJECT_OP(name, step, order, what) sm_step_function step;
#include "core/objects/objects.def"

struct sm_object_rule {
    sm_step_function *step;
    uint8_t order;    /* enum sm_order */
    const char *what; /* a thread waits for */
};
extern const struct sm_object_rule sm_object_rules[SM_OBJECT_OPS];

static inline enum sm_step sm_object_step(enum sm_object_op op, uint64_t state, uint64_t arg,
                                          uint64_t *next)
{
    return sm_object_rules[op].step(state, arg, next);
}

static inline enum sm_step sm_step_take(uint64_t *next, uint64_t state)
{
    *next = state;
    return SM_STEP_TAKES;
}

/* Another thread may wait for it; so may one for the release of an object, SM_DO_NOTHING. */
bool sm_object_gives(enum sm_object_op op);
/* Each state in which it can proceed, except the newest, was consumed by another operation of its
   kind. */
bool sm_object_excludes(enum sm_object_op op);

/* The result that the thread gets. `state`: before the step. */
uint64_t sm_object_told(enum sm_object_op op, enum sm_step step, uint64_t state, uint64_t arg);
/* The threads of which the operation picks one, as bits; 0: none. And its argument with the thread
   picked, counted from 1. */
uint32_t sm_object_candidates(enum sm_object_op op, uint64_t state, uint64_t arg);
uint64_t sm_object_pick(enum sm_object_op op, uint64_t arg, uint32_t thread);

/* ---- mutexes: the effect of their type ---- */

enum sm_mutex_type { SM_MUTEX_NORMAL, SM_MUTEX_RECURSIVE, SM_MUTEX_ERRORCHECK };

/* The holder locks it again, `*depth` > 0. TAKES: nested, `*depth` is incremented; WAITS: for
   itself; FAILS: with sm_mutex_relock_error. */
enum sm_step sm_mutex_relock(enum sm_mutex_type type, uint32_t *depth);
int sm_mutex_relock_error(enum sm_mutex_type type, bool tries);
/* The holder or, with *depth 0, another thread unlocks it. TAKES: it becomes free; PASSES: it is
   still held; FAILS: EPERM. Normal mutexes do not know their owner: any thread may unlock them. */
enum sm_step sm_mutex_unlock_step(enum sm_mutex_type type, uint32_t *depth);

/* ---- conditions and barriers ---- */

/* The waiting threads, as bits. */
uint32_t sm_cond_waiting(uint64_t state);
/* The thread has been signalled. */
bool sm_cond_is_woken(uint64_t state, uint32_t thread);
/* The argument of BARRIER_ARRIVE, at a barrier for `needed` threads. */
uint64_t sm_barrier_argument(uint32_t thread, uint32_t needed);
bool sm_barrier_is_serial(uint64_t state, uint32_t thread);
uint32_t sm_barrier_candidates(uint64_t state, uint64_t arg);
uint64_t sm_barrier_pick(uint64_t arg, uint32_t thread);
/* One more thread has arrived at a counting barrier. True: all have; it is empty again. */
bool sm_barrier_is_full(uint64_t *arrived, uint32_t needed);

#endif
