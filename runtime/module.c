#include "runtime/module.h"

#include "base/sys.h"
#include "core/libc/callers.h"
#include "runtime/assume.h"
#include "runtime/control.h"
#include "runtime/engine.h"
#include "runtime/region.h"
#include "runtime/sample.h"
#include "runtime/sitefile.h"
#include "runtime/thread.h"

struct sm_module *sm_modules;
static struct sm_module *last_module;
static uint32_t n_sites;

static bool is_plain(const struct sm_site *site)
{
    switch (site->kind) {
    case SM_SITE_LOAD:
    case SM_SITE_STORE:
    case SM_SITE_COPY:
    case SM_SITE_FILL:
    case SM_SITE_CALL:
    case SM_SITE_LINE:
        return true;
    default:
        return false;
    }
}

/* Atomics, fences and assembly are always watched in a controlled execution. */
static bool wanted(const struct sm_site *site, uint32_t number)
{
    if (!sm_control)
        return false;
    if (!is_plain(site) || sm_control->watch_mode == SM_WATCH_ALL)
        return site->kind != SM_SITE_LINE;
    return sm_control->watch_mode == SM_WATCH_LIST && number < SM_WATCH_BITS &&
           (sm_control->watch_bits[number / 8] >> number % 8 & 1);
}

bool sm_site_is_watched(const struct sm_site *site)
{
    return wanted(site, sm_site_number(site));
}

/* Synchronising accesses are always seen, whatever was decided for their memory: atomic ones, and
   volatile ones with Java's semantics. */
static uint8_t watch_value(const struct sm_site *site)
{
    bool java = (site->flags & SM_SITE_VOLATILE) && sm_option(volatile_as) == SM_VOLATILE_SEQ_CST;
    bool assumed = site->flags & SM_SITE_ASSUMED;
    return sm_sampling && is_plain(site) && !java && !assumed ? SM_WATCH_SAMPLED : SM_WATCH_EVERY;
}

static void watch_module(struct sm_module *module)
{
    unsigned calls = sm_control && sm_option(atomicity) ? SM_WATCH_CALLS : 0;
    unsigned locals = sm_control && sm_engine->returning && sm_option(memory) ? SM_WATCH_LOCALS : 0;
    for (uint32_t f = 0; f < module->n_functions; f++) {
        const struct sm_function *function = &module->functions[f];
        bool any = sm_engine->iteration;
        for (uint32_t i = 0; i < function->n_sites; i++) {
            uint32_t s = function->first_site + i;
            const struct sm_site *site = &module->sites[s];
            bool assumed = sm_control && (site->flags & SM_SITE_ASSUMED);
            bool on = assumed || wanted(site, module->first_site + s);
            module->watch[s] = on ? watch_value(site) : 0;
            any |= on && (assumed || is_plain(site));
        }
        module->function_watch[f] = (uint8_t)(any | calls | (any ? locals : 0) |
                                              (sm_assume_traces(function) ? SM_WATCH_CALLS : 0));
    }
}

void sm_modules_watch(void)
{
    for (struct sm_module *module = sm_modules; module; module = module->next)
        watch_module(module);
}

/* ---- translation units of libraries loaded later ---- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    const uint64_t fnv_prime = 0x100000001b3u;
    return (hash ^ value) * fnv_prime;
}

static uint64_t identity_of(const struct sm_module *module)
{
    uint64_t hash = module->n_sites;
    for (const char *at = module->source; *at; at++)
        hash = mix(hash, (uint8_t)*at);
    for (uint32_t i = 0; i < module->n_sites; i++) {
        const struct sm_site *site = &module->sites[i];
        hash = mix(mix(hash, site->line), (uint64_t)site->column << 16 | site->kind);
    }
    return hash;
}

static bool is_taken(uint32_t first_site)
{
    for (const struct sm_module *module = sm_modules; module; module = module->next)
        if (module->n_sites && module->first_site == first_site)
            return true;
    return false;
}

/* Two libraries may contain the same unit: then it has two entries. */
static bool find_late(struct sm_module *module, uint64_t identity)
{
    for (uint32_t i = 0; i < sm_control->n_late; i++) {
        const struct sm_late_unit *late = &sm_control->late[i];
        if (late->identity != identity || is_taken(late->first_site))
            continue;
        module->first_site = late->first_site;
        return true;
    }
    return false;
}

