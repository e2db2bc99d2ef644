/*
 * newest.h - the failing schedule without its lies.
 *
 * To see whether a lie broke the program, compare the witness with the same schedule without it. So
 * the choices of a case are executed again without its lies: every read sees the newest store,
 * every store is visible at once. That execution is recorded next to the witness, as NAME-1.newest
 * for NAME-1.smw. It replays like any other; reports draw both.
 */
#ifndef SM_HUNT_NEWEST_H
#define SM_HUNT_NEWEST_H

#include "hunt/hunt.h"
#include "hunt/shrink.h"

/* Nothing is written for a case without a lie, or if the execution does not end. False on an
   error. */
bool sm_newest_record(struct sm_hunt *hunt, const struct sm_case *failing, const char *witness,
                      struct sm_error *error);

#endif
