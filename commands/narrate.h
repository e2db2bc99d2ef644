/*
 * narrate.h - says what happens in a replay while it happens.
 *
 * The runtime counts in shared memory how far the replay has come. Whoever waits for the
 * program calls sm_narrate now and then, and everything up to there that matters is told: which
 * thread took over where, which read saw what it should not have seen. A replay that differs
 * from its recording stops there, so that nothing is told that did not come again.
 */
#ifndef SM_COMMANDS_NARRATE_H
#define SM_COMMANDS_NARRATE_H

#include "witness/witness.h"

struct sm_narration {
    const struct sm_witness *witness;
    size_t next;     /* record to look at */
    size_t told;     /* lines */
    size_t lies;     /* among what they tell */
    uint32_t thread; /* that ran last */
    size_t delayed;  /* stores that have not landed yet */
};

/* Tells, on standard error, of the records before number `end`. */
void sm_narrate(struct sm_narration *narration, uint64_t end);

#endif
