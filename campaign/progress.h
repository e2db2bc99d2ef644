/* progress.h - one line on a terminal that says how far a campaign is; nothing in a pipe. */
#ifndef SM_CAMPAIGN_PROGRESS_H
#define SM_CAMPAIGN_PROGRESS_H

#include "campaign/campaign.h"

struct sm_progress {
    bool shown; /* there is a line to be wiped */
    double last;
    char what[80]; /* "races", "Point.x (3 of 7)", ... */
    size_t findings;
    uint64_t planned; /* executions until the end, if all goes as it may; 0: unknown */
};

/* Makes it the campaign's, if standard error is a terminal. */
void sm_progress_start(struct sm_progress *progress, struct sm_campaign *campaign);
/* Before anything else is printed. */
void sm_progress_wipe(struct sm_progress *progress);

#endif
