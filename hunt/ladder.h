/*
 * ladder.h - the strongest memory model in which a failure still happens.
 *
 * The model tells what a failure needs: a compiler, a weak processor, an x86, or just an unlucky
 * schedule. From the strongest model on, each is tried with the failing execution's choices, as far
 * as they fit, and then with trials of its own.
 */
#ifndef SM_HUNT_LADDER_H
#define SM_HUNT_LADDER_H

#include "hunt/shrink.h"

/* Replaces the case by one of the strongest model that fails, reduced. */
bool sm_ladder_climb(struct sm_case *failing, uint64_t trials, struct sm_campaign *campaign,
                     struct sm_baseline *baseline, struct sm_error *error);

#endif
