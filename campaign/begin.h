/*
 * begin.h - the first execution of a campaign that looks for failures.
 *
 * It has the default schedule and no lies. It says which exit status is the right one, unless
 * the user does, and what the usual output is; then the oracle can be asked. A program that
 * fails here fails before anything was done to it, and the campaign ends (status 3), unless
 * the execution shows violations of atomicity that may be why.
 */
#ifndef SM_CAMPAIGN_BEGIN_H
#define SM_CAMPAIGN_BEGIN_H

#include "hunt/hunt.h"

bool sm_hunt_begin(struct sm_hunt *hunt, struct sm_error *error);
/* How long each execution may take from now on, unless the user has said. */
void sm_hunt_limit(struct sm_hunt *hunt, double seconds);

#endif
