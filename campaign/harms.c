#include "campaign/harms.h"

#include <stdlib.h>

#include "base/words.h"

bool sm_is_harm(int kind)
{
    return *sm_failure_families[kind] && sm_failure_severities[kind] == SM_SEVERITY_ERROR;
}

static struct sm_found_harm *find(const struct sm_harms *harms, uint64_t signature)
{
    for (size_t i = 0; i < harms->n; i++)
        if (harms->items[i].signature == signature)
            return &harms->items[i];
    return NULL;
}

/* Kind NONE: there was no time to repeat it. */
static bool locate(struct sm_campaign *campaign, const struct sm_trial *trial,
                   struct sm_failure *failure, struct sm_error *error)
{
    struct sm_trial again = *trial;
    struct sm_outcome outcome;
    again.result = (struct sm_result){0};
    uint64_t executions = campaign->executions;
    if (!sm_campaign_one(campaign, &again, &outcome, error))
        return false;
    campaign->executions = executions;
    sm_outcome_locate(&outcome, &campaign->workers[0], &campaign->sites);
    *failure = sm_failure_copy(&outcome.failure);
    sm_outcome_free(&outcome);
    sm_result_free(&again.result);
    return true;
}

bool sm_harms_note(struct sm_harms *harms, struct sm_campaign *campaign,
                   const struct sm_trial *trial, struct sm_error *error)
{
    const struct sm_result_facts *facts = &trial->result.facts;
    if (!trial->done || facts->assumed || facts->unvalidated || !sm_is_harm((int)facts->kind))
        return true;
    struct sm_found_harm *known = find(harms, facts->signature);
    struct sm_failure failure = {0};
    if (known) {
        known->count++;
        return true;
    }
    if (!locate(campaign, trial, &failure, error))
        return false;
    if (failure.kind == SM_FAILURE_NONE)
        return true;
    harms->items = sm_resize(harms->items, (harms->n + 1) * sizeof *harms->items);
    harms->items[harms->n++] = (struct sm_found_harm){facts->signature, 1, failure};
    return true;
}

void sm_harms_free(struct sm_harms *harms)
{
    for (size_t i = 0; i < harms->n; i++)
        sm_failure_free(&harms->items[i].failure);
    free(harms->items);
    *harms = (struct sm_harms){0};
}
