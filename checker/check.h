/*
 * check.h - is this execution legal in its memory model?
 *
 * The checker reads the records of a trace (abi/record.h) and decides by the model's
 * declarative axioms, listed in axioms.def and explained in docs/memory-models.md. It
 * shares no code with the runtime's models, so that each can reveal errors of the other.
 *
 * It is thread-safe and does not trust the records: a damaged trace gives a verdict like
 * any other. Time is near linear, except for c11 and hb when seq_cst accesses meet stale
 * reads; a million records take a second or two.
 */
#ifndef SM_CHECKER_CHECK_H
#define SM_CHECKER_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/control.h"
#include "witness/witness.h"

enum sm_axiom {
#define SM_AXIOM(id, name, law) SM_AXIOM_##id,
#include "checker/axioms.def"
    SM_AXIOMS
};

#define SM_VERDICT_EVENTS 8

struct sm_check_options {
    enum sm_model_id model;
    enum sm_volatile_id volatile_as;
    bool prescient; /* hb, oota: plain loads may read from stores later in the trace */
    /* A certificate is required where one of these may lead back to its store. */
    bool certified;
    bool all_watched; /* every access is recorded, and so every path back */
    const struct sm_certificate *certificates;
    size_t n_certificates;
    /* Can these bytes have this initial value? NULL: unknown. */
    bool (*begins)(void *memory, uint64_t addr, unsigned size, uint64_t value);
    void *memory;
    /* Writes the site's place in the source, for `why`; may be NULL. */
    void (*place)(void *context, uint32_t site, char *to, size_t size);
    void *context;
};

struct sm_verdict {
    bool legal;
    bool may_be_circular; /* legal, but a future value leads back to its own store */
    uint32_t n_certified; /* future values that needed a certificate, and have a valid one */
    const char *axiom;    /* name of the axiom broken, as in axioms.def; NULL when legal */
    uint64_t events[SM_VERDICT_EVENTS]; /* the records that break it */
    uint32_t n_events;
    char why[1024]; /* one sentence; "" when legal */
};

/* The options for checking a witness, without `place`: its model, and its certificates if the model
   is hb. A witness of verify may lack them, if one was not found: then only oota is checked. */
struct sm_check_options sm_check_options_of(const struct sm_witness *witness);

/* Returns verdict->legal. */
bool sm_check_records(const struct sm_record *records, uint64_t n,
                      const struct sm_check_options *options, struct sm_verdict *verdict);

/* Reports the edges between threads whose transitive closure with program order is happens-before.
   False, and reports nothing, if the records are not an execution. */
typedef void sm_edge_seen(void *context, uint32_t before, uint32_t after);
bool sm_check_edges(const struct sm_record *records, uint64_t n,
                    const struct sm_check_options *options, sm_edge_seen *see, void *context);
/* The same for modification order: each store and its successor. For c11 and hb it is the order
   that the checker found; else the order in which stores reach memory. */
bool sm_check_modification_order(const struct sm_record *records, uint64_t n,
                                 const struct sm_check_options *options, sm_edge_seen *see,
                                 void *context);

#endif
