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

/* Frames of an address that was asked for. The stacks of one execution share most of theirs: a
   thousand calls of std::future have nine addresses in libstdc++, and libdw goes through all of a
   library's symbols for each. */
struct sm_known_frames {
    bool is_set, have_lines;
    uint64_t pc;
    struct sm_stack frames;
};
enum { SM_KNOWN_FRAMES = 251 };

struct sm_symbols {
    Dwfl *dwfl;
    struct sm_unit_functions *functions;    /* of the units searched so far */
    struct sm_located_variables *variables; /* of the modules searched so far */
    size_t n_variables;
    struct sm_known_frames known[SM_KNOWN_FRAMES]; /* by pc % SM_KNOWN_FRAMES */
};

/* A library of the language, in which nothing is the user's. */
bool sm_of_language(const char *path);

void sm_located_variables_free(struct sm_symbols *symbols);

#endif
