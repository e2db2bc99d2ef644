/*
 * sitefile.h - writes the site table for the driver: see abi/sitefile.h.
 */
#ifndef SM_RUNTIME_SITEFILE_H
#define SM_RUNTIME_SITEFILE_H

#include "abi/site.h"

/* Writes one table, of the modules from `first` up to `end` (NULL: all that follow), at this offset
   of the file. Returns the offset after it. */
uint64_t sm_sitefile_append(int fd, uint64_t at, const struct sm_module *first,
                            const struct sm_module *end);

#endif
