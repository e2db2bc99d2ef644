/*
 * hooks.c - memory ranges, assembly, and the program's modules.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "base/module.h"
#include "base/sys.h"
#include "core/libc/callers.h"
#include "core/libc/range.h"
#include "native/modules.h"
#include "native/paths.h"
#include "native/report.h"
#include "native/shadow.h"
#include "native/sync.h"
#include "native/uses.h"

typedef const struct sm_site *S;

/* The interface through which core/libc/access.h reports the accesses of library calls. */
void sm_range(int kind, const void *addr, size_t size, S site)
{
    sm_check_range(addr, size, kind == SM_EV_STORE ? SM_ACCESS_WRITE : 0, site);
}

void sm_range_more(int kind, const void *addr, size_t size, S site)
{
    sm_range(kind, addr, size, site);
}

void sm_range_called(int kind, const void *addr, size_t size)
{
    if (kind == SM_EV_ATOMIC_LOAD)
        sm_check((uintptr_t)addr, size, SM_ACCESS_ATOMIC, &sm_use_site);
    else
        sm_range(kind, addr, size, kind == SM_EV_STORE ? &sm_input_site : &sm_output_site);
}

void sm_range_new(const void *addr, size_t size)
{
    if (sm_current)
        sm_shadow_clear((uintptr_t)addr, size);
}

void sm_range_point(const void *addr, S site)
{
    (void)addr;
    (void)site;
}

bool sm_range_by_bytes(void)
{
    return false;
}

void sm_range_store(const void *addr, const void *data, size_t size, S site)
{
    memcpy((void *)addr, data, size);
    sm_range(SM_EV_STORE, addr, size, site);
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

/* The effect of unknown assembly is not known: treat it as ordered after all earlier such
   assembly. */
SM_EXPORT void sm_asm(S site)
{
    static const char unknown;
    sm_report_unknown_asm(site);
    if (site->flags & SM_SITE_SINGLE_THREAD)
        return;
    sm_acquire(&unknown, SM_KEY_MAIN);
    sm_release(&unknown, SM_KEY_MAIN);
}

/* ---- modules ---- */

struct sm_module *sm_modules;

/* Modules in libraries. Never freed: a report may come after the library was unloaded. */
struct in_library {
    const struct sm_site *sites, *end;
    char *library;
    struct in_library *next;
};
static struct in_library *in_libraries;

/* Not when a report asks: dladdr1 takes the loader's lock, whose holder may be waiting for the lock
   of reports. */
static void note_library(const struct sm_module *module)
{
    Dl_info info;
    struct link_map *map = NULL;
    if (!dladdr1(module, &info, (void **)&map, RTLD_DL_LINKMAP) || !map || !*map->l_name)
        return;
    struct in_library *noted = sm_alloc(sizeof *noted);
    size_t size = strlen(map->l_name) + 1;
    *noted = (struct in_library){module->sites, module->sites + module->n_sites, sm_alloc(size),
                                 in_libraries};
    memcpy(noted->library, map->l_name, size);
    /* release: readers see it complete */
    __atomic_store_n(&in_libraries, noted, __ATOMIC_RELEASE);
}

const char *sm_library_of(const struct sm_site *site)
{
    struct in_library *at = __atomic_load_n(&in_libraries, __ATOMIC_ACQUIRE); /* see above */
    while (at && !(site >= at->sites && site < at->end))
        at = at->next;
    return at ? at->library : NULL;
}

static uint64_t n_sites; /* written only while the loader adds a module */

uint64_t sm_sites_added(void)
{
    return n_sites;
}

SM_EXPORT void sm_module_add(struct sm_module *module)
{
    if (module->version != SM_SITE_VERSION)
        sm_refuse("%s was compiled by another version of Stalemate; compile it again",
                  module->source);
    module->next = sm_modules;
    sm_modules = module;
    note_library(module);
    sm_callers_add(module);
    memset(module->watch, 1, module->n_sites);
    n_sites += module->n_sites;
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
