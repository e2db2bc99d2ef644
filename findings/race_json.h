/* race_json.h - a race of a controlled execution as the contract has it: what `detect` prints,
   and what suppressions are matched with. */
#ifndef SM_FINDINGS_RACE_JSON_H
#define SM_FINDINGS_RACE_JSON_H

#include <jansson.h>

#include "hunt/races.h"

struct sm_symbols;

/* "variable", "first", "second", "advice", "block" if it is of the heap; without "id" and
   "count". */
json_t *sm_race_json(const struct sm_race *race, const struct sm_variables *variables,
                     const struct sm_sites *sites, struct sm_symbols *symbols);

#endif
