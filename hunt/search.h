/*
 * search.h - executions under sc go on while they show something new.
 *
 * The survey is some 200 executions, so that the first witness need not wait. Where verify has not
 * explored every execution under sc, that says little: a wake-up that one of 1,500 loses is not
 * among them. So, after the investigations, executions go on, wide and narrow ones by turns, until
 * as many again have been made as it took to see the last race, failure, pair of a store and its
 * read, or order of synchronisation that was new; if nothing was found, not before there are two
 * thousand. They end earlier at a number of events, or when the time is over, or if --trials
 * asks for fewer trials than usual.
 *
 * What is decided depends on the numbers of executions and their events alone, in blocks, not on
 * workers or the machine: only programs that are slow are ended by the clock. Shards make none of
 * these: merge does.
 */
#ifndef SM_HUNT_SEARCH_H
#define SM_HUNT_SEARCH_H

#include "hunt/survey.h"

/* `found`: there is something to report already. */
bool sm_search_run(struct sm_survey *survey, bool found, struct sm_error *error);
/* What executions under sc have shown, and why there were no more. `explored`: by verify, all. */
struct sm_searched sm_search_result(const struct sm_survey *survey, bool explored);

#endif
