/*
 * modules.h - the library that a site belongs to.
 *
 * Callers: reports. Sites of an unloaded library, whose address range another library now uses, are
 * attributed to the newer one.
 */
#ifndef SM_NATIVE_MODULES_H
#define SM_NATIVE_MODULES_H

#include "abi/site.h"

/* The library's file; NULL if the site is in the program itself. */
const char *sm_library_of(const struct sm_site *site);
/* Instrumented accesses in all modules so far, including unloaded ones. */
uint64_t sm_sites_added(void);

#endif
