/*
 * estimate.h - how many executions there will be, said long before they are through.
 *
 * Each execution comes of one graph that was pending, and leaves others for later. So the
 * executions form levels: those that come of what is pending now, those that come of what these
 * leave, and so on. Of the first level SAMPLE are made, chosen at random; of what they leave,
 * again as many; and so on to the last level. If a level has M graphs of which SAMPLE were run,
 * each of those stands for M / SAMPLE times as many as one of the level before. (Knuth, Estimating
 * the efficiency of backtrack programs, 1975, has one in place of SAMPLE; the mean of 500 such ways
 * down was low by a factor of 4 to 8 on six of the fifteen programs of bench/verify.)
 *
 * It is done where somebody looks on, first when there were FIRST_ESTIMATE executions, then
 * whenever there were ten times as many. What is pending is set aside meanwhile, and nothing that
 * is done here is counted.
 */
#ifndef SM_VERIFY_RESULTS_ESTIMATE_H
#define SM_VERIFY_RESULTS_ESTIMATE_H

#include <stdbool.h>

void sm_estimate_start(void); /* once */
/* Between executions: those to come are a sample, if it is time for that. */
bool sm_estimate_begin(void);
/* The execution that has just ended is one of a sample. */
bool sm_estimating(void);
/* Goes on; `complete`: it counts as an execution. False: that was the last one. */
bool sm_estimate_next(bool complete);
/* A part was given away: what was estimated is void, and is estimated again soon. */
void sm_estimate_renew(void);
/* What is explored begins again. */
void sm_estimate_give_up(void);

#endif
