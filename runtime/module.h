/*
 * module.h - the instrumented translation units of the program, and which of their
 * sites are watched. Sites are numbered through, in order of registration, which the
 * loader makes the same in each execution.
 */
#ifndef SM_MODULE_H
#define SM_MODULE_H

#include "../abi/site.h"

extern struct sm_module *sm_modules; /* in order of registration, linked by next */

/* Sets every watch byte as the control block says; all off without one. */
void sm_modules_watch(void);

/* Number of a site, SM_NO_SITE for NULL; and back. */
uint32_t sm_site_number(const struct sm_site *site);
const struct sm_site *sm_site_by_number(uint32_t number);

#endif
