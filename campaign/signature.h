/* signature.h - when two failures are the same: equal kind at equal places of the source. */
#ifndef SM_CAMPAIGN_SIGNATURE_H
#define SM_CAMPAIGN_SIGNATURE_H

#include "campaign/campaign.h"

/* 0: no failure. */
uint64_t sm_signature(struct sm_campaign *campaign, const struct sm_outcome *outcome,
                      const struct sm_control *control);

#endif
