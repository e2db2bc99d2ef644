/*
 * circular.h - does a value from the future depend on itself?
 *
 * Out of thin air is what is stored only because it was foreseen. Whether a store depends on
 * a read cannot be seen in one execution, but it can be tried: make the execution again
 * without telling anybody the future, and look which of the stores that were foreseen are
 * made all the same (same thread, same place in the source, same address and value). Then
 * tell those, which need no foresight, and look which of the others come now; and so on, as
 * the Java memory model commits the actions of an execution one after the other. If some
 * never come, they depend on having been foreseen.
 *
 * What follows a different path may also miss its store by bad luck, so that an execution is
 * called circular which is not; never the other way round while a store is the same only if
 * nothing else is told.
 */
#ifndef SM_HUNT_CIRCULAR_H
#define SM_HUNT_CIRCULAR_H

#include "hunt/hunt.h"
#include "hunt/shrink.h"
#include "witness/witness.h"

/* The witness is of the case, and legal. False on an error. */
bool sm_circular(struct sm_hunt *hunt, const struct sm_case *failing,
                 const struct sm_witness *witness, bool *circular, struct sm_error *error);

#endif
