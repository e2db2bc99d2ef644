/*
 * engine.h - the interface between the interceptors and what decides an execution.
 *
 * Hooks, interceptors and the scheduler do not depend on the purpose of an execution. What does is
 * an engine: a struct of functions, one of engines.def, chosen once per process by the options of
 * the control page. The sampling engine (engine.c) runs one execution, or several in sequence,
 * with choices by policies. Engines that enumerate executions are in other folders (verify/).
 *
 * An engine is called by the running thread only. Functions that may be NULL are marked so; the
 * callers below test for that, so an engine names only what it changes.
 */
#ifndef SM_RUNTIME_ENGINE_H
#define SM_RUNTIME_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/choice.h"
#include "runtime/event.h"

struct sm_model;
struct sm_schedule;
struct sm_sync_operations; /* sync/operations.h */

/* Features that an engine may be unable to handle. */
enum sm_feature {
    SM_FEATURE_TIMED_JOIN,
    SM_FEATURE_ROBUST_MUTEX,
    SM_FEATURE_WRITER_PREFERENCE,
    SM_FEATURE_MEMBARRIER,
    SM_FEATURE_OPENMP,
    SM_FEATURE_FORK
};

/* Start of an iteration of a loop: hook sm_iteration. */
struct sm_iteration {
    uintptr_t loop, frame;
    uintptr_t forgotten; /* below it no escaped local is live */
    uint64_t state, reload;
    bool again;     /* over a back edge */
    bool leaves;    /* the loop has an exit, not only to a failure */
    bool counts;    /* and ends when a counter has reached a value (plugin/counters.h) */
    uint64_t count; /* hash of the counters, which are not in `state` */
};

struct sm_engine {
    const char *name;
    bool (*wanted)(void); /* by the options */
    void (*start)(void);  /* once per process, before anything is saved (restart.h); or NULL */

    /* Executions follow each other in this process. `next`: one has ended, as the control page
       says; is there another one? */
    bool (*restarts)(void);
    bool (*next)(void);

    const struct sm_model *model; /* NULL: the one that the options name */
    /* May return NULL: the one that the options name. */
    const struct sm_schedule *(*schedule)(void);
    const struct sm_sync_operations *sync;

    bool records;       /* choices and events are recorded during the execution */
    bool by_values;     /* choices give the value of a read, not the store */
    bool in_order;      /* threads run in the order of the execution: what they use exists */
    bool has_time;      /* sleeping takes virtual time; a timed wait may expire early */
    bool reuses_memory; /* free() makes a block available again */
    bool keeps_output;  /* stdout stays in its buffer when the program exits */
    bool by_bytes;      /* library calls are shown byte by byte: sm_range_by_bytes */

    /* Or NULL: answers every choice except which thread runs next, in place of policies. */
    uint32_t (*answer)(enum sm_purpose purpose, uint32_t n);
    /* Or NULL. True: the access is done, without a scheduling point. */
    bool (*replay)(struct sm_event *event);
    /* Or NULL: a block is about to be freed. */
    void (*freeing)(const void *block, size_t size);
    /* Or NULL: a function with this local is about to return. */
    void (*returning)(const void *local, size_t size);
    /* Or NULL: a thread has allocated memory. */
    void (*allocated)(const struct sm_event *event);
    /* The number of a thread that is about to be created; `next`: the smallest unused one. */
    uint32_t (*thread_number)(uint32_t next);
    /* Or NULL: the program has read, or exposed, the identity of this thread. */
    void (*identified)(uint32_t thread);
    /* Or NULL: an input was given one of a few values that represent its type. */
    void (*sampled)(void);
    /* Or NULL: the program uses a feature that an engine may have to refuse. */
    void (*require)(enum sm_feature feature);
    /* Or NULL: inline assembly that is not understood, and may access any memory, is executed. */
    void (*unknown_asm)(const struct sm_site *site);
    /* Or NULL: the running thread begins an iteration of a waiting loop (if not NULL, each function
       runs its watched copy), and `true` ends a loop that counts; or the thread has changed
       something that only it can see. Called if sm_iterations_watched is set. */
    bool (*iteration)(const struct sm_iteration *at);
    void (*iteration_effect)(void);
    /* Or NULL: the running thread enters std::lock, or leaves it. */
    void (*lock_together)(bool begins);
    /* Or NULL. Waking threads at a futex does nothing, so it makes no difference whether the
       program thinks that any waits. */
    bool (*knows_waiters)(void);
    /* Or NULL: hook sm_wait_loop. */
    void (*wait_loop)(void);
    /* Or NULL: the running thread calls a function that is intercepted. */
    void (*called)(const char *name);
    /* Or NULL: the running thread is about to print. */
    void (*prints)(void);
    /* Or NULL. The running thread needs an event of another thread that has not happened so far:
       lets the others run. False: nothing has changed. */
    bool (*give_way)(void);
    /* Or NULL. The execution is to end as the control page says. May stop the thread instead of
       returning. */
    void (*ending)(void);
};

/* Read by the program's code (plugin/iterations.h); written before any of it runs. */
extern uint8_t sm_iterations_watched;
/* The engine of this process. */
extern const struct sm_engine *sm_engine;
/* Chooses it by the options, and starts it. */
void sm_engine_start(void);

static inline void sm_engine_require(enum sm_feature feature)
{
    if (sm_engine->require)
        sm_engine->require(feature);
}

static inline void sm_engine_called(const char *name)
{
    if (sm_engine->called)
        sm_engine->called(name);
}

/* Called with or without control. */
void sm_engine_prints(void);

static inline void sm_engine_identified(uint32_t thread)
{
    if (sm_engine->identified)
        sm_engine->identified(thread);
}

#endif
