/* suspects.h - the suspects (candidates.h) for the findings of a hunt. */
#ifndef SM_FIX_SUSPECTS_H
#define SM_FIX_SUSPECTS_H

#include "base/options.h"
#include "findings/hunt.h"
#include "fix/candidates.h"

/* Variables with races; if something fails without one, also units of work that `stalemate
   atomicity` finds not to be atomic. */
void sm_suspects_find(struct sm_suspects *suspects, const struct sm_hunt_report *report,
                      const struct sm_trees *trees, const struct sm_settings *settings,
                      const char *directory);

#endif
