/*
 * module.h - the instrumented translation units of the running program.
 *
 * Each runtime keeps the list: a constructor that the pass adds to each unit calls sm_module_add.
 */
#ifndef SM_BASE_MODULE_H
#define SM_BASE_MODULE_H

#include <stdbool.h>

#include "abi/site.h"

extern struct sm_module *sm_modules; /* linked by next */

static inline bool sm_global_holds(const struct sm_global *global, uintptr_t addr)
{
    return addr - (uintptr_t)global->address < global->size;
}

/* The global variable that contains the address; NULL: none. */
static inline const struct sm_global *sm_global_at(uintptr_t addr)
{
    for (const struct sm_module *module = sm_modules; module; module = module->next)
        for (uint64_t i = 0; i < module->n_globals; i++)
            if (sm_global_holds(&module->globals[i], addr))
                return &module->globals[i];
    return NULL;
}

#endif
