/*
 * late.h - failures under sc that the survey did not see.
 *
 * The survey is a sample. A trial of an investigation in which no stale value was returned is one
 * more execution under sc; if it fails in a way that the survey has not seen, that is a finding of
 * its own, whatever the verdict on the variable.
 */
#ifndef SM_HUNT_LATE_H
#define SM_HUNT_LATE_H

#include "hunt/hunt.h"
#include "hunt/shrink.h"

struct sm_late {
    struct sm_case *items;
    size_t n;
    struct sm_hashes seen; /* signatures that were handled */
};

/* For a trial, which is repeated, and for a case that was reduced. */
bool sm_late_note(struct sm_hunt *hunt, const struct sm_trial *trial, struct sm_error *error);
void sm_late_note_case(struct sm_hunt *hunt, const struct sm_case *failing);
void sm_late_free(struct sm_hunt *hunt);

#endif
