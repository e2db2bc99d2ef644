/*
 * tables.h - the module's arrays of abi/site.h, as constants, and the constructor that registers
 * them with the runtime before any constructor of the program runs.
 */
#ifndef SM_PLUGIN_TABLES_H
#define SM_PLUGIN_TABLES_H

#include "plugin/pass.h"

/* After collection, sets sites, watch, functions and function_watch to symbols without a
 * definition. The optimiser must not see the tables: the byte arrays look like constants
 * to it, and its call graph would read all of sm.sites again for every function. */
void sm_tables_declare(struct sm_pass *pass);
/* Defines them, and module_row. */
void sm_tables_emit(struct sm_pass *pass);

#endif
