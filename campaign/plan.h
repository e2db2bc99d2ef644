/*
 * plan.h - which executions to make, in which order.
 *
 * Trial number i of a plan is a function of i: heuristics change fastest, then schedules, and each
 * trial has its own seed. So any range of a plan is a fair mixture, and a campaign can stop
 * anywhere and continue from there.
 *
 * What is watched. A trial that lies about one variable watches all racy ones: the others must be
 * sequentially consistent, and unwatched code is what the optimiser made of it. The rest of the
 * program runs at full speed, with two exceptions. Under tso a thread's stores reach memory in
 * order, so a later store must flush the delayed ones, and only a watched store can do so. And with
 * fences other accesses synchronise, too (in c11 any, in hb volatile ones); an edge that is not
 * seen would make a lie illegal.
 *
 * Where threads are interleaved. In a narrow trial at synchronisation and at the accesses lied
 * about, so that a failure without a lie is caused by that variable; in a wide one at every watched
 * access, because the effect of a stale value may only show elsewhere: a lock that fails to lock
 * does no harm if no thread is preempted in the critical section.
 */
#ifndef SM_CAMPAIGN_PLAN_H
#define SM_CAMPAIGN_PLAN_H

#include "campaign/campaign.h"

struct sm_plan {
    struct sm_options options; /* schedule SM_SCHEDULES, heuristic SM_HEURISTICS: all of them */
    enum sm_watch_mode watch;
    const struct sm_watchlist *watched, *lied;
    bool lies_only;      /* leave out the heuristic without lies */
    bool fenced;         /* the program has fences */
    unsigned wide_every; /* one schedule in so many is for wide trials; 0: none */
    bool turns;          /* the schedules of sm_plan_turn, which look for failures, not for lies */
};

/* The schedule of execution i of those that look for failures under this model. */
enum sm_schedule_id sm_plan_turn(uint64_t model, uint64_t i);

struct sm_trial sm_plan_trial(const struct sm_plan *plan, uint64_t i);
/* Trials first..first+n-1, in an array that the caller frees. */
struct sm_trial *sm_plan_trials(const struct sm_plan *plan, uint64_t first, size_t n);

/* The options of the default schedule: threads one after the other, no preemption. */
struct sm_options sm_plan_default(const struct sm_options *options);

#endif
