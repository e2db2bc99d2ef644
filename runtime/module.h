/*
 * module.h - which sites of the program's modules are watched. Sites are numbered in order of
 * registration, which the loader makes the same in each execution.
 */
#ifndef SM_RUNTIME_MODULE_H
#define SM_RUNTIME_MODULE_H

#include "base/module.h"

/* Sets every watch byte as the control block says; all off without one. */
void sm_modules_watch(void);
/* Writes the site table; before main, when all units are registered except those loaded later. */
void sm_modules_hand_over(void);

/* Its accesses are events; other accesses with hooks are done natively. */
bool sm_site_is_watched(const struct sm_site *site);

/* The place of the program's access if the processor made it at `pc`, with the stack pointer there:
   accesses of watched code are made on behalf of their caller (abi/site.h). */
uintptr_t sm_access_pc(uintptr_t pc, uintptr_t stack);

/* Number of a site, SM_NO_SITE for NULL; and back. */
uint32_t sm_site_number(const struct sm_site *site);
const struct sm_site *sm_site_by_number(uint32_t number);

#endif
