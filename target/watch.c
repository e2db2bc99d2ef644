#include "target/watch.h"

#include <stdlib.h>
#include <string.h>

#include "base/words.h"

static bool unknown(const char *name, const struct sm_sites *sites, struct sm_error *error)
{
    const char **variables = sm_new(sites->n * sizeof *variables);
    for (uint32_t i = 0; i < sites->n; i++)
        variables[i] = sites->rows[i].variable;
    const char *nearest = sm_nearest_word(name, variables, sites->n);
    sm_fail(error, SM_STATUS_USAGE,
            "--watch %s: the program has no access to a variable of that name%s%s%s", name,
            nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
    free(variables);
    return false;
}

static bool watch_name(struct sm_control *control, const struct sm_sites *sites, const char *name,
                       struct sm_error *error)
{
    bool found = false;
    for (uint32_t i = 0; i < sites->n; i++) {
        uint32_t number = sites->rows[i].number;
        if (strcmp(sites->rows[i].variable, name) != 0 || number >= SM_WATCH_BITS)
            continue;
        control->watch_bits[number / 8] |= (uint8_t)(1 << number % 8);
        found = true;
    }
    return found || unknown(name, sites, error);
}

bool sm_watch(struct sm_target *target, const struct sm_list *names, struct sm_error *error)
{
    struct sm_control *control = target->shared.control;
    struct sm_sites sites = {0};
    control->watch_mode = SM_WATCH_ALL;
    if (!names->n || strcmp(names->items[names->n - 1], "all") == 0)
        return true;
    control->watch_mode = SM_WATCH_NONE;
    if (strcmp(names->items[names->n - 1], "none") == 0)
        return true;
    target->serve = true;
    if (!sm_target_prepare(target, error))
        return false;
    if (!sm_shared_sites(&target->shared, &sites))
        return sm_fail(error, SM_STATUS_INTERNAL, "the program did not hand over its site table");
    control->watch_mode = SM_WATCH_LIST;
    bool ok = true;
    for (size_t i = 0; ok && i < names->n; i++)
        ok = watch_name(control, &sites, names->items[i], error);
    sm_sites_free(&sites);
    return ok;
}
