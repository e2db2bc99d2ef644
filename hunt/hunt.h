/* hunt.h - what the parts of a hunt share: survey.h, investigations.h, investigate.h, prove.h. */
#ifndef SM_HUNT_HUNT_H
#define SM_HUNT_HUNT_H

#include "campaign/baseline.h"

struct sm_late;

enum { SM_USUAL_TRIALS = 200 }; /* of a variable */

struct sm_hunt {
    const struct sm_settings *settings;
    struct sm_campaign campaign;
    struct sm_baseline baseline;
    char *witnesses;          /* directory */
    struct sm_watchlist racy; /* the sites of all racy variables */
    bool may_stretch;         /* --trials was not given */
    bool divided;             /* sharded: the plan must not depend on how fast a machine is */
    struct sm_places sampled; /* where races on them were seen */
    struct sm_late *late;     /* failures under sc that only investigations found: late.h */
};

#endif
