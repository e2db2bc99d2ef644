/*
 * explore.h - every execution of a bounded test, each once (`stalemate verify`).
 *
 * The algorithm is TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis: Truly Stateless,
 * Optimal Dynamic Partial Order Reduction, POPL 2022). The current execution is a graph. A new
 * read may read from each write that the model allows; a new write may take each place in
 * modification order. A new write may also be read by an existing read that is not in its
 * porf-prefix (a backward revisit): all events added after that read that are not in the
 * porf-prefix of the write are deleted. A revisit is made only if the deleted events are a maximal
 * extension, so no graph is reached twice.
 *
 * Pending work is the frontier: one graph for each revisit, one word for each other alternative.
 * The program runs again for each, unless the trees predict what its threads do (trees/walk.h). A
 * thread's events are answered from the graph as long as the graph has them; later ones are new.
 *
 * Accesses before the first thread is created, and to memory that no other thread touches in
 * conflict, are not events. Shared memory is discovered while running: when an execution shows
 * that more is shared than was known, the exploration restarts.
 *
 * One thread runs at a time, and only it calls in here. The folders:
 *   engine.c sync.c   the port of runtime/ (runtime/engine.h)
 *   explore.c         the driver of TruSt: begin and end of executions
 *   exploration.h     what is explored, and how far it has come
 *   pool.c            memory that outlives executions
 *   graph/            graphs, the frontier, the stepper, revisits, objects, symmetry, orders in
 *                     which a graph can happen, schedules with few preemptions
 *   consistency/      what a model allows; data races
 *   run/              a run of the program that follows a graph; witnesses; which memory is shared;
 *                     runs with symmetric threads exchanged
 *   trees/            what threads do, as trees; growing them; executions without a run
 *   loops/            spin loops, retry loops
 *   results/          outcomes, estimates, parts for other processes
 *   states/           model hb, which has no graphs: paths.c (and path_*.c) take the place of run/,
 *                     search.c visits the states of machine.c (and machine_*.c), which walks down
 *                     the trees; certify.c, states.c help
 */
#ifndef SM_VERIFY_EXPLORE_H
#define SM_VERIFY_EXPLORE_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/choice.h"
#include "runtime/engine.h"
#include "runtime/model/model.h"
#include "runtime/policy/policy.h"
#include "verify/graph/objects.h"

enum sm_explore_mode {
    SM_EXPLORE_OFF,
    SM_EXPLORE_ALL,    /* every execution, one after the other */
    SM_EXPLORE_SCRIPT, /* one of them again, making its choices explicit for a recording */
    SM_EXPLORE_FREE,   /* in a separate process, by choices made or recorded */
};
extern enum sm_explore_mode sm_exploring;
void sm_explore_set_mode(enum sm_explore_mode mode);

extern const struct sm_model sm_model_graph;
extern const struct sm_schedule sm_schedule_graph;

/* Once per process, before anything is saved; then before each execution. */
void sm_explore_start(void);
void sm_explore_begin(void);
/* An execution has ended, as the control block says. Is there another one? */
bool sm_explore_next(void);

/* An access that is in the graph, by a thread that need not yield before it: done. False: it must
   take the slow path. In exhaustive exploration nine accesses in ten are of this kind. */
bool sm_explore_replay(struct sm_event *event);

/* A violation with this signature (results.h) was shown; further ones are only counted. */
bool sm_explore_was_shown(uint64_t signature);

/* The running thread needs an event of another thread that precedes it in the graph, but has not
   run yet in this run (a graph answers threads in any order): lets the others run first. False: the
   graph has no more events of any thread that can run. */
bool sm_explore_give_way(void);

/* The thread that failed in the execution that is run again: it continues when the script is over.
 */
uint32_t sm_explore_failed_thread(void);

/* A thread has allocated memory. */
void sm_explore_allocated(const struct sm_event *event);
bool sm_explore_iteration(const struct sm_iteration *at);
void sm_explore_iteration_effect(void);

/* Answers every choice except which thread runs next. */
uint32_t sm_explore_answer(enum sm_purpose purpose, uint32_t n);

/* The running thread ends the execution early (a failed assertion or assumption). Other threads may
   still prevent that, so the thread only stops. Returns if the execution is to end now; the control
   block then says how. */
void sm_explore_ending(void);

/* The thread has reached a call that ends the program. */
bool sm_explore_is_exiting(const struct sm_thread *thread);

/* The number of a thread that is about to be created. */
uint32_t sm_explore_thread_number(uint32_t next);

/* Synchronisation objects, for sync.c: of the graph engine (run/objects.c) and of the state engine
   (states/path_sync.c). Each passes the scheduling point of its event; the caller records the
   event. */
struct sm_explored_op {
    enum sm_object_op op;
    bool try;         /* fails where it would have to wait */
    uint64_t arg;     /* see sm_object_step */
    uint64_t initial; /* state of the object before its first use */
};
struct sm_object_operations {
    enum sm_step (*operate)(struct sm_event *event, const struct sm_explored_op *op);
    /* The only holder of the object gives it up. */
    void (*release)(struct sm_event *event, uint64_t state);
    /* The object is initialised; no scheduling point. */
    void (*renew)(struct sm_event *event, uint64_t state);
    uint32_t (*sem_value)(struct sm_event *event, uint64_t initial);
    /* Conditions. A timed wait may expire: leaving it returns whether the thread was woken. */
    void (*cond_enter)(struct sm_event *event);
    void (*cond_leave)(struct sm_event *event);
    bool (*cond_leave_timed)(struct sm_event *event);
    void (*cond_signal)(struct sm_event *event);
    void (*cond_broadcast)(struct sm_event *event);
    /* Returns when no thread waits there. False: the caller must do it. */
    bool (*cond_drain)(struct sm_event *event);
    enum sm_step (*rwlock_lock)(struct sm_event *event, bool writes, bool try);
    void (*rwlock_unlock)(struct sm_event *event, bool writes);
    /* Barriers: see struct sm_barrier_operations. Scheduling points only in hb. */
    bool (*barrier_arrive)(struct sm_event *event, uint32_t needed, bool looks);
    bool (*barrier_depart)(struct sm_event *event);
    void (*barrier_renew)(struct sm_event *event);
};
extern const struct sm_object_operations sm_objects_graph, sm_objects_states;
/* Recursion depth at which the running thread holds an object, for the caller to change. */
uint32_t *sm_explore_depth(const void *object);

/* Adds to the cost of the exploration so far, which stops at sm_explored.most. */
void sm_explore_count(uint32_t cost);

#endif
