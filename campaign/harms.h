/*
 * harms.h - what the runtime noticed in executions of a campaign (abi/failures.def), with places.
 *
 * A result has the kind and a signature. The first execution with a signature is repeated, for the
 * places of the access, the allocation and so on; the others are counted.
 */
#ifndef SM_CAMPAIGN_HARMS_H
#define SM_CAMPAIGN_HARMS_H

#include "campaign/campaign.h"

struct sm_harms {
    struct sm_found_harm {
        uint64_t signature, count;
        struct sm_failure failure;
    } *items;
    size_t n;
};

/* Is the kind one that the runtime notices, and that ends the execution? */
bool sm_is_harm(int kind);
/* Does nothing if the trial has no such failure. */
bool sm_harms_note(struct sm_harms *harms, struct sm_campaign *campaign,
                   const struct sm_trial *trial, struct sm_error *error);
void sm_harms_free(struct sm_harms *harms);

#endif
