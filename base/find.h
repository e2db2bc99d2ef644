/* find.h - resolves the name of a program to a file. */
#ifndef SM_BASE_FIND_H
#define SM_BASE_FIND_H

#include <limits.h>

#include "base/status.h"

/* The absolute path that `name` means to a shell: as given if it has a '/', else by PATH. */
bool sm_find_program(const char *name, char path[PATH_MAX], struct sm_error *error);

#endif
