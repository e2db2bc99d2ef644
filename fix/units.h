/*
 * units.h - the translation units of a program, and how each is parsed.
 *
 * Names and directories come from the debug information of the program. The flags come from the
 * producer that `stalemate cc` records there, else from a compile_commands.json beside the program
 * or above it, else they are the defaults of a GNU compiler.
 */
#ifndef SM_FIX_UNITS_H
#define SM_FIX_UNITS_H

#include "base/memory.h"
#include "base/status.h"

struct sm_source_unit {
    char *file;      /* absolute */
    char *directory; /* in which it was compiled */
    struct sm_list flags;
    bool cxx;
};

struct sm_source_units {
    struct sm_source_unit *items;
    size_t n;
};

bool sm_units_read(struct sm_source_units *units, const char *program, struct sm_error *error);
/* Adds one, with the default flags for its name; for tests. */
void sm_units_add(struct sm_source_units *units, const char *file, const char *directory);
void sm_units_free(struct sm_source_units *units);
/* The directory of the build: in which the first unit was compiled. */
const char *sm_units_directory(const struct sm_source_units *units);

#endif
