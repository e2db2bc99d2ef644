/*
 * epoch.h - epochs, slots, and the vector clocks of threads.
 *
 * A slot is an index into vector clocks. A thread holds one from its creation to its end; a later
 * thread may reuse it if its creation happens after the earlier one's end. For a joined thread that
 * holds, so one slot can serve twenty thousand threads in turn. A thread that is never joined keeps
 * its slot, because its accesses must stay distinguishable; 32,768 of those exhaust the slots, and
 * from then on threads share them (counted as `slots ran out`: races between threads that share a
 * slot are missed).
 *
 * Clocks count releases. An epoch is a number for (slot, clock), taken from the slot's block of
 * SM_EPOCH_BLOCK; the table of blocks maps it back. A slot gets runs of blocks, each twice as long
 * as what it used of the last one: whether a mark is of the running thread is mostly answered by
 * the bounds of its run. There are 2^31 epochs: at five million releases a second they last seven
 * minutes; then clocks stop advancing, which misses races but reports no false ones, and is counted
 * as `epochs ran out`.
 */
#ifndef SM_NATIVE_EPOCH_H
#define SM_NATIVE_EPOCH_H

#include <stdbool.h>
#include <stdint.h>

#include "core/clock.h"
#include "native/cell.h"
#include "native/history.h"

#define SM_SLOTS 32768u
#define SM_EPOCH_LIMIT 0x7fff0000u
#define SM_EPOCH_MASK 0x7fffffffu
#define SM_EPOCH_BLOCK 4096u
#define SM_RUN_BLOCKS 128u /* at most: a sixteenth of the window (below) */
#define SM_BLOCKS (SM_EPOCH_LIMIT / SM_EPOCH_BLOCK)

/* A power of two: which of so many blocks' epochs a thread has seen is answered without its clock,
   which takes three loads, each of which depends on the one before. */
#define SM_SEEN_BLOCKS 64

struct sm_block {
    uint32_t slot, time; /* of the block's first epoch */
};
extern struct sm_block sm_blocks[SM_BLOCKS];

/* Entries of a clock that fill a cache line: shorter clocks of several threads would share one. */
#define SM_CLOCK_LINE 16

/* False once threads share slots or clocks have stopped: then an epoch no longer stands for
   everything its thread had seen when the epoch ended. */
extern bool sm_clocks_exact;

/* An OpenMP team that a thread belongs to from the given time of its clock on; size 0: to none. */
struct sm_membership {
    uint32_t from, number, size;
    const struct sm_site *region; /* NULL: unknown */
};
#define SM_MEMBERSHIPS 16

#define SM_KEPT_READS 512u /* reads that a thread keeps: a page */

/* One for each thread ever created; never freed, because reports refer to it. Fields are written by
   the thread itself, except where noted. */
struct sm_detect_thread {
    uint32_t id; /* in order of creation; 0 is the initial thread */
    uint32_t slot;
    uint32_t first_time, last_time; /* the slot's clock at its start, and at its end */
    struct sm_clock seen;       /* clock; own time: seen.time[slot]. At its end, for its joiner */
    struct sm_clock released;   /* `seen` at its last release fence */
    uint32_t released_in;       /* the epoch that ended there */
    struct sm_clock to_acquire; /* clocks that relaxed loads read, for the next acquire fence */
    bool fenced;                /* `released` is valid */
    bool ended;                 /* released by the thread, acquired by its joiner */
    bool busy;             /* inside the runtime: accesses of signal handlers are not checked */
    bool marking;          /* see window.h */
    bool creates;          /* inside libc's pthread_create: what is freed there is libc's */
    uint64_t mask;         /* signal mask that its start function begins with */
    uint32_t deferred;     /* signals deferred until it is not busy: signals.h */
    bool cancelled;        /* another thread has written `cancel`: see sm_thread_cancel */
    uint32_t ignored;      /* > 0: its accesses are not checked */
    uint32_t sync_ignored; /* > 0: its synchronisation is ignored, except annotations */
    uint32_t settled_in;   /* its epoch when it called sm_threads_settle last */
    const struct sm_detect_thread *joins; /* the one whose end it waits for, or NULL */
    int32_t kernel_id;                    /* the owner that libc writes into locks */
    int32_t forked_id; /* its kernel_id in the process that forked this one, or 0 */
    /* Lock-order inversions: see order.h. */
    bool ordered;   /* it has acquired by something other than a lock since `before` was saved */
    uint32_t given; /* number of its releases by something other than a lock */
    struct sm_clock before;
    struct sm_clock cancel; /* of who cancelled it. Under the lock of threads */
    struct sm_order_seen *order_seen;
    struct sm_call_history *history; /* never NULL; sm_history_of_nobody once it has been freed */
    const struct sm_detect_thread *parent; /* written before it starts */
    struct sm_trail created;               /* creation stack; written before it starts */
    const struct sm_site *misused;         /* the last call that was reported as misuse, or NULL */
    void *(*start)(void *);
    void *argument;
    /* Of a block of epochs, the last one that the thread is known to have seen; 0: none. The entry
       of a block is its number modulo SM_SEEN_BLOCKS. */
    uint32_t seen_in[SM_SEEN_BLOCKS];
    uint64_t kept[SM_KEPT_READS];               /* reads: see kept.h */
    struct sm_membership teams[SM_MEMBERSHIPS]; /* the newest ones, in a ring */
    uint32_t n_teams;                           /* total number */
    struct sm_detect_thread *previous;          /* the previous thread of its slot, or NULL */
};

