/*
 * record.h - what a cell cannot hold: lists of marks, and the clocks of synchronisation.
 *
 * A granule that holds an atomic, a lock, or bytes in too many different states has a
 * record. It is found through the granule's shadow, without a search, and protected by the
 * granule's lock.
 *
 *   marks   accesses that later ones may race with: which bytes, which epoch, what kind. An
 *           access that a later one dominates (same bytes, seen by it, at least as strong)
 *           is dropped, so the list is short: a mark or two for each thread that is active
 *           here. This is exact for every mix of sizes, and of plain and atomic accesses.
 *   clocks  what a thread gets that synchronises with this address. The key tells apart the
 *           parts of a granule (offset and size of an atomic) and the two sides of a
 *           reader-writer lock.
 */
#ifndef SM_DETECT_RECORD_H
#define SM_DETECT_RECORD_H

#include "shadow.h"

struct sm_mark {
    uint32_t epoch;
    uint8_t mask; /* of the granule's bytes */
    uint8_t kind; /* WRITE, ATOMIC of enum sm_access_kind */
    uint16_t reserved;
};

struct sm_sync_clock {
    uint32_t key;
    struct sm_clock clock;
    struct sm_sync_clock *next;
};

struct sm_record {
    uint32_t n_marks, room;
    struct sm_mark *marks;
    struct sm_sync_clock *clocks;
    uint64_t version;      /* atomics: changes with each store; see atomic.c */
    uint64_t count, phase; /* barriers: threads needed, arrivals so far */
    uint32_t next_free;
};

static inline uint8_t sm_mark_mask(uintptr_t addr, uint32_t size)
{
    return (uint8_t)(((1u << size) - 1) << (addr & 7));
}

/* The granule's record; its LOW cell must say LIST. Under the granule's lock, like all here. */
struct sm_record *sm_record_at(uintptr_t addr);
/* Makes the granule a list if it is none, and returns its record. */
struct sm_record *sm_record_get(uintptr_t addr);
/* Forgets the record; takes the lock itself. */
void sm_record_drop(uintptr_t addr);
bool sm_records_exist(void);

/* Adds a mark. If it races with another, fills in what `race` says of that one. False if
   nothing was new. */
bool sm_record_access(struct sm_record *record, struct sm_detect_thread *thread,
                      struct sm_mark mark, struct sm_race *race);
/* The clock of a key, made if there is none. */
struct sm_clock *sm_record_clock(struct sm_record *record, uint32_t key);

#endif
