/*
 * advice.c - the facts from which the advice on a finding is chosen. See findings/advice.h.
 */
#include <string.h>

#include "base/module.h"
#include "findings/advice.h"
#include "native/finding.h"

/* OpenMP's runtime creates the threads of a team, not the program. */
static uint32_t parent_of(const struct sm_side *side)
{
    const struct sm_detect_thread *parent = side->thread->parent;
    return parent && !sm_thread_team(side->thread, side->epoch) ? parent->id : SM_UNKNOWN_THREAD;
}

static struct sm_advice_side side_facts(const struct sm_side *side)
{
    struct sm_advice_side facts = {.thread = side->thread->id,
                                   .parent = parent_of(side),
                                   .write = side->kind & SM_ACCESS_WRITE,
                                   .atomic = side->kind & SM_ACCESS_ATOMIC,
                                   .freed = side->kind & SM_ACCESS_FREE,
                                   .is_volatile =
                                       side->site && (side->site->flags & SM_SITE_VOLATILE),
                                   .by_call = !side->site || sm_site_calls(side->site->kind)};
    for (; facts.n_locks < side->locks.n; facts.n_locks++)
        facts.locks[facts.n_locks] = side->locks.held[facts.n_locks].addr;
    return facts;
}
_Static_assert(sizeof((struct sm_advice_side *)0)->locks / sizeof(uint64_t) >= SM_LOCKS_MAX,
               "there is room for all");

/* Does the program access a variable of this name as volatile or by an atomic load? */
static bool is_special(const char *name, size_t length)
{
    for (const struct sm_module *module = sm_modules; length && module; module = module->next)
        for (uint32_t i = 0; i < module->n_sites; i++) {
            const struct sm_site *site = &module->sites[i];
            bool special = (site->flags & SM_SITE_VOLATILE) || site->kind == SM_SITE_ATOMIC_LOAD;
            const char *variable = SM_SITE_TEXT(site, variable);
            if (special && strncmp(variable, name, length) == 0 && !variable[length])
                return true;
        }
    return false;
}

const char *sm_finding_advice(const struct sm_detected_race *finding)
{
    const char *pointer;
    size_t length = sm_advice_pointer(finding->variable, &pointer);
    bool origin_known = finding->in_heap && finding->block.origin.site;
    struct sm_advice_facts facts = {.variable = finding->variable,
                                    .first = side_facts(&finding->first),
                                    .second = side_facts(&finding->second),
                                    .allocated_by = origin_known ? finding->block.origin.thread
                                                                 : SM_UNKNOWN_THREAD,
                                    .by_special_pointer = is_special(pointer, length)};
    return sm_advice(&facts);
}
