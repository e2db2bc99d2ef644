/*
 * epoch.h - whose epochs are whose, and what a thread has seen of the others.
 *
 * A slot is an index of vector clocks. A thread holds one from its creation to its end;
 * then a later thread may have it, if the later one's creation happens after the earlier
 * one's end: for a joined thread that is so, and one slot can serve twenty thousand threads
 * in turn. A thread that nobody joins keeps its slot, for its accesses must stay
 * distinguishable; 32,768 of those exhaust the slots, and from then on threads share
 * (counted as `slots ran out`: races between the sharers are missed).
 *
 * Clocks count releases. An epoch is a number for (slot, clock), taken from the slot's
 * block of SM_EPOCH_BLOCK; the table of blocks maps it back. There are 2^31 epochs: at five
 * million releases a second they last seven minutes; then clocks stand still, which misses
 * races and invents none, and is counted as `epochs ran out`.
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
#define SM_EPOCH_BLOCK 512u
#define SM_BLOCKS (SM_EPOCH_LIMIT / SM_EPOCH_BLOCK)

struct sm_block {
    uint32_t slot, time; /* of the block's first epoch */
};
extern struct sm_block sm_blocks[SM_BLOCKS];

/* Times of a clock that fill a cache line: with less, clocks of several threads share one. */
#define SM_CLOCK_LINE 16

/* False once threads share slots or clocks stand still: then an epoch no longer stands for
   all that its thread had seen at its end. */
extern bool sm_clocks_exact;

/* From a time of its clock on, a thread is one of an OpenMP team; size 0: of none. */
struct sm_membership {
    uint32_t from, number, size;
    const struct sm_site *region; /* or NULL: where is not known */
};
#define SM_MEMBERSHIPS 16

/* One for each thread that was ever created; never freed, for reports refer to it.
   Fields are written by the thread itself, except where said. */
struct sm_detect_thread {
    uint32_t id; /* in order of creation; 0 is the initial thread */
    uint32_t slot;
    uint32_t first_time, last_time; /* the slot's clock at its start, and at its end */
    struct sm_clock seen;       /* seen.time[slot] is its own clock; at its end, for who joins it */
    struct sm_clock released;   /* seen, at its last release fence */
    uint32_t released_in;       /* the epoch that ended there */
    struct sm_clock to_acquire; /* what relaxed loads saw, for an acquire fence */
    bool fenced;                /* `released` counts */
    bool ended;                 /* released by the thread, acquired by who joins */
    bool busy;                  /* inside the runtime: a signal handler checks nothing */
    bool marking;               /* see window.h */
    uint64_t mask;              /* of signals, that its start function begins with */
    uint32_t deferred;          /* signals that wait until it is not busy: signals.h */
    uint32_t ignored;           /* > 0: its accesses are not looked at */
    uint32_t sync_ignored;      /* > 0: it orders nothing, but for annotations */
    int32_t kernel_id;          /* that libc writes into locks as their owner */
    int32_t forked_id;          /* what it was in the process that forked this one, or 0 */
    /* Orders of locks: see order.h. */
    bool ordered;   /* it took something that is no lock's from others since `before` was kept */
    uint32_t given; /* how often it gave something that is no lock's */
    struct sm_clock before;
    struct sm_order_seen *order_seen;
    struct sm_call_history *history; /* never NULL; sm_history_of_nobody once it is forgotten */
    const struct sm_detect_thread *parent; /* written before it starts */
    struct sm_trail created;               /* where: written before it starts */
    const struct sm_site *misused;         /* the call that was told as misuse last, or NULL */
    void *(*start)(void *);
    void *argument;
    struct sm_membership teams[SM_MEMBERSHIPS]; /* the last ones, in a ring */
    uint32_t n_teams;                           /* all that were */
    struct sm_detect_thread *previous;          /* the one that had its slot before, or NULL */
};

/* The running thread's, NULL before it is known. */
extern __thread struct sm_detect_thread *sm_current __attribute__((tls_model("initial-exec")));

