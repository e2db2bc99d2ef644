/*
 * Figure 9 wants programs that are over in no time, for they run thousands of times; Figure 10
 * wants the same programs with as much work beside their races as the paper's had: arrays
 * have as many rows as its column of instances tells.
 */
#ifndef SCALE_H
#define SCALE_H

#ifdef LONG_RUN
#define SCALED(short_run, long_run) (long_run)
#else
#define SCALED(short_run, long_run) (short_run)
#endif

#endif
