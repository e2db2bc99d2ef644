/*
 * results.h - calls whose result the program does not look at: core/results.def.
 *
 * In two steps. Marked early, as the source has it: what the optimiser finds unused later may have
 * been tested by a wrapper. Checked by code after the call, `if (result) sm_unchecked(...)`, when
 * nothing reads the module's calls and loops any more.
 */
#ifndef SM_PLUGIN_RESULTS_H
#define SM_PLUGIN_RESULTS_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

void sm_results_mark(LLVMModuleRef module);
void sm_results_check(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif

#endif