/* The entry is counted when its table is complete: an execution can be killed at any time. */
static void number_late(struct sm_module *module)
{
    uint64_t identity = identity_of(module);
    if (find_late(module, identity))
        return;
    if (sm_control->n_late == SM_MAX_LATE)
        sm_refuse("more than %d translation units in libraries that are loaded later", SM_MAX_LATE);
    module->first_site = (uint32_t)sm_control->n_sites;
    sm_control->late[sm_control->n_late] = (struct sm_late_unit){
        .identity = identity, .first_site = module->first_site, .n_sites = module->n_sites};
    if (sm_sites_fd >= 0)
        sm_control->sites_bytes =
            sm_sitefile_append(sm_sites_fd, sm_control->sites_bytes, module, module->next);
    sm_control->n_sites += module->n_sites;
    sm_control->n_late++;
}

static bool handed_over; /* the table of the units that exist before main was written */

void sm_modules_hand_over(void)
{
    handed_over = true;
    if (sm_control->want_sites && !sm_control->sites_bytes) /* else the server wrote it before */
        sm_control->sites_bytes = sm_sitefile_append(sm_sites_fd, 0, sm_modules, NULL);
}

static void number(struct sm_module *module)
{
    if (sm_control && handed_over) {
        number_late(module);
        return;
    }
    module->first_site = n_sites;
    n_sites += module->n_sites;
    if (sm_control && sm_control->n_sites < n_sites)
        sm_control->n_sites = n_sites;
}

SM_EXPORT void sm_module_add(void *new_module)
{
    struct sm_module *module = new_module;
    if (module->version != SM_SITE_VERSION)
        sm_refuse("%s was compiled by another version of Stalemate; compile it again",
                  module->source);
    module->next = NULL;
    number(module);
    if (last_module)
        last_module->next = module;
    else
        sm_modules = module;
    last_module = module;
    sm_callers_add(module);
    if (!sm_control)
        return;
    sm_assume_module(module);
    if (sm_running()) /* loaded by the program; all others are there before main */
        sm_region_scan();
    watch_module(module);
}

/* The numbers of an unloaded module are not reused. */
SM_EXPORT void sm_module_remove(void *old_module)
{
    struct sm_module *previous = NULL;
    for (struct sm_module *module = sm_modules; module; module = module->next) {
        if (module == old_module) {
            if (previous)
                previous->next = module->next;
            else
                sm_modules = module->next;
            if (last_module == module)
                last_module = previous;
            return;
        }
        previous = module;
    }
}

static struct sm_module *module_of(const struct sm_site *site)
{
    for (struct sm_module *module = sm_modules; module; module = module->next)
        if (site >= module->sites && site < module->sites + module->n_sites)
            return module;
    return NULL;
}

uint32_t sm_site_number(const struct sm_site *site)
{
    static struct sm_module *recent; /* most events come from the same unit as the one before */
    if (!site)
        return SM_NO_SITE;
    if (!recent || site < recent->sites || site >= recent->sites + recent->n_sites)
        recent = module_of(site);
    return recent ? recent->first_site + (uint32_t)(site - recent->sites) : SM_NO_SITE;
}

const struct sm_site *sm_site_by_number(uint32_t number)
{
    for (struct sm_module *module = sm_modules; module; module = module->next)
        if (number >= module->first_site && number - module->first_site < module->n_sites)
            return &module->sites[number - module->first_site];
    return NULL;
}

uintptr_t sm_access_pc(uintptr_t pc, uintptr_t stack)
{
    for (const struct sm_module *module = sm_modules; module; module = module->next)
        if (pc >= (uintptr_t)module->outlined && pc < (uintptr_t)module->outlined_end)
            return *(const uintptr_t *)stack - 1; /* inside the call */
    return pc;
}
