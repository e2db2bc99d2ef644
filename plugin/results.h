/*
 * results.h - calls whose result the program ignores: core/results.def.
 *
 * In two steps. Calls are marked early, as the source has them: a result that is unused after
 * optimisation may have been tested by a wrapper. Code that checks it, `if (result)
 * sm_unchecked(...)`, is added after the call when nothing reads the module's calls and loops any
 * more.
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
