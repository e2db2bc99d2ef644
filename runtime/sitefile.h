/*
 * sitefile.h - hands the site table to the driver: see abi/sitefile.h.
 *
 * Called before main when the control block has want_sites set, and again when a
 * library with sites of its own was loaded: each call writes the whole table anew.
 */
#ifndef SM_RUNTIME_SITEFILE_H
#define SM_RUNTIME_SITEFILE_H

#include "abi/site.h"

void sm_sitefile_write(int fd, const struct sm_module *modules);

#endif