/* The lane of a cell that the threads of a slot prefer. Not the first, which may become a state: an
   ordinary store must not overwrite that (marks.h). */
static inline uint32_t sm_lane_of(uint32_t slot)
{
    return 1 + slot % (SM_MARKS - 1);
}

/* The running thread; NULL before it is registered. */
extern __thread struct sm_detect_thread *sm_current __attribute__((tls_model("initial-exec")));

/* A new thread, created by `parent` (NULL: none), whose clock it inherits. */
struct sm_detect_thread *sm_thread_new(struct sm_detect_thread *parent);
/* enter: the calling thread is this one from now on. resume and end are for fibers: continue one
   that was entered before, end one that is not running. */
void sm_thread_enter(struct sm_detect_thread *thread);
void sm_thread_resume(struct sm_detect_thread *thread);
void sm_thread_leave(struct sm_detect_thread *thread);
void sm_thread_end(struct sm_detect_thread *thread);
/* The calling thread continues in the child of a fork; or is no longer checked. */
void sm_thread_forked(struct sm_detect_thread *thread);
void sm_thread_forget(void);
/* The calling thread is about to cancel that one. The cleanup handlers and destructors that it will
   run come after that; but nothing shows when libc acts on the request, so the edge takes effect
   where it first makes a difference: when the cancelled thread would race, or next releases. */
void sm_thread_cancel(struct sm_detect_thread *canceller, struct sm_detect_thread *thread);
void sm_thread_acquire_cancel(struct sm_detect_thread *thread);
static inline void sm_thread_take_cancel(struct sm_detect_thread *thread)
{
    /* acquire: pairs with sm_thread_cancel; the clock itself has a lock */
    if (__builtin_expect(__atomic_load_n(&thread->cancelled, __ATOMIC_ACQUIRE), 0))
        sm_thread_acquire_cancel(thread);
}
/* The calling thread waits for the end of that one; NULL: it does so no longer. */
void sm_thread_joins(const struct sm_detect_thread *thread);
/* Brings sm_settled_times up to date, at most once in an epoch of the calling thread. False if
   nothing has changed. The caller holds no lock of the runtime. */
bool sm_threads_settle(struct sm_detect_thread *self);
/* All other threads have been joined. */
bool sm_thread_is_alone(void);
/* Frees the slot: everything the thread did happens before what its joiner does now. */
void sm_thread_joined(struct sm_detect_thread *joiner, struct sm_detect_thread *thread);
/* The thread that holds the lock, as far as is known, and where it acquired it; NULL: none. Under
   the lock of reports. */
