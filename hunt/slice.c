#include "hunt/slice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Trials at a time: enough to keep all workers busy; results are stored after each batch. */
enum { SLICE_BATCH = 64 };

struct hunt_slice {
    struct sm_hunt *hunt;
    struct sm_progress *progress;
    size_t n; /* variables */
    struct sm_error *error;
};

/* ---- what the plan depends on ---- */

static void add_sites(struct sm_buffer *to, const struct sm_watchlist *sites)
{
    sm_buffer_add(to, &sites->n, sizeof sites->n);
    if (sites->n)
        sm_buffer_add(to, sites->sites, sites->n * sizeof *sites->sites);
}

uint64_t sm_survey_hash(const struct sm_survey *survey)
{
    const struct sm_hunt *hunt = survey->hunt;
    struct sm_buffer text = {0};
    sm_buffer_print(&text, "%d %lu\n", hunt->baseline.exit_status,
                    (unsigned long)hunt->baseline.points);
    for (size_t i = 0; i < survey->variables.n; i++) {
        sm_buffer_print(&text, "%s\n", survey->variables.items[i].name);
        add_sites(&text, &survey->variables.items[i].sites);
    }
    add_sites(&text, &hunt->racy);
    sm_buffer_add(&text, hunt->sampled.items, hunt->sampled.n * sizeof *hunt->sampled.items);
    uint64_t hash = XXH3_64bits(text.data, text.size);
    sm_buffer_free(&text);
    return hash ? hash : 1;
}

/* ---- one variable ---- */

/* The first number from `first` on that belongs to this shard. */
static uint64_t next_mine(const struct sm_campaign *campaign, uint64_t first)
{
    uint64_t of = campaign->slice.of, index = campaign->slice.index - 1;
    return first + (index + of - first % of) % of;
}

static bool has_any(const struct sm_campaign *campaign, uint64_t first, uint64_t n)
{
    return next_mine(campaign, first) < first + n;
}

static bool run_batch(struct hunt_slice *slice, struct sm_trial *trials, size_t n)
{
    bool ok = sm_campaign_run(&slice->hunt->campaign, trials, n, slice->error);
    for (size_t i = 0; i < n; i++)
        sm_result_free(&trials[i].result);
    return ok;
}

static bool stale_trials(struct hunt_slice *slice, const struct sm_investigation *investigation)
{
    const struct sm_campaign *campaign = &slice->hunt->campaign;
    uint64_t first = investigation->number, end = first + slice->hunt->settings->trials;
    struct sm_trial batch[SLICE_BATCH];
    for (uint64_t at = next_mine(campaign, first); at < end && !sm_campaign_over(campaign);) {
        size_t n = 0;
        for (; n < SLICE_BATCH && at < end; at += campaign->slice.of)
            batch[n++] = sm_investigation_trial(investigation, at - first);
        if (!run_batch(slice, batch, n))
            return false;
    }
    return true;
}

static size_t n_blocks(const struct hunt_slice *slice)
{
    size_t all = sm_prescient_trials(slice->hunt->settings);
    return (all + SM_PRESCIENT_BLOCK - 1) / SM_PRESCIENT_BLOCK;
}

static bool prescient_blocks(struct hunt_slice *slice, struct sm_investigation *investigation)
{
    const struct sm_campaign *campaign = &slice->hunt->campaign;
    struct sm_prescience *prescience = &investigation->prescience;
    size_t all = sm_prescient_trials(slice->hunt->settings), n = n_blocks(slice);
    for (size_t i = 0; i < n && !sm_campaign_over(campaign); i++)
        if (sm_campaign_is_mine(campaign, prescience->number + i) &&
            !sm_prescience_block(prescience, i, all, slice->error))
            return false;
    return true;
}

/* Variable number i, or all together (i is the number of variables). The length of executions is
   measured only if there are trials to make. */
static bool investigate(struct hunt_slice *slice, size_t i, const char *name,
                        const struct sm_watchlist *sites)
{
    struct sm_campaign *campaign = &slice->hunt->campaign;
    struct sm_investigation numbers = {.hunt = slice->hunt}, investigation;
    sm_investigation_number(&numbers, i, slice->n);
    if (!has_any(campaign, numbers.number, slice->hunt->settings->trials) &&
        !has_any(campaign, numbers.prescience.number, n_blocks(slice)))
        return true;
    snprintf(slice->progress->what, sizeof slice->progress->what, "%.50s", name);
    bool ok = sm_investigation_open(&investigation, slice->hunt, name, sites, slice->error);
    sm_investigation_number(&investigation, i, slice->n);
    ok = ok && stale_trials(slice, &investigation) && prescient_blocks(slice, &investigation);
    sm_investigation_close(&investigation);
    return ok;
}

/* ---- all ---- */

static bool investigate_together(struct hunt_slice *slice, const struct sm_variable **wanted)
{
    struct sm_watchlist sites = {0};
    for (size_t i = 0; i < slice->n; i++)
        for (size_t k = 0; k < wanted[i]->sites.n; k++)
            sm_watchlist_add(&sites, wanted[i]->sites.sites[k]);
    bool ok = investigate(slice, slice->n, "all together", &sites);
    free(sites.sites);
    return ok;
}

static bool investigate_all(struct hunt_slice *slice, const struct sm_variable **wanted)
{
    bool ok = true;
    for (size_t i = 0; ok && i < slice->n && !sm_campaign_over(&slice->hunt->campaign); i++)
        ok = investigate(slice, i, wanted[i]->name, &wanted[i]->sites);
    if (ok && slice->hunt->settings->together && slice->n > 1)
        ok = investigate_together(slice, wanted);
    return ok;
}

bool sm_hunt_slice(struct sm_hunt *hunt, const struct sm_variables *variables,
                   struct sm_progress *progress, struct sm_error *error)
{
    struct hunt_slice slice = {.hunt = hunt, .progress = progress, .error = error};
    if (!hunt->baseline.outputs.n || hunt->campaign.cut)
        return true; /* every execution fails; or the survey was cut, and another one might find
                        more variables */
    const struct sm_variable **wanted = sm_new((variables->n + 1) * sizeof *wanted);
    const struct sm_list *names = &hunt->settings->variables;
    for (size_t i = 0; i < variables->n; i++)
        if (!names->n || sm_list_has(names, variables->items[i].name))
            wanted[slice.n++] = &variables->items[i];
    bool ok = investigate_all(&slice, wanted);
    hunt->campaign.cut |= sm_campaign_over(&hunt->campaign);
    free(wanted);
    return ok;
}
