/*
 * search.h - the repair for what a hunt has found.
 *
 * Candidates (candidates.h) are judged (judge.h) in their order until nothing fails under one and
 * it can be written as a patch. If the strongest orders fail, weaker ones are not tried. Every
 * finding of the report gets the result.
 */
#ifndef SM_FIX_SEARCH_H
#define SM_FIX_SEARCH_H

#include "findings/hunt.h"
#include "fix/judge.h"

/* Fills in the cure of each finding. False: an internal error, or Ctrl-C. */
bool sm_fix_search(struct sm_hunt_report *report, const struct sm_settings *settings,
                   const char *directory, double deadline, struct sm_error *error);

#endif
