/*
 * races.h - from races between pairs of sites to racy variables.
 *
 * A race is between two instructions; a verdict is about a variable. Races belong to one variable
 * if they use the same name for it, or if one race has both names. A name that only says how the
 * memory was reached (`*p`) gives way to one that says what it is (`Point.x`); so does the name of
 * a copy of a whole object. All elements of an array are one variable.
 *
 * All sites of the program that name the variable belong to it, whether or not they were seen
 * racing: an unwatched store cannot be distinguished from one that never happened.
 */
#ifndef SM_HUNT_RACES_H
#define SM_HUNT_RACES_H

#include "abi/race.h"
#include "campaign/campaign.h"
#include "findings/race.h"

/* Pairs of sites, each once, from any number of executions. */
struct sm_races {
    struct sm_race *items;
    size_t n;
};
void sm_races_add(struct sm_races *races, const struct sm_race *new_races, size_t n);
void sm_races_free(struct sm_races *races);

/* Where a site is, owned by the caller; nowhere if it is NULL. */
struct sm_place sm_site_place(const struct sm_site_row *row);
/* How a report describes an access. The caller owns the place and the stack. */
struct sm_symbols;
struct sm_access sm_race_access_describe(const struct sm_race_access *seen,
                                         const struct sm_sites *sites, struct sm_symbols *symbols);

struct sm_variable {
    char *name;
    struct sm_watchlist sites;       /* all accesses of it */
    struct sm_race_access *accesses; /* seen racing; one for each site */
    size_t n_accesses;
    uint64_t *addresses; /* where it was seen racing */
    size_t n_addresses;
    uint64_t count; /* races seen */
};
struct sm_variables {
    struct sm_variable *items; /* by name */
    size_t n;
};
void sm_variables_find(struct sm_variables *variables, const struct sm_races *races,
                       const struct sm_sites *sites);
void sm_variables_free(struct sm_variables *variables);

#endif
