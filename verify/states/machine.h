/*
 * machine.h - the abstract machine of model hb: its memory, and threads that walk down their trees
 * (local.h).
 *
 * A state has the node and the vector clocks of each thread, and the writes in memory. A plain
 * read may read any write that is not overwritten on a happens-before path to it. Atomics are
 * RC11's: the writes of a location are in modification order, and coherence holds. The order of
 * seq_cst operations is the order of execution, as in runtime/model, unless that would lose
 * executions (seqcst.h): see docs/verify.md for the two litmus tests that it loses.
 *
 * A plain read may see a write that its thread has not reached yet, if the search offers it as a
 * future write (certify.h says which are certified). Such a write is a promise until it is made,
 * with the promised value, and no read of it may happen before it. Promises are not in
 * modification order, and no atomic access reads them.
 *
 * If a location has atomic accesses, plain writes are in modification order like relaxed ones.
 * Elsewhere the order of plain writes is not observable, and none is kept.
 *
 * Clocks count releases: the time of an event is the number of releases of its thread so far, so a
 * loop that only reads returns to the same state.
 */
#ifndef SM_VERIFY_STATES_MACHINE_H
#define SM_VERIFY_STATES_MACHINE_H

#include <stddef.h>

#include "verify/states/seqcst.h"
#include "verify/trees/local.h"

enum {
    SM_MACHINE_THREADS = 12,
    SM_MACHINE_WRITES = 256,
    SM_MACHINE_OBJECTS = 32,
    SM_NOBODY = 0xff, /* the writer of the initial value */
};

/* Views. */
struct sm_known {
    uint16_t hb[SM_MACHINE_THREADS]; /* happens-before */
    uint16_t co[SM_MACHINE_THREADS]; /* the same, and what seq_cst fences add for coherence */
    uint16_t sc;                     /* seq_cst writes before the last known seq_cst fence */
};

enum sm_written_flag {
    SM_WRITTEN_PROMISE = 1 << 0, /* read, but not made yet */
    SM_WRITTEN_RMW = 1 << 1,     /* directly mo-after the write it read */
    SM_WRITTEN_ATOMIC = 1 << 2,
};

/* A write in memory. The writes of one location are in modification order, promises last. */
struct sm_written {
    uint16_t loc, nth;
    uint8_t thread, flags;
    uint16_t time; /* of its thread */
    uint16_t sc;   /* number among the seq_cst writes, from 1 */
    uint32_t site;
    uint64_t value;
    struct sm_known by;                /* the view of its thread */
    struct sm_known says;              /* the message: what an acquire read of it learns */
    struct sm_known head;              /* the part of it from its own thread's release sequence */
    uint16_t seen[SM_MACHINE_THREADS]; /* when each thread first read or wrote it; 0: never */
};

/* A synchronisation object that was used; its state is that of objects.h. */
struct sm_object_state {
    uint64_t state;
    struct sm_known says;    /* what an operation that takes it learns */
    struct sm_known readers; /* rwlock: what a writer learns in addition */
    uint16_t loc;
    uint16_t block; /* a thread is in an atomic block */
};

struct sm_mind {
    uint32_t node; /* 0: not created */
    uint16_t joined;
    struct sm_known now, acquired, released; /* the last two: for fences */
};

struct sm_machine {
    uint16_t n_writes, n_objects, sc_writes;
    struct sm_known fences; /* the view at the seq_cst fences so far */
    struct sm_mind threads[SM_MACHINE_THREADS];
    struct sm_seq_cst seq_cst;
    struct sm_object_state objects[SM_MACHINE_OBJECTS]; /* by location */
    struct sm_written writes[SM_MACHINE_WRITES];        /* by location */
};

/* The name of a write, without its location; thread SM_NOBODY: the initial value. */
struct sm_source {
    uint8_t thread;
    uint16_t nth;
};

/* A step of a thread, in a form that a run of the program can follow. */
struct sm_move {
    uint8_t thread;
    bool promise;    /* reads a write that is not made yet */
    bool plain_read; /* not observable by other threads */
    uint16_t loc;
    uint64_t answer;
    struct sm_source from[2]; /* read: the write; low and high half of a plain one */
    uint64_t written[2];      /* plain read: the values of these writes */
    uint64_t needs;           /* future writes that their certificates read, see sm_future */
    uint16_t place; /* atomics: position of the write that is read, or preceded; objects: the thread
                       that is picked, from 1 (objects.h) */
};

