/*
 * newest.h - the failing execution as it should have been.
 *
 * A witness says what a read saw; whether the lie is what broke the program is seen best beside the
 * same schedule without it. So the choices of a case are executed once more without its lies: every
 * read sees the newest store, every store is visible at once. That execution is recorded beside the
 * witness, as NAME-1.newest for NAME-1.smw. It replays like any other; reports draw both.
 */
#ifndef SM_HUNT_NEWEST_H
#define SM_HUNT_NEWEST_H

#include "hunt/hunt.h"
#include "hunt/shrink.h"

/* Nothing is written for a case without a lie, nor if the execution comes to no end. False on an
   error. */
bool sm_newest_record(struct sm_hunt *hunt, const struct sm_case *failing, const char *witness,
                      struct sm_error *error);

#endif
