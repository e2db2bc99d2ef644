/*
 * hook.c - see hook.h.
 *
 * Hooks are declared without `nounwind`: a thread may be cancelled inside one, and the caller's
 * frame must be unwound.
 */
#include "plugin/hook.h"

#include <string.h>

static const struct {
    const char *name, *result, *parameters;
} hooks[SM_HOOKS] = {
#define SM_HOOK(result, name, parameters) {#name, #result, #parameters},
#include "abi/hooks.def"
};

/* The type that hooks.def spells at the start of `word`. */
static LLVMTypeRef spelt_type(struct sm_pass *pass, const char *word)
{
    if (sm_starts_with(word, "U64"))
        return pass->i64;
    return sm_starts_with(word, "V") ? pass->void_type : pass->pointer;
}

enum { MAX_PARAMETERS = 8 };

/* Out of "(P addr, S site)"; n parameters. */
static unsigned parameter_types(struct sm_pass *pass, const char *list, LLVMTypeRef *types)
{
    unsigned n = 0;
    if (strcmp(list, "(void)") == 0)
        return 0;
    for (const char *word = list + 1; word && n < MAX_PARAMETERS; n++) {
        types[n] = spelt_type(pass, word);
        word = strchr(word, ',');
        word = word ? word + 2 : NULL;
    }
    return n;
}

LLVMTypeRef sm_hook_type(struct sm_pass *pass, enum sm_hook hook)
{
    LLVMTypeRef types[MAX_PARAMETERS];
    unsigned n = parameter_types(pass, hooks[hook].parameters, types);
    return LLVMFunctionType(spelt_type(pass, hooks[hook].result), types, n, false);
}

static LLVMValueRef declare(struct sm_pass *pass, enum sm_hook hook)
{
    LLVMValueRef function = LLVMGetNamedFunction(pass->module, hooks[hook].name);
    if (!function)
        function = LLVMAddFunction(pass->module, hooks[hook].name, sm_hook_type(pass, hook));
    return function;
}

LLVMValueRef sm_hook_call(struct sm_pass *pass, enum sm_hook hook, LLVMValueRef *arguments)
{
    LLVMTypeRef type = sm_hook_type(pass, hook);
    if (!pass->hooks[hook])
        pass->hooks[hook] = declare(pass, hook);
    return LLVMBuildCall2(pass->builder, type, pass->hooks[hook], arguments,
                          LLVMCountParamTypes(type), "");
}

static LLVMValueRef element(struct sm_pass *pass, LLVMValueRef array, uint64_t offset)
{
    LLVMValueRef index = sm_constant(pass, offset);
    return LLVMConstInBoundsGEP2(pass->i8, array, &index, 1);
}

LLVMValueRef sm_hook_site(struct sm_pass *pass, uint32_t row)
{
    return element(pass, pass->sites, (uint64_t)row * sizeof(struct sm_site));
}

LLVMValueRef sm_hook_site_at(struct sm_pass *pass, LLVMValueRef row)
{
    LLVMValueRef size = sm_constant(pass, sizeof(struct sm_site));
    LLVMValueRef offset = LLVMBuildMul(pass->builder, row, size, "");
    return LLVMBuildInBoundsGEP2(pass->builder, pass->i8, pass->sites, &offset, 1, "");
}

LLVMValueRef sm_hook_function(struct sm_pass *pass, uint32_t unit)
{
    return element(pass, pass->functions, (uint64_t)unit * sizeof(struct sm_function));
}
