#include "hunt/races.h"

#include <stdlib.h>
#include <string.h>

#include "findings/story.h"
#include "target/symbols.h"

/* ---- pairs ---- */

static bool same_pair(const struct sm_race *a, const struct sm_race *b)
{
    uint64_t first = sm_race_place(&a->first), second = sm_race_place(&a->second);
    uint64_t other_first = sm_race_place(&b->first), other_second = sm_race_place(&b->second);
    return (first == other_first && second == other_second) ||
           (first == other_second && second == other_first);
}

static void add_one(struct sm_races *races, const struct sm_race *race)
{
    for (size_t i = 0; i < races->n; i++) {
        if (same_pair(&races->items[i], race)) {
            races->items[i].count += race->count;
            for (uint32_t k = 0; k < race->n_places && k < SM_RACE_PLACES; k++)
                sm_race_add_place(&races->items[i], race->places[k]);
            return;
        }
    }
    races->items = sm_resize(races->items, (races->n + 1) * sizeof *races->items);
    races->items[races->n++] = *race;
}

void sm_races_add(struct sm_races *races, const struct sm_race *new_races, size_t n)
{
    for (size_t i = 0; i < n; i++)
        add_one(races, &new_races[i]);
}

void sm_races_free(struct sm_races *races)
{
    free(races->items);
    *races = (struct sm_races){0};
}

struct sm_place sm_site_place(const struct sm_site_row *row)
{
    if (!row)
        return (struct sm_place){0};
    return (struct sm_place){.file = sm_copy_text(row->file),
                             .function = sm_demangle(row->function),
                             .line = row->line,
                             .column = row->column};
}

static void describe_locks(const struct sm_race_access *seen, struct sm_symbols *symbols,
                           struct sm_access *access)
{
    access->locks = sm_new((SM_RACE_LOCKS + 1) * sizeof *access->locks);
    for (uint32_t i = 0; i < seen->n_locks && i < SM_RACE_LOCKS; i++) {
        const struct sm_race_lock *lock = &seen->locks[i];
        struct sm_held_lock held = {.address = lock->addr};
        char *type;
        held.name = sm_symbols_memory(symbols, lock->addr, 0, &type);
        free(type);
        sm_symbols_frames(symbols, lock->pc, &held.taken);
        access->locks[access->n_locks++] = held;
    }
}

struct sm_access sm_race_access_describe(const struct sm_race_access *seen,
                                         const struct sm_sites *sites, struct sm_symbols *symbols)
{
    struct sm_access access = {.place = sm_site_place(sm_sites_find(sites, seen->site)),
                               .kind = sm_event_word(seen->kind),
                               .thread = seen->thread,
                               .parent =
                                   seen->parent == SM_NO_THREAD ? SM_UNKNOWN_THREAD : seen->parent};
    for (uint32_t i = 0; i < seen->depth && i < SM_RACE_DEPTH; i++)
        sm_symbols_frames(symbols, seen->stack[i], &access.stack);
    if (!access.place.file && access.stack.n)
        access.place = sm_place_copy(&access.stack.frames[0]);
    describe_locks(seen, symbols, &access);
    return access;
}

/* ---- names ---- */

/* Does the name say what the memory is, not just how it was reached? */
static bool is_proper(const struct sm_site_row *row)
{
    if (!row || !*row->variable || strpbrk(row->variable, "*?"))
        return false;
    return row->kind != SM_SITE_COPY && row->kind != SM_SITE_FILL && row->kind != SM_SITE_CALL;
}

/* A variable under construction: all its proper names, and where it was seen. */
struct group {
    struct sm_list names;
    uint64_t *addresses;
    size_t n_addresses;
    struct sm_variable variable;
};
struct groups {
    struct group *items;
    size_t n;
};

static bool has_access(const struct sm_variable *variable, uint32_t site)
{
    for (size_t i = 0; i < variable->n_accesses; i++)
        if (variable->accesses[i].site == site)
            return true;
    return false;
}

static void add_access(struct sm_variable *variable, const struct sm_race_access *access)
{
    sm_watchlist_add(&variable->sites, access->site);
    if (has_access(variable, access->site))
        return;
    variable->accesses =
        sm_resize(variable->accesses, (variable->n_accesses + 1) * sizeof *variable->accesses);
    variable->accesses[variable->n_accesses++] = *access;
}

static bool has_address(const struct group *group, uint64_t address)
{
    for (size_t i = 0; i < group->n_addresses; i++)
        if (group->addresses[i] == address)
            return true;
    return false;
}

/* verify does not say where. */
static void add_address(struct group *group, uint64_t address)
{
    if (!address || has_address(group, address))
        return;
    group->addresses =
        sm_resize(group->addresses, (group->n_addresses + 1) * sizeof *group->addresses);
    group->addresses[group->n_addresses++] = address;
}

