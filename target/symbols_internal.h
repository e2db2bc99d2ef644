/* symbols_internal.h - what the files behind symbols.h share. */
#ifndef SM_TARGET_SYMBOLS_INTERNAL_H
#define SM_TARGET_SYMBOLS_INTERNAL_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "target/symbols.h"

/* Where a variable of static storage duration is, in the addresses of the program. */
struct sm_located_variable {
    Dwarf_Addr start, end;
    Dwarf_Die die;
};
struct sm_located_variables {
    Dwfl_Module *module;
    struct sm_located_variable *items;
    size_t n;
};

struct sm_unit_functions; /* symbols.c */

struct sm_symbols {
    Dwfl *dwfl;
    struct sm_unit_functions *functions;    /* of the units searched so far */
    struct sm_located_variables *variables; /* of the modules searched so far */
    size_t n_variables;
};

void sm_located_variables_free(struct sm_symbols *symbols);

#endif
