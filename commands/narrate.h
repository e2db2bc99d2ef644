/*
 * narrate.h - prints what happens in a replay while it runs.
 *
 * The runtime counts in shared memory how far the replay is. The code that waits for the program
 * calls sm_narrate now and then, which prints everything up to there that matters: which thread was
 * scheduled where, which read saw a stale or future value. A replay that differs from its recording
 * stops there, so nothing is printed that did not happen again.
 */
#ifndef SM_COMMANDS_NARRATE_H
#define SM_COMMANDS_NARRATE_H

#include "witness/witness.h"

struct sm_narration {
    const struct sm_witness *witness;
    size_t next;     /* next record to examine */
    size_t told;     /* lines */
    size_t lies;     /* among those printed */
    uint32_t thread; /* that ran last */
    size_t delayed;  /* stores that have not reached memory yet */
};

/* Prints the records before number `end` on standard error. */
void sm_narrate(struct sm_narration *narration, uint64_t end);

#endif
