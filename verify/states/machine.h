/*
 * machine.h - memory as hb has it, and threads that walk down their trees (local.h).
 *
 * A state says where each thread is, what it knows (vector clocks), and which writes memory
 * holds. A plain read takes any write that is not overwritten on a happens-before path to it.
 * Atomics are RC11's: the writes of a location stand in modification order, and a thread
 * never goes back behind one it knows of. The order of seq_cst operations is the order of
 * execution, as in runtime/model, unless that would leave something out (seqcst.h): see
 * docs/verify.md for the two litmus tests that this leaves out.
 *
 * A plain read may see a write that its thread has not come to yet, if the search offers it as a
 * future write (certify.h says which are certified). Such a write is a promise until it is made:
 * with the value promised, and not after (in happens-before) anybody who read it. Promises have no
 * place in modification order, and no atomic access reads them.
 *
 * Where a location has atomic accesses, a plain write takes its place in modification order as a
 * relaxed one does. Elsewhere nobody can tell the order of plain writes, and none is kept.
 *
 * Clocks count releases: an event belongs to the number of releases its thread had made, so a
 * loop that only reads comes back to the same state.
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
    SM_NOBODY = 0xff, /* who wrote the initial value */
};

/* What somebody knows. */
struct sm_known {
    uint16_t hb[SM_MACHINE_THREADS]; /* happens-before */
    uint16_t co[SM_MACHINE_THREADS]; /* that, and what seq_cst fences add for coherence */
    uint16_t sc;                     /* seq_cst writes before the last seq_cst fence known of */
};

enum sm_written_flag {
    SM_WRITTEN_PROMISE = 1 << 0, /* read, and not yet made */
    SM_WRITTEN_RMW = 1 << 1,     /* stands directly behind what it read */
    SM_WRITTEN_ATOMIC = 1 << 2,
};

/* A write in memory. Those of one location stand in modification order, promises last. */
struct sm_written {
    uint16_t loc, nth;
    uint8_t thread, flags;
    uint16_t time; /* of its thread */
    uint16_t sc;   /* number among the seq_cst writes, from 1 */
    uint32_t site;
    uint64_t value;
    struct sm_known by;                /* what its thread knew */
    struct sm_known says;              /* what an acquire read of it learns */
    struct sm_known head;              /* of that, what its own thread's release sequence says */
    uint16_t seen[SM_MACHINE_THREADS]; /* when each thread first read or wrote it; 0: never */
};

/* A synchronisation object that was used; its state is as objects.h has it. */
struct sm_object_state {
    uint64_t state;
    struct sm_known says;    /* what those learn that take it */
    struct sm_known readers; /* rwlock: what a writer learns besides */
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
    struct sm_known fences; /* what was known at the seq_cst fences so far */
    struct sm_mind threads[SM_MACHINE_THREADS];
    struct sm_seq_cst seq_cst;
    struct sm_object_state objects[SM_MACHINE_OBJECTS]; /* by location */
    struct sm_written writes[SM_MACHINE_WRITES];        /* by location */
};

/* The name of a write, but for its location; thread SM_NOBODY: the initial value. */
struct sm_source {
    uint8_t thread;
    uint16_t nth;
};

/* What a thread does, in a way that a run of the program can follow. */
struct sm_move {
    uint8_t thread;
    bool promise;    /* reads a write that is not made yet */
    bool plain_read; /* tells nobody anything */
    uint16_t loc;
    uint64_t answer;
    struct sm_source from[2]; /* read: the write; low and high half of a plain one */
    uint64_t written[2];      /* plain read: what those two write */
    uint64_t needs;           /* future writes that their certificates read, as sm_future says */
    uint16_t place; /* atomics: of the write that is read, or to stand behind; objects: the
                       thread that is picked, from 1 (objects.h) */
};

/* A write that some thread makes later: a plain read of another thread may see it. `needs`: numbers
   of those before it in the list that its certificate reads, which then have to be made too. */
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

/* Every location begins with this value. */
void sm_machine_initial(uint16_t loc, uint64_t value);
/* The program accesses the location so. What is not lied about is sequentially consistent: it
   reads, or is, the newest write in the order of execution. */
void sm_machine_accessed(uint16_t loc, bool atomic, bool lied);
/* Some accesses of a location are lied about, others are not: that is not explored. */
bool sm_machine_is_mixed(void);
/* A location with plain accesses turned out to have atomic ones, too: what was explored so far did
   not order its plain writes. Once. */
bool sm_machine_grew(void);
void sm_machine_start(void); /* once */
void sm_machine_clear(void); /* forgets initial values */

void sm_machine_begin(struct sm_machine *machine);

/* Calls `each` for every way in which the thread can go on; a plain read may also see `futures`.
   False: what it does next is not known. */
bool sm_machine_ways(const struct sm_machine *machine, uint32_t thread,
                     const struct sm_futures *futures,
                     void (*each)(void *context, const struct sm_move *step), void *context);
/* The location that the thread is about to read plainly; false: it does something else. */
bool sm_machine_reads_plainly(const struct sm_machine *machine, uint32_t thread, uint16_t *loc);
/* Another thread has read the location plainly, and this one does not know of it. */
bool sm_machine_was_read(const struct sm_machine *machine, uint32_t thread, uint16_t loc);
/* Calls `each` for every write that races with the plain read at which the thread is. */
void sm_machine_races(const struct sm_machine *machine, uint32_t thread,
                      void (*each)(void *context, const struct sm_written *write), void *context);
/* Goes that way. False: no execution does so, because of a promise; or there is no room (see
   sm_machine_is_full). */
bool sm_machine_go(struct sm_machine *machine, const struct sm_move *step);
/* The value that a location has now; false: plain writes that differ have no order. */
bool sm_machine_newest(const struct sm_machine *machine, uint16_t loc, uint64_t *value);
/* The thread does nothing more, whatever the others do. */
bool sm_machine_has_stopped(const struct sm_machine *machine, uint32_t thread);
/* A thread is in an atomic block: if it has to wait there, it has not begun it. */
bool sm_machine_in_block(const struct sm_machine *machine);
/* The only way of the thread there is, which no other thread can make impossible or better. */
bool sm_machine_is_dull(const struct sm_machine *machine, uint32_t thread);

/* What the thread is told of an operation on an object in that state; UINT64_MAX: it waits. */
uint64_t sm_machine_operate(const struct sm_local *node, uint64_t state);

/* Some step was not made for want of room: more writes or objects than a state can hold. */
bool sm_machine_is_full(void);
/* The order of execution, taken as the order of seq_cst operations, has forbidden an access what
   happens-before alone allows. */
bool sm_machine_was_forced(void);

/* False: there is no room, or it is promised as something else. */
bool sm_machine_promise(struct sm_machine *machine, const struct sm_future *future);
/* Writes that the thread (SM_NOBODY: any) has promised and not made. */
uint32_t sm_machine_owes(const struct sm_machine *machine, uint32_t thread);
void sm_machine_forget_promises(struct sm_machine *machine);
/* A promise can no longer be made: its thread has stopped. */
bool sm_machine_is_broken(const struct sm_machine *machine);

/* Forgets what nobody can read any more, and puts the rest into an order of its own. */
void sm_machine_tidy(struct sm_machine *machine);

/* Bytes in use: what comes after them need not be kept. */
size_t sm_machine_size(const struct sm_machine *machine);
void sm_machine_hash(const struct sm_machine *machine, uint64_t hash[2]);
void sm_machine_copy(struct sm_machine *to, const struct sm_machine *from);

#endif