/* A thread that `parent` (NULL: nobody) creates: it has seen what its parent has seen. */
struct sm_detect_thread *sm_thread_new(struct sm_detect_thread *parent);
/* The calling thread is this one from now on. Fibers: one that was entered before goes on, one that
   does not run ends. */
void sm_thread_enter(struct sm_detect_thread *thread);
void sm_thread_resume(struct sm_detect_thread *thread);
void sm_thread_leave(struct sm_detect_thread *thread);
void sm_thread_end(struct sm_detect_thread *thread);
/* The calling thread goes on in the child of a fork; or is not looked at any more. */
void sm_thread_forked(struct sm_detect_thread *thread);
void sm_thread_forget(void);
/* All others were joined. */
bool sm_thread_is_alone(void);
/* Gives the slot away: everything the thread did has been seen by who joined it. */
void sm_thread_joined(struct sm_detect_thread *joiner, struct sm_detect_thread *thread);
/* Who has taken the lock, as far as is known, and where; NULL: nobody. Under the lock of reports.
 */
const struct sm_detect_thread *sm_thread_holding(uintptr_t addr, struct sm_lock *taken);
/* The thread of that number; NULL: there was none. Under the lock of reports. */
const struct sm_detect_thread *sm_thread_numbered(uint32_t id);
/* Whose time it was in the slot. */
const struct sm_detect_thread *sm_thread_of_time(uint32_t slot, uint32_t time);
/* Who made the accesses of an epoch. */
const struct sm_detect_thread *sm_thread_of_epoch(uint32_t epoch);

/* The OpenMP team that the thread was of in an epoch; NULL: of none, or not known any more. */
const struct sm_membership *sm_thread_team(const struct sm_detect_thread *thread, uint32_t epoch);

/* A new stretch of time: what follows is not covered by what was released so far. */
void sm_epoch_advance(struct sm_detect_thread *thread);
/* The same for a thread whose epoch is too old for marks; false if there is none left. */
bool sm_epoch_renew(struct sm_detect_thread *thread);
/* Each thread that is setting a mark has set it. */
void sm_threads_await_marks(void);

/* The epoch of a slot at a time of its clock: a search, for reports. */
uint32_t sm_epoch_at(uint32_t slot, uint32_t time);

static inline uint32_t sm_epoch_slot(uint32_t epoch)
{
    return sm_blocks[epoch / SM_EPOCH_BLOCK].slot;
}

static inline uint32_t sm_epoch_time(uint32_t epoch)
{
    return sm_blocks[epoch / SM_EPOCH_BLOCK].time + epoch % SM_EPOCH_BLOCK;
}

/* All epochs that marks have, and all current ones that are used for marks, are in a window of
   SM_SHORT_EPOCHS that begins here: so the short one of a mark stands for one epoch. Moves when the
   marks of the window's first half have been removed (window.c). */
extern uint32_t sm_window;

/* Epochs up to this one ended before all threads but one were joined and that one went on alone:
   all that happens now happens after them. What programs set up before they start threads is such.
 */
extern uint32_t sm_settled;

static inline uint32_t sm_epoch_expand(uint32_t short_epoch)
{
    uint32_t from = __atomic_load_n(&sm_window, __ATOMIC_RELAXED);
    return from + ((short_epoch - from) & (SM_SHORT_EPOCHS - 1));
}

/* Did all accesses of the epoch happen before what the thread does now? */
static inline bool sm_has_seen(const struct sm_detect_thread *thread, uint32_t epoch)
{
    return sm_clock_get(&thread->seen, sm_epoch_slot(epoch)) >= sm_epoch_time(epoch);
}

/* Does the clock contain all that a thread had seen at the end of an epoch of its (0: nobody's)?
   A thread publishes once in each epoch, at its end, and all it has seen by then. */
static inline bool sm_clock_contains(const struct sm_clock *clock, uint32_t epoch)
{
    epoch &= SM_EPOCH_MASK; /* the owner of a clock may have a flag: record.h */
    return epoch && sm_clock_get(clock, sm_epoch_slot(epoch)) >= sm_epoch_time(epoch) &&
           sm_clocks_exact;
}

#endif
