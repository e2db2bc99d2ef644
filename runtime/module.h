/*
 * module.h - the instrumented translation units of the program, and which of their
 * sites are watched. Sites are numbered through, in order of registration, which the
 * loader makes the same in each execution.
 */
#ifndef SM_RUNTIME_MODULE_H
#define SM_RUNTIME_MODULE_H

#include <stdbool.h>

#include "abi/site.h"

extern struct sm_module *sm_modules; /* in order of registration, linked by next */

static inline bool sm_global_holds(const struct sm_global *global, uintptr_t addr)
{
    return addr - (uintptr_t)global->address < global->size;
}

/* The global variable that the address lies in; NULL if it is none. */
static inline const struct sm_global *sm_global_at(uintptr_t addr)
{
    for (const struct sm_module *module = sm_modules; module; module = module->next)
        for (uint64_t i = 0; i < module->n_globals; i++)
            if (sm_global_holds(&module->globals[i], addr))
                return &module->globals[i];
    return NULL;
}

/* Sets every watch byte as the control block says; all off without one. */
void sm_modules_watch(void);

/* Number of a site, SM_NO_SITE for NULL; and back. */
uint32_t sm_site_number(const struct sm_site *site);
const struct sm_site *sm_site_by_number(uint32_t number);

#endif
