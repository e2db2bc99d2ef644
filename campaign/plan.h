/*
 * plan.h - which executions to make, in which order.
 *
 * Trial number i of a plan is a function of i: heuristics change fastest, then schedules,
 * and each trial has its own seed. So any stretch of a plan is a fair mixture, and a
 * campaign can stop anywhere and go on from there.
 *
 * What is watched. A trial that lies about one variable watches all racy ones: the others
 * must be sequentially consistent, and code that is not watched is what the optimiser made
 * of it. The rest of the program runs at full speed, but for two cases. Under tso a thread's
 * stores land in order, so a delayed store must be landed by the stores that come after it,
 * and only a store that is watched can do so. And fences make synchronisation out of
 * accesses that are none by themselves, in c11 of any, in hb of volatile ones; an edge that
 * is not seen is a lie that is not legal.
 *
 * Where threads are interleaved. In a narrow trial at synchronisation and at the accesses
 * lied about, so that a failure without a lie is that variable's; in a wide one at every
 * access watched, for what a stale value does may only show elsewhere: a lock that fails to
 * lock does no harm while nobody is interrupted in the critical section.
 */
#ifndef SM_CAMPAIGN_PLAN_H
#define SM_CAMPAIGN_PLAN_H

#include "campaign/campaign.h"

struct sm_plan {
    struct sm_options options; /* schedule SM_SCHEDULES, heuristic SM_HEURISTICS: all of them */
    enum sm_watch_mode watch;
    const struct sm_watchlist *watched, *lied;
    bool lies_only;      /* leave out the heuristic that tells no lies */
    bool fenced;         /* the program has fences */
    unsigned wide_every; /* one schedule in so many is for wide trials; 0: none */
};

struct sm_trial sm_plan_trial(const struct sm_plan *plan, uint64_t i);
/* Trials first..first+n-1, in an array that the caller frees. */
struct sm_trial *sm_plan_trials(const struct sm_plan *plan, uint64_t first, size_t n);

/* The options of the default schedule: threads one after the other, no preemption. */
struct sm_options sm_plan_default(const struct sm_options *options);

#endif
