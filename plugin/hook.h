/*
 * hook.h - the runtime's functions, as abi/hooks.def declares them.
 */
#ifndef SM_PLUGIN_HOOK_H
#define SM_PLUGIN_HOOK_H

#include "plugin/pass.h"

/* Calls the hook at the builder's place with as many arguments as it has parameters. */
LLVMValueRef sm_hook_call(struct sm_pass *pass, enum sm_hook hook, LLVMValueRef *arguments);
/* The row of a site, and of a function, as hooks want them. */
LLVMTypeRef sm_hook_type(struct sm_pass *pass, enum sm_hook hook);
LLVMValueRef sm_hook_site(struct sm_pass *pass, uint32_t row);
LLVMValueRef sm_hook_site_at(struct sm_pass *pass, LLVMValueRef row); /* an i64 */
LLVMValueRef sm_hook_function(struct sm_pass *pass, uint32_t unit);

#endif
