/* progress.h - one line on a terminal with the progress of a campaign; nothing in a pipe. */
#ifndef SM_CAMPAIGN_PROGRESS_H
#define SM_CAMPAIGN_PROGRESS_H

#include "campaign/campaign.h"

struct sm_progress {
    bool shown; /* there is a line to erase */
    double last;
    char what[80]; /* "races", "Point.x (3 of 7)", ... */
    size_t findings;
    uint64_t planned; /* executions until the end, at most; 0: unknown */
};

/* Attaches it to the campaign, if standard error is a terminal. */
void sm_progress_start(struct sm_progress *progress, struct sm_campaign *campaign);
/* Call it before anything else is printed. */
void sm_progress_wipe(struct sm_progress *progress);

#endif
