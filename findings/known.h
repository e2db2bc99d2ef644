/*
 * known.h - findings of an earlier hunt, which are not reported again.
 *
 * `hunt --baseline FILE` reads what `hunt --json FILE` wrote, of an earlier build perhaps.
 * Lines move and places come and go from one build to the next, and not every hunt sees
 * every access; so a race is known if it is on a variable of the same name and the two share
 * a function of the same file. One that breaks the program now, and did not then, is new.
 */
#ifndef SM_FINDINGS_KNOWN_H
#define SM_FINDINGS_KNOWN_H

#include "findings/hunt.h"

bool sm_known_read(struct sm_hunt_report *earlier, const char *path, struct sm_error *error);
/* Removes from the report what the earlier one has, and counts it there. */
void sm_known_drop(struct sm_hunt_report *report, const struct sm_hunt_report *earlier);

#endif
