/*
 * history.h - the stores of a location, for the models that may return stale ones.
 *
 * One history for each granule of 8 bytes that was accessed under such a model. Its stores are in
 * modification order, oldest first; the first is what memory held at the first access (a static
 * initialiser, or the contents of a new block), and happens before everything. The order between
 * stores of different locations in a granule has no meaning; bytes that one access has in common
 * are one location (sm_history_location). A store has the bytes it wrote, its time (the storing
 * thread's clock, and its view), its message for acquire loads, and its readers.
 *
 * Memory always holds the newest store of each byte. If it does not, uninstrumented code has
 * stored there: sm_history_at detects that, and adds the store.
 *
 * Histories are bounded. Entries that no thread can see any more are dropped (GC1), and so are
 * those that were stored again without synchronisation in between and that no coherent load has
 * read (GC2); beyond the bound the oldest is dropped (REMOVE OLDEST), which only makes fewer stale
 * values available.
 */
#ifndef SM_RUNTIME_MODEL_HISTORY_H
#define SM_RUNTIME_MODEL_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/event.h"
#include "runtime/hb.h"

struct sm_reader {
    uint32_t thread, time;
};

struct sm_past_store {
    uint64_t value; /* shifted to its place in the granule; bytes outside mask are 0 */
    uint64_t record;
    struct sm_message *message; /* for acquire loads; may be NULL */
    struct sm_message *view;    /* the thread's view at the store; NULL: initial */
    uint32_t thread, time;
    uint8_t mask;
    uint64_t sc_number; /* seq_cst: number among such stores, from 1; else 0 */
    bool is_rmw;        /* directly mo-after the store before it */
    bool is_atomic;
    uint32_t n_readers, reader_capacity;
    struct sm_reader *readers; /* first time each thread read it */
};

/* A thread and the site at which it reads. */
struct sm_patience {
    const void *site;
    uint32_t thread;
    uint32_t stale_run; /* stale values it was given since it last read the newest store */
};

/* The alternatives of a load of certain bytes, newest first. */
struct sm_ways {
    uint32_t *positions; /* of the newest store of each */
    uint64_t *values;    /* as the load will have them */
    uint32_t n, capacity;
    uint64_t view; /* sm_hb_version for which they are valid; 0: none */
    uint8_t mask;  /* bytes */
};
enum { SM_MAX_CANDIDATES = 256 };

struct sm_history {
    uint32_t n, capacity;
    uint32_t collect_at; /* length at which GC1 runs again */
    uint64_t whole;      /* its length if nothing were ever dropped */
    struct sm_past_store *stores;
    struct sm_message *joined;    /* of the last read whose bytes came from several stores */
    uint64_t last_read;           /* the last value read of each byte, for the heuristics */
    uint8_t last_mask;            /* bytes that have been read */
    struct sm_patience *patience; /* of each thread and site that reads here */
    uint32_t n_patience, patience_capacity;
    uint8_t tied[8]; /* for each byte: the bytes of its location */
    /* Cached by hb.c, for either half; until a store is added or removed. */
    struct sm_ways visible[2];
    uint16_t piece_key; /* bytes of a load, and whether it is read in halves */
    uint8_t piece;      /* how many of them are chosen at once */
};

void sm_history_start(void);
struct sm_history *sm_history_at(const struct sm_event *event);
void sm_history_forget(uintptr_t addr, size_t size);
/* The bytes of the location that the event accesses. */
uint8_t sm_history_location(const struct sm_history *history, const struct sm_event *event);
struct sm_patience *sm_history_patience(struct sm_history *history, const struct sm_event *event);

static inline uint8_t sm_mask(const struct sm_event *event)
{
    return (uint8_t)(((1u << event->size) - 1) << event->addr % 8);
}

/* The last value read of the event's bytes. False: not all of them have been read. */
bool sm_history_last(const struct sm_history *history, const struct sm_event *event,
                     uint64_t *value);
void sm_history_gave(struct sm_history *history, const struct sm_event *event, uint64_t value);

/* Inserts the event's store at `position` (n: after all others), and writes those of its bytes to
   memory that no later store has written. */
void sm_history_insert(struct sm_history *history, const struct sm_event *event, uint32_t position);
/* Records that the event's thread has read the store. */
void sm_store_read(struct sm_past_store *store, const struct sm_event *event);

/* a happens before b, by their views. */
bool sm_store_before(const struct sm_past_store *a, const struct sm_past_store *b);
/* The store is known to a thread with this clock. */
static inline bool sm_store_known(const struct sm_past_store *store, const struct sm_clock *clock)
{
    return store->time <= sm_clock_get(clock, store->thread);
}

#endif
