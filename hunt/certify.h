/*
 * certify.h - does the store of a future value depend on reading it early?
 *
 * Under hb a future value must be certified (docs/memory-models.md): from the moment of the read
 * the thread of the store, running alone, can make the same store. To find out, the execution is
 * repeated up to the read, with the same choices; from there on only that thread runs (and a thread
 * that it joins), seeing the newest stores in the first run, then random ones. The store is the
 * same if thread, address, size and value are, and the number of stores that the thread made there
 * before it.
 *
 * If no run makes the store, it may still be certifiable: then a failure is reported under oota,
 * which is weaker than necessary, never stronger.
 */
#ifndef SM_HUNT_CERTIFY_H
#define SM_HUNT_CERTIFY_H

#include "hunt/hunt.h"
#include "hunt/shrink.h"
#include "witness/witness.h"

/* Makes the run: from record `read` on only `thread` runs. The trace is then in `shared`. */
struct sm_soloist {
    bool (*run)(void *context, uint64_t read, uint32_t thread, uint64_t seed,
                struct sm_error *error);
    void *context;
    uint64_t runs; /* at most, for each value */
    const struct sm_shared *shared;
};
void sm_solo_options(struct sm_options *options, uint64_t read, uint32_t thread, uint64_t seed);

/* The witness is legal under oota. *certified: each of its future values is certified, and the
   witness has their certificates. False on an error. */
bool sm_certify_futures(const struct sm_soloist *soloist, struct sm_witness *witness,
                        bool *certified, struct sm_error *error);
/* The witness is of the case. */
bool sm_certify_case(struct sm_hunt *hunt, const struct sm_case *failing,
                     struct sm_witness *witness, bool *certified, struct sm_error *error);
/* The witness is verify's. Does its execution repeat, event for event, in a process of its own? Not
   if the program keeps state that is not restored before each execution (runtime/restart.h): then
   it is no execution of the program. */
bool sm_explored_comes_again(const struct sm_witness *witness, bool *again, struct sm_error *error);
/* The witness is verify's, of model hb: adds its certificates, unless one is not found. */
bool sm_certify_explored(struct sm_witness *witness, struct sm_error *error);

#endif
