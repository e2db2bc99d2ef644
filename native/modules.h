/*
 * modules.h - which library a row of the program is in.
 *
 * Who may call: reports. The rows of a library that was closed, and whose place another has taken,
 * are the newer one's.
 */
#ifndef SM_NATIVE_MODULES_H
#define SM_NATIVE_MODULES_H

#include "abi/site.h"

/* Its file; NULL if it is in the program itself. */
const char *sm_library_of(const struct sm_site *site);
/* Instrumented accesses in all modules so far, also in those that were closed. */
uint64_t sm_sites_added(void);

#endif
