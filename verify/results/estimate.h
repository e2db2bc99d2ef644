/*
 * estimate.h - estimates the number of executions early in the exploration.
 *
 * Each execution starts from one pending graph and leaves others pending. So the executions form
 * levels: those from the graphs pending now, those from the graphs that these leave, and so on. On
 * each level SAMPLE graphs, chosen at random, are run. If a level has M graphs of which SAMPLE
 * were run, each of those stands for M / SAMPLE times as many as one of the level before. (Knuth,
 * Estimating the efficiency of backtrack programs, 1975, uses one in place of SAMPLE; the mean of
 * 500 such probes was low by a factor of 4 to 8 on six of the fifteen programs of bench/verify.)
 *
 * It is done only if progress is displayed, first after FIRST_ESTIMATE executions, then after ten
 * times as many, and so on. The frontier is set aside meanwhile, and the sampled runs are not
 * counted.
 */
#ifndef SM_VERIFY_RESULTS_ESTIMATE_H
#define SM_VERIFY_RESULTS_ESTIMATE_H

#include <stdbool.h>

void sm_estimate_start(void); /* once */
/* Between executions: starts sampling, if it is due. */
bool sm_estimate_begin(void);
/* The execution that has just ended belongs to a sample. */
bool sm_estimating(void);
/* Continues; `complete`: the last run counts as an execution. False: it was the last one. */
bool sm_estimate_next(bool complete);
/* A part was given to another process: the estimate is void, and is soon made again. */
void sm_estimate_renew(void);
/* The exploration restarts. */
void sm_estimate_give_up(void);

#endif
