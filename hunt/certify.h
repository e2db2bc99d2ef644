/*
 * certify.h - does a value from the future need to be foreseen?
 *
 * Under hb a future value must be certified (docs/memory-models.md): from the moment of the read
 * the thread of the store, running alone, can make the same store. That is tried: the execution is
 * made again up to the read, with the same choices; from there on that thread alone runs (and a
 * thread that it joins), seeing the newest stores at first, then others by chance. The store is the
 * same if thread, address, size and value are, and the number of stores that the thread made there
 * before it.
 *
 * A store that is not made in any of these runs may still be certified, by bad luck: then a failure
 * is reported under oota, which is weaker than it need be. Never the other way round.
 */
#ifndef SM_HUNT_CERTIFY_H
#define SM_HUNT_CERTIFY_H

#include "hunt/hunt.h"
#include "hunt/shrink.h"
#include "witness/witness.h"

/* The witness is of the case, and legal. *certified: each of its future values is, and the witness
   has their certificates. False on an error. */
bool sm_certify_futures(struct sm_hunt *hunt, const struct sm_case *failing,
                        struct sm_witness *witness, bool *certified, struct sm_error *error);

#endif
