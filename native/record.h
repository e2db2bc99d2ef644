/*
 * record.h - what a cell cannot hold: lists of marks, and the clocks of synchronisation.
 *
 * A granule that holds an atomic, a lock, or bytes in too many different states has a record. It is
 * found through the granule's shadow, without a search, and has its own lock: an atomic access
 * needs three cache lines, which are fetched together.
 *
 *   marks   accesses that later ones may race with: bytes, epoch, kind. An access that a later
 *           one dominates (same bytes, happens after it, at least as strong) is dropped, so the
 *           list is short: a mark or two for each thread that is active here. This is exact for
 *           every mix of sizes, and of plain and atomic accesses.
 *   clocks  the clock a thread acquires when it synchronises with this address. The key selects
 *           the part of a granule (offset and size of an atomic) or the side of a reader-writer
 *           lock.
 */
#ifndef SM_NATIVE_RECORD_H
#define SM_NATIVE_RECORD_H

#include "base/sys.h"
#include "native/paths.h"
#include "native/shadow.h"

struct sm_mark {
    uint32_t epoch;
    uint8_t mask;  /* of the granule's bytes */
    uint8_t kind;  /* WRITE, ATOMIC of enum sm_access_kind */
    uint16_t slot; /* of the epoch: the table of blocks (epoch.h) would be a cache miss */
};
_Static_assert(SM_SLOTS <= 1u << 16, "a slot");

static inline struct sm_mark sm_mark_in_record(uint32_t epoch, uint8_t mask, unsigned kind)
{
    return (struct sm_mark){epoch, mask, (uint8_t)kind, (uint16_t)sm_epoch_slot(epoch)};
}

/* While `owner` is an epoch, the clock is exactly that of its thread at the end of that epoch, so a
   thread that has seen the epoch need not acquire the clock. 0: a join of several. The owner of an
   atomic's clock is flagged SM_OWNER_HEAD if a release store (not a fence) set the clock. */
#define SM_OWNER_HEAD 0x80000000u
struct sm_sync_clock {
    uint32_t key; /* 0: not in use */
    uint32_t owner;
    struct sm_clock clock;
    struct sm_sync_clock *next;
};

/* A clock that is not the first, with room for the entries of programs with few threads. */
struct sm_more_clock {
    struct sm_sync_clock sync;
    uint32_t times[8];
};
_Static_assert(sizeof(struct sm_more_clock) == 64, "a cache line");

#define SM_FEW_MARKS 5
#define SM_RECORDS (1u << 26)

struct sm_granule_record {
    uint32_t lock;
    uint32_t n_marks;
    uint8_t doublings; /* of the room for marks */
    uint8_t rereads;   /* since it was last written, as far as they count: kept.h */
    uint16_t n_plain;  /* marks that are not atomic */
    union {
        uint32_t count;     /* barriers: threads needed */
        uint32_t next_free; /* free records */
    };
    struct sm_mark *marks; /* initially `few` */
    uintptr_t granule;     /* its granule; 0: free. Written under both locks */
    union {
        uint64_t version; /* atomics: changes with each store; see atomic.c */
        uint64_t phase;   /* barriers: arrivals so far */
    };
    struct sm_mark few[SM_FEW_MARKS]; /* three in the first line, which atomics need anyway */
    uint64_t keepers;              /* slots, modulo 64, of threads that keep reads of it: kept.h */
    struct sm_sync_clock first;    /* head of the list of clocks */
    struct sm_sync_clock *heads;   /* atomics: heads of release sequences; see atomic.c */
    uint32_t times[SM_CLOCK_LINE]; /* entries of the first clock, while they suffice */
} __attribute__((aligned(64)));
_Static_assert(sizeof(struct sm_granule_record) == 192, "three cache lines");

/* All records, by number; number 0 is unused. */
extern struct sm_granule_record *sm_records;
extern uint32_t sm_n_records;

/* Without the lock; NULL if there is none. The number may be outdated: it is a valid record, but
   the caller checks whose. */
static inline struct sm_granule_record *sm_record_find(uintptr_t addr)
{
    if (sm_cell_state(sm_cell_of(addr)) != SM_MARK_LIST)
        return NULL;
    uint32_t number = __atomic_load_n(sm_cell_number(addr), __ATOMIC_RELAXED);
    return number < sm_n_records ? &sm_records[number] : NULL;
}

/* The granule's record, locked; turns the granule into a list if necessary. The cache lines behind
   the lock are prefetched while it is acquired: between two cores that takes as long as all the
   rest. */
struct sm_granule_record *sm_record_lock_slowly(uintptr_t addr);
static inline struct sm_granule_record *sm_record_lock(uintptr_t addr, bool clocks)
{
    struct sm_granule_record *record = sm_record_find(addr);
    if (!SM_LIKELY(record))
        return sm_record_lock_slowly(addr);
    __builtin_prefetch(&record->few[2], 1);
    if (clocks)
        __builtin_prefetch(record->times, 1);
    sm_lock_word(&record->lock, SM_LOCK_RECORD);
    if (SM_LIKELY(record->granule == (addr & ~7ul)))
        return record;
    sm_unlock_word(&record->lock, SM_LOCK_RECORD);
    return sm_record_lock_slowly(addr);
}

