/*
 * tables.h - the module's arrays of abi/site.h, as constants, and the constructor
 * that hands them to the runtime before any constructor of the program runs.
 */
#ifndef SM_PLUGIN_TABLES_H
#define SM_PLUGIN_TABLES_H

#include "pass.h"

/* After collection; sets sites, watch, functions, function_watch and module_row. */
void sm_tables_emit(struct sm_pass *pass);

#endif
