/*
 * execution.h - a trace as the axioms see it: events, and the cells they access.
 *
 * An event is one record of a thread, without the PART records that refine it, but with the
 * MORE records of a wide atomic. (The pieces of a wide plain access are separate events: they
 * are not atomic together.)
 *
 * A cell is a maximal run of bytes that no access of the trace divides, so that every access
 * covers a cell entirely or not at all; relations between accesses are kept for each cell.
 * Freed memory gets new cells. A location is a set of cells connected by common accesses: one
 * cell, unless access sizes are mixed. A part is one event at one cell.
 *
 * Internal to checker/. Functions return false when they have found the execution illegal
 * and have written the verdict.
 */
#ifndef SM_CHECKER_EXECUTION_H
#define SM_CHECKER_EXECUTION_H

#include "checker/cells.h"
#include "checker/check.h"

#define SM_NONE UINT32_MAX
#define SM_FROM_INITIAL (UINT32_MAX - 1)

enum sm_is {
    SM_IS_READ = 1 << 0,
    SM_IS_WRITE = 1 << 1,
    SM_IS_ATOMIC = 1 << 2, /* relaxed or stronger, as the model treats plain and volatile */
    SM_IS_ACQUIRE = 1 << 3,
    SM_IS_RELEASE = 1 << 4,
    SM_IS_SEQ_CST = 1 << 5,
    SM_IS_FENCE = 1 << 6,
    SM_IS_COHERENT = 1 << 7, /* constrained by modification order: all but hb's plain reads */
};

struct sm_checked_event {
    uint32_t record, thread;
    uint32_t time;                    /* position in its thread, from 1 */
    uint32_t clock;                   /* see happens.h */
    uint32_t part;                    /* its parts are [part, part + n_parts) */
    uint32_t location;                /* one of its cells; SM_NONE unless an access */
    uint32_t flushed;                 /* FLUSH: the event of the store; else SM_NONE */
    uint8_t n_parts, kind, flags, is; /* flags: enum sm_record_flag; is: enum sm_is */
};

struct sm_event_part {
    uint32_t event, cell;
    uint32_t source; /* reads: part of the store read from, or SM_FROM_INITIAL; else SM_NONE */
};

struct sm_execution {
    const struct sm_record *records;
    uint32_t n_records;
    struct sm_check_options options;
    struct sm_verdict *verdict;

    SM_VECTOR(struct sm_checked_event) events;
    SM_VECTOR(struct sm_event_part) parts;
    struct sm_access_cell *cells;
    uint32_t n_cells, n_threads;
    uint32_t *event_of;                 /* record: its event, or SM_NONE */
    uint32_t *by_thread, *thread_first; /* events of thread t: by_thread[thread_first[t]...] */

    struct sm_event_clocks *clocks; /* c11, hb */
    uint32_t *mo_prev; /* c11, hb; store parts: the one before at the cell, or SM_NONE */
};

/* Fills everything but clocks and modification order; checks the axioms of every model. */
bool sm_execution_build(struct sm_execution *x);
void sm_execution_free(struct sm_execution *x);

/* sc, tso, pso: every access. c11, hb: only accesses that must read the newest store. */
bool sm_check_memory(struct sm_execution *x);
/* c11, hb: reads composed of several stores. */
bool sm_check_tearing(struct sm_execution *x);
/* hb: plain reads. */
bool sm_check_visible(struct sm_execution *x);
/* hb, prescient, legal: is there a read of a later store that leads back to that store? Does this
   one? */
bool sm_find_circle(struct sm_execution *x);
bool sm_leads_back(struct sm_execution *x, uint32_t read);
/* The same: is each such read certified? Counts the certificates that were needed. */
bool sm_check_certificates(struct sm_execution *x, uint32_t *n);
/* Are initial values in the certificate the same as in the execution? */
bool sm_initial_values_fit(const struct sm_execution *x, const struct sm_certificate *certificate);
/* c11, hb: coherence, atomicity and seq_cst order, by search for a modification order. */
bool sm_check_modification(struct sm_execution *x);

/* Writes the verdict and returns false. {0}, {1}, ... in the sentence become descriptions of
   the events, given as n event numbers. */
bool sm_broken(struct sm_execution *x, enum sm_axiom axiom, const char *sentence, uint32_t n,
               const uint32_t *events);
#define SM_BROKEN(x, axiom, sentence, ...)                                                         \
    sm_broken(x, SM_AXIOM_##axiom, sentence, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), \
              (uint32_t[]){__VA_ARGS__})
/* The same for records that are not events yet. */
bool sm_broken_record(struct sm_execution *x, enum sm_axiom axiom, const char *sentence, uint32_t n,
                      const uint32_t *records);
#define SM_BROKEN_RECORD(x, axiom, sentence, ...)                                                  \
    sm_broken_record(x, SM_AXIOM_##axiom, sentence,                                                \
                     sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t),                         \
                     (uint32_t[]){__VA_ARGS__})

static inline bool sm_is(const struct sm_checked_event *event, int what)
{
    return (event->is & what) == what;
}

/* The part of the event at the cell, or SM_NONE. */
uint32_t sm_part_at(const struct sm_execution *x, uint32_t event, uint32_t cell);

static inline struct sm_checked_event *sm_event_of_part(const struct sm_execution *x, uint32_t part)
{
    return &x->events.at[x->parts.at[part].event];
}

#endif