static inline void sm_record_unlock(struct sm_granule_record *record)
{
    sm_unlock_word(&record->lock, SM_LOCK_RECORD);
}

/* A granule has got a record, or lost it. */
void sm_record_counted(uintptr_t addr, int by);
/* The granule needs no record any more: it has plain accesses only, and few of them can still race.
   Under the record's lock. */
bool sm_record_fits_cell(const struct sm_granule_record *record);
/* If that is so, the marks go back to the cell. Takes the locks itself. */
void sm_record_to_cell(uintptr_t addr);
/* Drops the record; acquires the locks itself. */
void sm_record_drop(uintptr_t addr);

/* Atomic accesses do not race with each other: without plain marks, only a thread's own mark of an
   earlier epoch needs replacing. (If two threads had the same slot, all that the earlier did
   happens before the later.) NULL if there is no such mark, or plain marks must be checked. */
static inline struct sm_mark *sm_record_own_atomic(struct sm_granule_record *record,
                                                   struct sm_mark mark)
{
    uint32_t n = record->n_plain ? 0 : record->n_marks;
    for (struct sm_mark *own = record->marks, *end = own + n; own < end; own++)
        if (own->kind == mark.kind && own->mask == mark.mask && own->slot == mark.slot)
            return own;
    return NULL;
}

/* A plain read of bytes that the thread has read before, all marks being plain: the read's mark
   gets the new epoch. Nearly all first reads of an epoch are of this kind where more threads read a
   granule than a cell has lanes. No race is possible: a write that the thread has not seen would
   have taken these bytes from the mark, or raced with it. A mark moves to a place given by its
   thread's slot, so it is found without a search (17 readers of a table took 13 times as long as
   under ThreadSanitizer, where each walked all marks). Returns it. NULL: there is no such mark, or
   the granule may fit into its cell again. Called with the program's registers in use: paths.h. */
static inline __attribute__((always_inline)) struct sm_mark *
sm_record_reread(struct sm_granule_record *record, struct sm_mark mark)
{
    uint32_t n = record->n_marks, home, at;
    struct sm_mark *marks = record->marks;
    bool may_fit = !record->keepers && (n <= SM_MARKS - 2 || mark.epoch % 64 == 0);
    if (!n || may_fit || record->n_plain != n)
        return NULL;
    at = home = mark.slot % n;
    while (marks[at].slot != mark.slot || marks[at].mask != mark.mask || marks[at].kind) {
        at = at + 1 < n ? at + 1 : 0;
        if (at == home)
            return NULL;
    }
    if (at != home && marks[home].slot % n != home) {
        marks[at] = marks[home];
        at = home;
    }
    marks[at] = mark;
    return &marks[at];
}

/* Adds a mark as it is, in addition to those that are there. Under the record's lock, like all
   below. */
void sm_record_add(struct sm_granule_record *record, struct sm_mark mark);
/* Adds a mark. If it races with another, fills in the other's side of `race`. False if the access
   was already covered. */
bool sm_record_access(struct sm_granule_record *record, struct sm_detect_thread *thread,
                      struct sm_mark mark, struct sm_collision *race);
/* Removes the mark's bytes from the marks of its kind and epoch: the access will be repeated. */
void sm_record_forget(struct sm_granule_record *record, struct sm_mark mark);
/* The clock of a key, created if there is none. */
struct sm_sync_clock *sm_record_clock(struct sm_granule_record *record, uint32_t key);
/* The same in the list of heads; NULL if there is none and `make` is false. */
struct sm_sync_clock *sm_record_head(struct sm_granule_record *record, uint32_t key, bool make);

/* Joins the clock to `to`. */
static inline void sm_clock_take(struct sm_clock *to, const struct sm_sync_clock *from)
{
    if (!sm_clock_contains(to, from->owner))
        sm_clock_join(to, &from->clock);
}

/* Sets the clock to that of a thread at the end of an epoch: the current one, or that of its last
   release fence. */
static inline void sm_clock_replace(struct sm_sync_clock *to, const struct sm_clock *from,
                                    uint32_t epoch)
{
    if (SM_LIKELY(from->n <= SM_CLOCK_LINE && from->n <= to->clock.capacity)) {
#pragma clang loop vectorize(disable) unroll(disable) /* mostly a few entries */
        for (uint32_t i = 0; i < from->n; i++)
            to->clock.time[i] = from->time[i];
        to->clock.n = from->n;
    } else {
        sm_clock_copy(&to->clock, from);
    }
    to->owner = epoch;
}

/* The same, but joins. */
static inline void sm_clock_add(struct sm_sync_clock *to, const struct sm_clock *from,
                                uint32_t epoch)
{
    if (!to->clock.n || sm_clock_contains(from, to->owner)) {
        sm_clock_replace(to, from, epoch);
    } else if (!sm_clock_contains(&to->clock, epoch)) {
        sm_clock_join(&to->clock, from);
        to->owner = 0;
    }
}

static inline void sm_clock_empty(struct sm_sync_clock *clock)
{
    clock->clock.n = 0;
    clock->owner = 0;
}

#endif