/* A write that some thread makes later: a plain read of another thread may see it. `needs`: bits of
   earlier ones in the list that its certificate reads, which must then be made too. */
struct sm_future {
    uint16_t loc;
    struct sm_source name;
    uint64_t value, needs;
};
enum { SM_MAX_FUTURES = 64 };
struct sm_futures {
    struct sm_future at[SM_MAX_FUTURES];
    uint32_t n;
};

/* Model sc: each location has one value at a time, and a state has no clocks: races are conflicting
   accesses that come one directly after the other (conflicts.h). So a program that runs for ever
   may have finitely many states. */
bool sm_machine_is_sc(void);

/* The initial value of a location. */
void sm_machine_initial(uint16_t loc, uint64_t value);
/* How the program accesses the location. Accesses that are not weak (`lied`) are sequentially
   consistent: each reads from, or is, the newest write in the order of execution. */
void sm_machine_accessed(uint16_t loc, bool atomic, bool lied);
/* Some accesses of a location are weak and others not: that is not explored. */
bool sm_machine_is_mixed(void);
/* A location with plain accesses turned out to have atomic ones, too: the exploration so far did
   not order its plain writes. True only once. */
bool sm_machine_grew(void);
void sm_machine_start(void); /* once */
void sm_machine_clear(void); /* forgets initial values */

void sm_machine_begin(struct sm_machine *machine);

/* Calls `each` for every possible step of the thread; a plain read may also see `futures`. False:
   its next event is not known. */
bool sm_machine_ways(const struct sm_machine *machine, uint32_t thread,
                     const struct sm_futures *futures,
                     void (*each)(void *context, const struct sm_move *step), void *context);
/* The location of the plain read that is the thread's next event; false: it is something else. */
bool sm_machine_reads_plainly(const struct sm_machine *machine, uint32_t thread, uint16_t *loc);
/* The same, if the thread does not race with any write there, and can read one value only. */
bool sm_machine_reads_one(const struct sm_machine *machine, uint32_t thread, uint64_t *value);
/* Another thread has plainly read the location, and that does not happen before this thread's next
   event. */
bool sm_machine_was_read(const struct sm_machine *machine, uint32_t thread, uint16_t loc);
/* Calls `each` for every write that races with the plain read that is the thread's next event. */
void sm_machine_races(const struct sm_machine *machine, uint32_t thread,
                      void (*each)(void *context, const struct sm_written *write), void *context);
/* Takes the step. False: a promise rules it out; or there is no room (see sm_machine_is_full). */
bool sm_machine_go(struct sm_machine *machine, const struct sm_move *step);
/* The current value of a location; false: different plain writes are unordered. */
bool sm_machine_newest(const struct sm_machine *machine, uint16_t loc, uint64_t *value);
/* The thread has no more steps, whatever the others do. */
bool sm_machine_has_stopped(const struct sm_machine *machine, uint32_t thread);
/* A thread is in an atomic block: if it must wait there, the block has not begun. */
bool sm_machine_in_block(const struct sm_machine *machine);
/* The thread has one possible step, which no other thread can disable or affect. */
bool sm_machine_is_independent(const struct sm_machine *machine, uint32_t thread);

/* The answer to an operation on an object in that state; UINT64_MAX: the thread waits. */
uint64_t sm_machine_operate(const struct sm_local *node, uint64_t state);

/* Some step was left out for lack of room: more writes or objects than a state can hold. */
bool sm_machine_is_full(void);
/* Taking the order of execution as the order of seq_cst operations has ruled out an access that
   happens-before alone allows. */
bool sm_machine_was_forced(void);

/* False: there is no room, or another value was promised for it. */
bool sm_machine_promise(struct sm_machine *machine, const struct sm_future *future);
/* Number of open promises of the thread (SM_NOBODY: of all). */
uint32_t sm_machine_owes(const struct sm_machine *machine, uint32_t thread);
void sm_machine_forget_promises(struct sm_machine *machine);
/* A promise cannot be fulfilled any more: its thread has stopped. */
bool sm_machine_is_broken(const struct sm_machine *machine);

/* Drops writes that no thread can read any more, and brings the rest into a canonical order. */
void sm_machine_tidy(struct sm_machine *machine);

/* Bytes in use; the rest need not be stored. */
size_t sm_machine_size(const struct sm_machine *machine);
void sm_machine_hash(const struct sm_machine *machine, uint64_t hash[2]);
void sm_machine_copy(struct sm_machine *to, const struct sm_machine *from);

#endif
