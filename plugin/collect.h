/*
 * collect.h - reads every function of the module and fills pass->rows and pass->units.
 *
 * Nothing of the module is changed, but for calls that an exception seems to leave and that
 * cannot throw. A function gets a unit (a row of its own) when it
 * has a site, a counted loop or a call: calls, because its name belongs in the stacks
 * of the accesses below it. A leaf without accesses stays exactly as it was, and so does a
 * function of the system's headers that only calls others: C++ is full of those.
 */
#ifndef SM_PLUGIN_COLLECT_H
#define SM_PLUGIN_COLLECT_H

#include "plugin/pass.h"

void sm_collect(struct sm_pass *pass);
/* Of a function, by name or not: no intrinsic, no assembly. */
bool sm_is_real_call(LLVMValueRef instruction);

#endif
