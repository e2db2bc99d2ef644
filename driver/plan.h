/*
 * plan.h - which executions to make, in which order.
 *
 * Trial number i of a plan is a function of i: heuristics change fastest, then schedules,
 * and each trial has its own seed. So any stretch of a plan is a fair mixture, and a
 * campaign can stop anywhere and go on from there.
 */
#ifndef SM_DRIVER_PLAN_H
#define SM_DRIVER_PLAN_H

#include "campaign.h"

struct sm_plan {
    struct sm_options options; /* schedule SM_SCHEDULES, heuristic SM_HEURISTICS: all of them */
    enum sm_watch_mode watch;
    const struct sm_watchlist *sites;
    bool lies_only; /* leave out the heuristic that tells no lies */
};

struct sm_trial sm_plan_trial(const struct sm_plan *plan, uint64_t i);
/* Trials first..first+n-1, in an array that the caller frees. */
struct sm_trial *sm_plan_trials(const struct sm_plan *plan, uint64_t first, size_t n);

/* The options of the default schedule: threads one after the other, no preemption. */
struct sm_options sm_plan_dull(const struct sm_options *options);

#endif
