/*
 * cover.h - `hunt --prove`: proves that benign races are benign.
 *
 * A hunt samples executions; `stalemate verify` explores all of them, if the program is small
 * enough. If it does so under the model of the hunt (hb at least; with lies about all variables at
 * once, which allows all that lies about one variable allow), without a violation, and there is no
 * output that executions without lies do not have or the oracle rejects, then every race that
 * looked benign is benign.
 *
 * verify runs as a process of its own: if it cannot explore the program, or is cut by a bound or
 * time limit, the verdicts stay as they are.
 */
#ifndef SM_HUNT_COVER_H
#define SM_HUNT_COVER_H

#include "hunt/hunt.h"

/* Returns why the races are proved benign, or why not; to be freed. */
char *sm_cover(const struct sm_hunt *hunt, bool *proved);

#endif
