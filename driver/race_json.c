#include "race_json.h"

#include <stdio.h>

#include "../report/json.h"

/* A free has no site of its own. */
static bool is_of(const struct sm_race_access *access, const struct sm_variable *variable)
{
    return access->site == SM_NO_SITE || sm_watchlist_has(&variable->sites, access->site);
}

static const char *name_of(const struct sm_variables *variables, const struct sm_race *race)
{
    for (size_t i = 0; i < variables->n; i++)
        if (is_of(&race->first, &variables->items[i]) && is_of(&race->second, &variables->items[i]))
            return variables->items[i].name;
    return "?";
}

static json_t *access_json(const struct sm_race_access *seen, const struct sm_sites *sites,
                           struct sm_symbols *symbols)
{
    struct sm_hunt_access access = sm_race_access_describe(seen, sites, symbols);
    json_t *json = sm_json_access(&access);
    char value[20];
    snprintf(value, sizeof value, "0x%lx", (unsigned long)seen->value);
    json_object_set_new(json, "value", json_string(value));
    sm_place_free(&access.place);
    sm_stack_free(&access.stack);
    return json;
}

json_t *sm_race_json(const struct sm_race *race, const struct sm_variables *variables,
                     const struct sm_sites *sites, struct sm_symbols *symbols)
{
    return json_pack("{s:s, s:o, s:o}", "variable", name_of(variables, race), "first",
                     access_json(&race->first, sites, symbols), "second",
                     access_json(&race->second, sites, symbols));
}
