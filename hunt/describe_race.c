#include "hunt/describe_race.h"

#include <string.h>

#include "core/libc/descriptors.h"
#include "findings/advice.h"
#include "target/symbols.h"

/* A free has no site of its own. */
static bool is_of(const struct sm_race_access *access, const struct sm_variable *variable)
{
    return access->site == SM_NO_SITE || sm_watchlist_has(&variable->sites, access->site);
}

/* Both accesses are made by library calls: use the name of the memory. */
static char *name_of_memory(const struct sm_race *race, struct sm_symbols *symbols)
{
    if (race->descriptor >= 0)
        return sm_print(SM_DESCRIPTOR_NAME, race->descriptor);
    char *name = sm_symbols_variable(symbols, race->addr);
    return name ? name : sm_copy_text("?");
}

static const char *name_of(const struct sm_variables *variables, const struct sm_race *race)
{
    for (size_t i = 0; i < variables->n; i++)
        if (is_of(&race->first, &variables->items[i]) && is_of(&race->second, &variables->items[i]))
            return variables->items[i].name;
    return "?";
}

/* ---- accesses ---- */

static struct sm_stack frames_of(const uint64_t *pc, uint32_t n, struct sm_symbols *symbols)
{
    struct sm_stack stack = {0};
    for (uint32_t i = 0; i < n && i < SM_RACE_DEPTH; i++)
        sm_symbols_frames(symbols, pc[i], &stack);
    return stack;
}

static struct sm_access describe_access(const struct sm_race_access *seen,
                                        const struct sm_sites *sites, struct sm_symbols *symbols)
{
    struct sm_access access = sm_race_access_describe(seen, sites, symbols);
    access.has_value = seen->site != SM_NO_SITE;
    access.value = seen->value;
    access.created = frames_of(seen->created, seen->created_depth, symbols);
    access.member = (struct sm_team_member){.number = seen->number, .size = seen->team};
    if (seen->region)
        access.member.region = frames_of(&seen->region, 1, symbols);
    return access;
}

static struct sm_race_heap describe_block(const struct sm_race *race, struct sm_symbols *symbols)
{
    const struct sm_race_block *block = &race->block;
    if (!block->size)
        return (struct sm_race_heap){0};
    return (struct sm_race_heap){.size = block->size,
                                 .offset = race->addr - block->start,
                                 .allocated = frames_of(block->stack, block->depth, symbols),
                                 .thread = block->thread};
}

/* ---- advice ---- */

static bool is_write(uint8_t kind)
{
    return kind == SM_EV_STORE || kind == SM_EV_ATOMIC_STORE || kind == SM_EV_RMW ||
           kind == SM_EV_FREE;
}

static struct sm_advice_side side_facts(const struct sm_race_access *seen,
                                        const struct sm_sites *sites)
{
    const struct sm_site_row *row = sm_sites_find(sites, seen->site);
    struct sm_advice_side facts = {
        .thread = seen->thread,
        .parent = seen->parent == SM_NO_THREAD || seen->team ? SM_UNKNOWN_THREAD : seen->parent,
        .write = is_write(seen->kind),
        .atomic = seen->order != SM_ORDER_PLAIN,
        .freed = seen->kind == SM_EV_FREE,
        .is_volatile = row && (row->flags & SM_SITE_VOLATILE),
        .by_call = !row || sm_site_calls(row->kind)};
    for (; facts.n_locks < seen->n_locks && facts.n_locks < SM_RACE_LOCKS; facts.n_locks++)
        facts.locks[facts.n_locks] = seen->locks[facts.n_locks].addr;
    return facts;
}

/* Does an access of the program have this name? */
static bool is_special(const struct sm_sites *sites, const char *name, size_t length)
{
    for (uint32_t i = 0; length && i < sites->n; i++) {
        const struct sm_site_row *row = &sites->rows[i];
        bool special = (row->flags & SM_SITE_VOLATILE) || row->kind == SM_SITE_ATOMIC_LOAD;
        if (special && strncmp(row->variable, name, length) == 0 && !row->variable[length])
            return true;
    }
    return false;
}

static const char *advice_on(const struct sm_race *race, const char *variable,
                             const struct sm_sites *sites)
{
    const char *pointer;
    size_t length = sm_advice_pointer(variable, &pointer);
    struct sm_advice_facts facts = {.variable = variable,
                                    .first = side_facts(&race->first, sites),
                                    .second = side_facts(&race->second, sites),
                                    .allocated_by =
                                        race->block.size ? race->block.thread : SM_UNKNOWN_THREAD,
                                    .by_special_pointer = is_special(sites, pointer, length)};
    return sm_advice(&facts);
}

struct sm_data_race sm_race_describe(const struct sm_race *race,
                                     const struct sm_variables *variables,
                                     const struct sm_sites *sites, struct sm_symbols *symbols)
{
    bool unnamed = race->first.site == SM_NO_SITE && race->second.site == SM_NO_SITE;
    char *variable =
        unnamed ? name_of_memory(race, symbols) : sm_copy_text(name_of(variables, race));
    return (struct sm_data_race){.count = race->count,
                                 .variable = variable,
                                 .element = -1,
                                 .first = describe_access(&race->first, sites, symbols),
                                 .second = describe_access(&race->second, sites, symbols),
                                 .block = describe_block(race, symbols),
                                 .advice = sm_copy_text(advice_on(race, variable, sites))};
}
