/*
 * ladder.h - the strongest memory model in which a failure still happens.
 *
 * A programmer asks of a failure under `hb`: does it take a compiler, a weak processor, an
 * x86, or just bad luck? From the strongest model on, each gets the failing execution's
 * choices, as far as they make sense there, and then trials of its own.
 */
#ifndef SM_HUNT_LADDER_H
#define SM_HUNT_LADDER_H

#include "hunt/shrink.h"

/* Replaces the case by one of the strongest model that fails, made small. */
bool sm_ladder_climb(struct sm_case *failing, uint64_t trials, struct sm_campaign *campaign,
                     struct sm_baseline *baseline, struct sm_error *error);

#endif
