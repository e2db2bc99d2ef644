#include "findings/race_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "findings/advice.h"
#include "findings/json.h"
#include "target/symbols.h"

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

/* ---- JSON ---- */

static json_t *number_json(uint64_t number)
{
    char text[20];
    snprintf(text, sizeof text, "0x%lx", (unsigned long)number);
    return json_string(text);
}

static struct sm_stack frames_of(const uint64_t *pc, uint32_t n, struct sm_symbols *symbols)
{
    struct sm_stack stack = {0};
    for (uint32_t i = 0; i < n && i < SM_RACE_DEPTH; i++)
        sm_symbols_frames(symbols, pc[i], &stack);
    return stack;
}

static json_t *stack_json(const uint64_t *pc, uint32_t n, struct sm_symbols *symbols)
{
    struct sm_stack stack = frames_of(pc, n, symbols);
    json_t *json = sm_json_stack(&stack);
    sm_stack_free(&stack);
    return json;
}

/* A place with its stack; null if nothing is known of it. */
static json_t *call_json(const uint64_t *pc, uint32_t n, struct sm_symbols *symbols)
{
    struct sm_stack stack = frames_of(pc, n, symbols);
    json_t *json = stack.n ? sm_json_place(&stack.frames[0]) : json_null();
    if (stack.n)
        json_object_set_new(json, "stack", sm_json_stack(&stack));
    sm_stack_free(&stack);
    return json;
}

static json_t *locks_json(const struct sm_race_access *seen, struct sm_symbols *symbols)
{
    json_t *locks = json_array();
    for (uint32_t i = 0; i < seen->n_locks && i < SM_RACE_LOCKS; i++) {
        const struct sm_race_lock *lock = &seen->locks[i];
        char *name = sm_symbols_variable(symbols, lock->addr);
        json_t *json = json_pack("{s:o, s:o}", "address", number_json(lock->addr), "taken",
                                 call_json(&lock->pc, 1, symbols));
        if (name)
            json_object_set_new(json, "name", json_string(name));
        json_array_append_new(locks, json);
        free(name);
    }
    return locks;
}

static json_t *access_json(const struct sm_race_access *seen, const struct sm_sites *sites,
                           struct sm_symbols *symbols)
{
    struct sm_hunt_access access = sm_race_access_describe(seen, sites, symbols);
    json_t *json = sm_json_access(&access);
    if (seen->kind != SM_EV_FREE)
        json_object_set_new(json, "value", number_json(seen->value));
    json_object_set_new(json, "locks", locks_json(seen, symbols));
    json_object_set_new(json, "created", stack_json(seen->created, seen->created_depth, symbols));
    sm_place_free(&access.place);
    sm_stack_free(&access.stack);
    return json;
}

static json_t *block_json(const struct sm_race *race, struct sm_symbols *symbols)
{
    const struct sm_race_block *block = &race->block;
    json_t *allocated = call_json(block->stack, block->depth, symbols);
    if (json_is_object(allocated))
        json_object_set_new(allocated, "thread", json_integer(block->thread));
    return json_pack("{s:I, s:I, s:o}", "size", (json_int_t)block->size, "offset",
                     (json_int_t)(race->addr - block->start), "allocated", allocated);
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
    struct sm_advice_side facts = {.thread = seen->thread,
                                   .parent =
                                       seen->parent == SM_NO_THREAD ? SM_NOBODY : seen->parent,
                                   .write = is_write(seen->kind),
                                   .atomic = seen->order != SM_ORDER_PLAIN,
                                   .freed = seen->kind == SM_EV_FREE,
                                   .is_volatile = row && (row->flags & SM_SITE_VOLATILE)};
    for (; facts.n_locks < seen->n_locks && facts.n_locks < SM_RACE_LOCKS; facts.n_locks++)
        facts.locks[facts.n_locks] = seen->locks[facts.n_locks].addr;
    return facts;
}

/* Is there an access in the program that says so? */
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
    struct sm_advice_facts facts = {.first = side_facts(&race->first, sites),
                                    .second = side_facts(&race->second, sites),
                                    .allocated_by =
                                        race->block.size ? race->block.thread : SM_NOBODY,
                                    .by_special_pointer = is_special(sites, pointer, length)};
    return sm_advice(&facts);
}

json_t *sm_race_json(const struct sm_race *race, const struct sm_variables *variables,
                     const struct sm_sites *sites, struct sm_symbols *symbols)
{
    const char *variable = name_of(variables, race);
    json_t *json = json_pack("{s:s, s:o, s:o, s:s}", "variable", variable, "first",
                             access_json(&race->first, sites, symbols), "second",
                             access_json(&race->second, sites, symbols), "advice",
                             advice_on(race, variable, sites));
    if (race->block.size)
        json_object_set_new(json, "block", block_json(race, symbols));
    return json;
}