const struct sm_detect_thread *sm_thread_holding(uintptr_t addr, struct sm_lock *taken);
/* The thread with this number; NULL: none. Under the lock of reports. */
const struct sm_detect_thread *sm_thread_numbered(uint32_t id);
/* The slots that were ever used, and the newest thread of each. */
uint32_t sm_thread_slots(void);
struct sm_detect_thread *sm_thread_in_slot(uint32_t slot);
/* The thread that had the slot at this time. */
const struct sm_detect_thread *sm_thread_of_time(uint32_t slot, uint32_t time);
/* The thread that made the accesses of an epoch. */
const struct sm_detect_thread *sm_thread_of_epoch(uint32_t epoch);

/* The OpenMP team of the thread in an epoch; NULL: none, or no longer known. */
const struct sm_membership *sm_thread_team(const struct sm_detect_thread *thread, uint32_t epoch);

/* Begins a new epoch after a release: later accesses are not covered by that release. */
void sm_epoch_advance(struct sm_detect_thread *thread);
/* The same for a thread whose epoch is too old for marks; false if no epochs are left. */
bool sm_epoch_renew(struct sm_detect_thread *thread);
/* Waits until every thread that is setting a mark has set it. */
void sm_threads_await_marks(void);

/* The epoch of a slot at a time of its clock; linear search, for reports. */
uint32_t sm_epoch_at(uint32_t slot, uint32_t time);

static inline uint32_t sm_epoch_slot(uint32_t epoch)
{
    return sm_blocks[epoch / SM_EPOCH_BLOCK].slot;
}

static inline uint32_t sm_epoch_time(uint32_t epoch)
{
    return sm_blocks[epoch / SM_EPOCH_BLOCK].time + epoch % SM_EPOCH_BLOCK;
}

/* Start of a window of SM_SHORT_EPOCHS epochs that contains the epochs of all marks and all current
   ones used for marks, so a mark's short epoch stands for one epoch. It moves once the marks of its
   first half have been removed (window.c). */
extern uint32_t sm_window;

/* Epochs up to this one ended before all threads but one had been joined and that one went on
   alone: they happen before everything that follows. An example is what programs set up before they
   start threads. */
extern uint32_t sm_settled;
/* For each of the first slots, the time up to which every live thread has seen it: accesses up to
   then happen before everything that follows. Kept by sm_threads_settle. */
extern uint32_t sm_settled_times[SM_CLOCK_LINE];

static inline uint32_t sm_epoch_expand(uint32_t short_epoch)
{
    uint32_t from = __atomic_load_n(&sm_window, __ATOMIC_RELAXED);
    return from + ((short_epoch - from) & (SM_SHORT_EPOCHS - 1));
}

/* sm_has_seen by the thread's clock; notes the answer for the epoch's block. */
__attribute__((preserve_all)) bool sm_has_seen_by_clock(struct sm_detect_thread *thread,
                                                        uint32_t epoch);

/* Do all accesses of the epoch happen before what the thread does now? Blocks that share an entry
   are SM_SEEN_BLOCKS apart, so an entry less than a block ahead is of the same block. */
static inline bool sm_has_seen(struct sm_detect_thread *thread, uint32_t epoch)
{
    uint32_t last = thread->seen_in[epoch / SM_EPOCH_BLOCK % SM_SEEN_BLOCKS];
    return __builtin_expect(last - epoch < SM_EPOCH_BLOCK, 1) ||
           sm_has_seen_by_clock(thread, epoch);
}

/* No later access can race with one of this epoch. */
static inline bool sm_epoch_is_settled(uint32_t epoch)
{
    if (epoch <= __atomic_load_n(&sm_settled, __ATOMIC_RELAXED))
        return true;
    uint32_t slot = sm_epoch_slot(epoch);
    return slot < SM_CLOCK_LINE &&
           sm_epoch_time(epoch) <= __atomic_load_n(&sm_settled_times[slot], __ATOMIC_RELAXED);
}

/* Does the clock include everything a thread had seen at the end of this epoch of its own (0: no
   thread's)? A thread publishes its whole clock once in each epoch, at its end. */
static inline bool sm_clock_contains(const struct sm_clock *clock, uint32_t epoch)
{
    epoch &= SM_EPOCH_MASK; /* a clock's owner may carry a flag: record.h */
    return epoch && sm_clock_get(clock, sm_epoch_slot(epoch)) >= sm_epoch_time(epoch) &&
           sm_clocks_exact;
}

#endif
