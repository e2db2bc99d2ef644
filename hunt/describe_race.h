/* describe_race.h - a race of controlled executions in the form that is shown (findings/race.h). */
#ifndef SM_HUNT_DESCRIBE_RACE_H
#define SM_HUNT_DESCRIBE_RACE_H

#include "findings/race.h"
#include "hunt/races.h"

struct sm_symbols;

/* The caller frees it. */
struct sm_data_race sm_race_describe(const struct sm_race *race,
                                     const struct sm_variables *variables,
                                     const struct sm_sites *sites, struct sm_symbols *symbols);

#endif
