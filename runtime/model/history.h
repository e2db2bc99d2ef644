/*
 * history.h - the stores a location has had, for the models that may return old ones.
 *
 * One history for each granule of 8 bytes that was accessed under such a model. Its
 * stores stand in modification order, oldest first; the first is what memory held at the
 * first access (a static initialiser, or what malloc handed out), and happens before
 * everything. The order between stores of different locations in a granule means nothing; bytes
 * that one access has in common are one location (sm_history_location). Each store knows which
 * bytes it wrote, when (the storing thread's time, and its whole view), what an acquire load learns
 * from it, and who has read it.
 *
 * Memory always holds the newest store of each byte. Where it does not, code that is not
 * instrumented has stored there: sm_history_at notices, and adds that store.
 *
 * Histories are bounded. An entry that no thread can see any more is dropped (GC1), one
 * that was stored again with no synchronisation in between and that no coherent load has read
 * too (GC2), and beyond the
 * bound the oldest goes (REMOVE OLDEST), which only takes away freedom to lie.
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
    uint64_t value; /* in its place in the granule; bytes outside mask are 0 */
    uint64_t record;
    struct sm_message *message; /* for acquire loads; may be NULL */
    struct sm_message *view;    /* the thread's view when it stored; NULL: initial */
    uint32_t thread, time;
    uint8_t mask;
    uint64_t sc_number; /* seq_cst: how many such stores there were, this included; else 0 */
    bool is_rmw;        /* nothing may come between it and the store before it */
    bool is_atomic;
    uint32_t n_readers, reader_capacity;
    struct sm_reader *readers; /* first time each thread read it */
};

/* A thread and the site at which it reads. */
struct sm_patience {
    const void *site;
    uint32_t thread;
    uint32_t stale_run; /* stale values it was given since the last newest one */
};

/* The ways in which a load of certain bytes can turn out, the newest first. */
struct sm_ways {
    uint32_t *positions; /* of the newest store of each */
    uint64_t *values;    /* as the load will have them */
    uint32_t n, capacity;
    uint64_t view; /* for whom they are: sm_hb_version; 0: nobody */
    uint8_t mask;  /* bytes */
};
enum { SM_MAX_CANDIDATES = 256 };

struct sm_history {
    uint32_t n, capacity;
    uint32_t collect_at; /* stores from which on GC1 is worth its time again */
    uint64_t whole;      /* its length if nothing were ever dropped */
    struct sm_past_store *stores;
    struct sm_message *joined;    /* of the last read that took its bytes from several stores */
    uint64_t last_read;           /* what each byte gave last, for the heuristics */
    uint8_t last_mask;            /* bytes that have been read */
    struct sm_patience *patience; /* of each place that reads here */
    uint32_t n_patience, patience_capacity;
    uint8_t tied[8]; /* for each byte: those that accesses tie to it, directly or not */
    /* What hb.c found out last, for either half; until a store comes or goes. */
    struct sm_ways visible[2];
    uint16_t piece_key; /* bytes of a load, and whether it comes in halves */
    uint8_t piece;      /* so many of them are chosen at once */
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

/* What the bytes of the event gave last. False: not all of them have been read. */
bool sm_history_last(const struct sm_history *history, const struct sm_event *event,
                     uint64_t *value);
void sm_history_gave(struct sm_history *history, const struct sm_event *event, uint64_t value);

/* Puts the event's store at `position` (n: behind all others), and into memory the bytes
   that no later store has written. */
void sm_history_insert(struct sm_history *history, const struct sm_event *event, uint32_t position);
/* Notes that the event's thread has read the store. */
void sm_store_read(struct sm_past_store *store, const struct sm_event *event);

/* a happens before b, by their views. */
bool sm_store_before(const struct sm_past_store *a, const struct sm_past_store *b);
/* The store is known to whoever has this clock. */
static inline bool sm_store_known(const struct sm_past_store *store, const struct sm_clock *clock)
{
    return store->time <= sm_clock_get(clock, store->thread);
}

#endif
