/*
 * expectancy.h - one line on a terminal with the progress of verify; nothing in a pipe.
 *
 * The number of executions is the explorer's estimate (verify/results/estimate.h); their time is
 * extrapolated from those since it was made.
 */
#ifndef SM_CAMPAIGN_EXPECTANCY_H
#define SM_CAMPAIGN_EXPECTANCY_H

#include <stdbool.h>
#include <stdint.h>

struct sm_expectancy {
    double estimate;   /* the newest; 0: none yet */
    double since;      /* when it came, or everything began */
    uint64_t executed; /* until then */
    double last;       /* when a line was shown */
    bool on, shown;
};

/* True: there is a terminal. */
bool sm_expectancy_begin(struct sm_expectancy *expectancy, bool quiet);
/* So many executions so far; 0 is no estimate. */
void sm_expectancy_show(struct sm_expectancy *expectancy, uint64_t executions, double estimate);
/* Call it before anything else is printed. */
void sm_expectancy_wipe(struct sm_expectancy *expectancy);

#endif
