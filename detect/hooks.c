/*
 * hooks.c - memory ranges, assembly, and the program's modules.
 */
#include <string.h>

#include "../runtime/module.h"
#include "../runtime/step.h"
#include "../runtime/sys.h"
#include "paths.h"
#include "shadow.h"

typedef const struct sm_site *S;

/* The names under which runtime/intercept/string.c shows what library calls touch. */
void sm_range(int kind, const void *addr, size_t size, S site)
{
    sm_check_range(addr, size, kind == SM_EV_STORE ? SM_ACCESS_WRITE : 0, site);
}

void sm_range_more(int kind, const void *addr, size_t size, S site)
{
    sm_range(kind, addr, size, site);
}

SM_EXPORT void sm_copy(void *to, void *from, uint64_t size, S site)
{
    sm_check_range(from, size, 0, site);
    sm_check_range(to, size, SM_ACCESS_WRITE, site);
    memmove(to, from, size);
}

SM_EXPORT void sm_fill(void *to, uint64_t byte, uint64_t size, S site)
{
    sm_check_range(to, size, SM_ACCESS_WRITE, site);
    memset(to, (int)byte, size);
}

/* Assembly that touches memory does so unseen. */
SM_EXPORT void sm_asm(S site)
{
    (void)site;
}

struct sm_module *sm_modules;

SM_EXPORT void sm_module_add(struct sm_module *module)
{
    if (module->version != SM_SITE_VERSION)
        sm_refuse("%s was compiled by another version of Stalemate; compile it again",
                  module->source);
    module->next = sm_modules;
    sm_modules = module;
    memset(module->watch, 1, module->n_sites);
}

SM_EXPORT void sm_module_remove(struct sm_module *module)
{
    for (struct sm_module **at = &sm_modules; *at; at = &(*at)->next) {
        if (*at != module)
            continue;
        *at = module->next;
        return;
    }
}
