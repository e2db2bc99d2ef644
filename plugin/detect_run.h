/* detect_run.h - runs the pass on a module, for the plug-in's entry: false if nothing changed. */
#ifndef SM_PLUGIN_DETECT_RUN_H
#define SM_PLUGIN_DETECT_RUN_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C"
#endif
    bool
    sm_detect_run(LLVMModuleRef module);

#endif
