/*
 * slice.h - a shard of a hunt: the planned trials of its slice, and nothing that depends on others.
 *
 * Every shard makes the same survey, so that all know the same racy variables. Then it makes its
 * trials, all of them, whatever they show: whether a variable's trials are enough is decided by
 * merge, which has them all. Nothing is made small, climbs the ladder or is proved here; merge does
 * that for the failures that it picks, once for all shards.
 */
#ifndef SM_HUNT_SLICE_H
#define SM_HUNT_SLICE_H

#include "hunt/investigations.h"
#include "hunt/survey.h"

/* Of what the survey has shown, all that the plan depends on. */
uint64_t sm_survey_hash(const struct sm_survey *survey);
/* Makes the slice. The results are in the campaign's store. */
bool sm_hunt_slice(struct sm_hunt *hunt, const struct sm_variables *variables,
                   struct sm_progress *progress, struct sm_error *error);

#endif
