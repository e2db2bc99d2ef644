/*
 * check.h - is this execution legal in its memory model?
 *
 * The checker reads the records of a trace (abi/record.h) and decides by the model's
 * declarative axioms, listed in axioms.def and explained in docs/memory-models.md. It
 * shares no code with the runtime's models: what one gets wrong, the other finds.
 *
 * Anyone may call it, from any thread, on records from anywhere: it believes nothing
 * about them, so a damaged trace gives a verdict like any other. Time is near linear
 * for sc, tso, pso and hb, and for c11 unless seq_cst accesses meet stale reads; a
 * million records take a second or two.
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
    bool prescient; /* hb, oota: plain loads may see stores that stand later in the trace */
    /* Where one of these may lead back to its store, a certificate is demanded. */
    bool certified;
    bool all_watched; /* every access is recorded: what leads back can be seen */
    const struct sm_certificate *certificates;
    size_t n_certificates;
    /* May these bytes of memory begin with the value? NULL: nothing is known of that. */
    bool (*begins)(void *memory, uint64_t addr, unsigned size, uint64_t value);
    void *memory;
    /* Writes where in the source the site is, for `why`; may be NULL. */
    void (*place)(void *context, uint32_t site, char *to, size_t size);
    void *context;
};

struct sm_verdict {
    bool legal;
    bool may_be_circular; /* legal, but a value from the future leads back to its own store */
    uint32_t n_certified; /* future values for which a certificate was needed, and is right */
    const char *axiom;    /* name of the axiom broken, as in axioms.def; NULL when legal */
    uint64_t events[SM_VERDICT_EVENTS]; /* the records that break it */
    uint32_t n_events;
    char why[1024]; /* one sentence; "" when legal */
};

/* The options by which a witness is judged, without `place`: its model, and its certificates if it
   claims hb. Witnesses of verify carry none: of these only what oota demands is decided. */
struct sm_check_options sm_check_options_of(const struct sm_witness *witness);

/* Returns verdict->legal. */
bool sm_check_records(const struct sm_record *records, uint64_t n,
                      const struct sm_check_options *options, struct sm_verdict *verdict);

/* Shows each edge of happens-before between threads; with program order these are all of it. False,
   and nothing is shown, if the records are not an execution. */
typedef void sm_edge_seen(void *context, uint32_t before, uint32_t after);
bool sm_check_edges(const struct sm_record *records, uint64_t n,
                    const struct sm_check_options *options, sm_edge_seen *see, void *context);
/* The same for modification order: each store and the next one of its location. For c11 and hb it
   is the one that the checker found; else the order in which stores reach memory. */
bool sm_check_modification_order(const struct sm_record *records, uint64_t n,
                                 const struct sm_check_options *options, sm_edge_seen *see,
                                 void *context);

#endif
