/*
 * cover.h - from "nothing failed" to "nothing can fail": `hunt --prove`.
 *
 * A hunt tries executions; `stalemate verify` covers them all, where the program is small enough.
 * If it does so under hb (with all lies at once, which allows whatever lies about one variable
 * allow), without a violation, and no output comes that executions without lies do not have or
 * the oracle rejects, then every race that looked benign is.
 *
 * verify runs as a process of its own: what it cannot explore, or a bound or time limit that cuts
 * it, leaves the verdicts as they are.
 */
#ifndef SM_HUNT_COVER_H
#define SM_HUNT_COVER_H

#include "hunt/hunt.h"

/* Returns why the races are proved benign, or are not; to be freed. */
char *sm_cover(const struct sm_hunt *hunt, bool *proved);

#endif
