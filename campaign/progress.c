#include "campaign/progress.h"

#include <stdio.h>
#include <unistd.h>

/* Ten lines a second look live, and cost nothing. */
#define PERIOD 0.1

/* By time if there is a limit, else by the planned number. Below 0: unknown. */
static double seconds_left(const struct sm_campaign *campaign, const struct sm_progress *progress)
{
    double spent = sm_campaign_seconds(campaign);
    uint64_t done = campaign->executions + campaign->found;
    if (campaign->deadline > 0)
        return campaign->deadline - campaign->started - spent;
    return progress->planned > done && done
               ? spent / (double)done * (double)(progress->planned - done)
               : -1;
}

static void show(struct sm_campaign *campaign)
{
    struct sm_progress *progress = campaign->context;
    double spent = sm_campaign_seconds(campaign);
    if (spent - progress->last < PERIOD)
        return;
    progress->last = spent;
    progress->shown = true;
    double left = seconds_left(campaign, progress);
    fprintf(stderr, "\r\033[Khunting: %lu executions, %.0f/s, %zu destructive; %s",
            (unsigned long)campaign->executions, (double)campaign->executions / spent,
            progress->findings, progress->what);
    if (left >= 0)
        fprintf(stderr, "; %.0f s left", left);
    fflush(stderr);
}

void sm_progress_start(struct sm_progress *progress, struct sm_campaign *campaign)
{
    *progress = (struct sm_progress){.what = "races"};
    if (!isatty(STDERR_FILENO))
        return;
    campaign->progress = show;
    campaign->context = progress;
}

void sm_progress_wipe(struct sm_progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
