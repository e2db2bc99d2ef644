/*
 * slice.h - a shard of a hunt: the planned trials of its slice, independent of other shards.
 *
 * Every shard makes the same survey, so that all know the same racy variables. Then it makes all
 * its trials, whatever they show: merge, which has all trials, decides whether those of a variable
 * are enough. Reducing a failure, finding its model and proving it are left to merge, which does
 * that for the failures it picks, once for all shards.
 */
#ifndef SM_HUNT_SLICE_H
#define SM_HUNT_SLICE_H

#include "hunt/investigations.h"
#include "hunt/survey.h"

/* The part of the survey's results that the plan depends on. */
uint64_t sm_survey_hash(const struct sm_survey *survey);
/* Makes the slice. The results are in the campaign's store. */
bool sm_hunt_slice(struct sm_hunt *hunt, const struct sm_variables *variables,
                   struct sm_progress *progress, struct sm_error *error);

#endif