static void absorb(struct group *into, struct group *from)
{
    for (size_t i = 0; i < from->names.n; i++)
        if (!sm_list_has(&into->names, from->names.items[i]))
            sm_list_add(&into->names, from->names.items[i]);
    for (size_t i = 0; i < from->variable.n_accesses; i++)
        add_access(&into->variable, &from->variable.accesses[i]);
    for (size_t i = 0; i < from->n_addresses; i++)
        add_address(into, from->addresses[i]);
    into->variable.count += from->variable.count;
    free(from->addresses);
    sm_list_free(&from->names);
    free(from->variable.sites.sites);
    free(from->variable.accesses);
}

/* ---- grouping ---- */

/* By name; what has none, by where it was seen (addresses are the same in each execution), or
   by its places. */
static bool belongs(const struct group *group, const struct sm_race *race,
                    const char *const names[2])
{
    bool unnamed = !names[0] && !names[1];
    if ((unnamed || !group->names.n) && has_address(group, race->addr))
        return true;
    if (unnamed)
        return !group->names.n && (has_access(&group->variable, race->first.site) ||
                                   has_access(&group->variable, race->second.site));
    return (names[0] && sm_list_has(&group->names, names[0])) ||
           (names[1] && sm_list_has(&group->names, names[1]));
}

static void place(struct groups *groups, const struct sm_race *race, const char *const names[2])
{
    struct group new = {.variable.count = race->count};
    add_access(&new.variable, &race->first);
    add_access(&new.variable, &race->second);
    add_address(&new, race->addr);
    for (int i = 0; i < 2; i++)
        if (names[i] && !sm_list_has(&new.names, names[i]))
            sm_list_add(&new.names, names[i]);
    size_t kept = 0;
    for (size_t i = 0; i < groups->n; i++) {
        if (belongs(&groups->items[i], race, names)) {
            absorb(&groups->items[i], &new);
            new = groups->items[i];
        } else {
            groups->items[kept++] = groups->items[i];
        }
    }
    groups->items = sm_resize(groups->items, (kept + 1) * sizeof *groups->items);
    groups->items[kept] = new;
    groups->n = kept + 1;
}

/* The proper name with the most racing accesses; else what the first access calls it. */
static const char *best_name(const struct group *group, const struct sm_sites *sites)
{
    const char *best = group->names.n ? group->names.items[0] : NULL;
    size_t most = 0;
    for (size_t i = 0; i < group->names.n; i++) {
        size_t n = 0;
        for (size_t k = 0; k < group->variable.n_accesses; k++) {
            const struct sm_site_row *row = sm_sites_find(sites, group->variable.accesses[k].site);
            n += row && strcmp(row->variable, group->names.items[i]) == 0;
        }
        if (n > most) {
            most = n;
            best = group->names.items[i];
        }
    }
    for (size_t k = 0; !best && k < group->variable.n_accesses; k++) {
        const struct sm_site_row *row = sm_sites_find(sites, group->variable.accesses[k].site);
        best = row && *row->variable ? row->variable : NULL;
    }
    return best ? best : "?";
}

static void add_namesakes(struct group *group, const struct sm_sites *sites)
{
    for (uint32_t i = 0; i < sites->n; i++)
        if (is_proper(&sites->rows[i]) && sm_list_has(&group->names, sites->rows[i].variable))
            sm_watchlist_add(&group->variable.sites, sites->rows[i].number);
}

static int by_name(const void *a, const void *b)
{
    const struct sm_variable *first = a, *second = b;
    int order = strcmp(first->name, second->name);
    return order ? order : (first->sites.sites[0] > second->sites.sites[0]) * 2 - 1;
}

void sm_variables_find(struct sm_variables *variables, const struct sm_races *races,
                       const struct sm_sites *sites)
{
    struct groups groups = {0};
    for (size_t i = 0; i < races->n; i++) {
        const struct sm_race *race = &races->items[i];
        const struct sm_site_row *first = sm_sites_find(sites, race->first.site);
        const struct sm_site_row *second = sm_sites_find(sites, race->second.site);
        const char *const names[2] = {is_proper(first) ? first->variable : NULL,
                                      is_proper(second) ? second->variable : NULL};
        place(&groups, race, names);
    }
    variables->n = groups.n;
    variables->items = sm_new((groups.n + 1) * sizeof *variables->items);
    for (size_t i = 0; i < groups.n; i++) {
        struct group *group = &groups.items[i];
        add_namesakes(group, sites);
        group->variable.name = sm_copy_text(best_name(group, sites));
        variables->items[i] = group->variable;
        variables->items[i].addresses = group->addresses;
        variables->items[i].n_addresses = group->n_addresses;
        sm_list_free(&group->names);
    }
    free(groups.items);
    qsort(variables->items, variables->n, sizeof *variables->items, by_name);
}

void sm_variables_free(struct sm_variables *variables)
{
    for (size_t i = 0; i < variables->n; i++) {
        free(variables->items[i].name);
        free(variables->items[i].sites.sites);
        free(variables->items[i].accesses);
        free(variables->items[i].addresses);
    }
    free(variables->items);
    *variables = (struct sm_variables){0};
}
