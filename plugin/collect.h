/*
 * collect.h - reads every function of the module and fills pass->rows and pass->units.
 *
 * The module is not changed, except that invokes of functions that cannot throw become calls. A
 * function gets a unit (a row of its own) if it has a site, a counted loop or a call: calls,
 * because its name belongs in the stacks of the accesses below it. A leaf without accesses is left
 * unchanged, and so is a function of the system's headers that only calls others: C++ is full of
 * those.
 */
#ifndef SM_PLUGIN_COLLECT_H
#define SM_PLUGIN_COLLECT_H

#include "plugin/pass.h"

void sm_collect(struct sm_pass *pass);
/* A call of a function, direct or indirect: not an intrinsic, not assembly. */
bool sm_is_real_call(LLVMValueRef instruction);

#endif
