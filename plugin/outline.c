/*
 * outline.c - see outline.h.
 *
 * The site is passed as its number, in the type of a pointer: then the types are those of the hook,
 * as a musttail call requires. A number needs no relocation; at 24 bytes each, relocations of
 * addresses took a tenth of an object file.
 */
#include "plugin/outline.h"

#include "plugin/guard.h"
#include "plugin/hook.h"

#include "plugin/llvm_gaps.h"

#include <stdio.h>
#include <string.h>

static const char outlined[] = "sm.out.";

static void add_attribute(struct sm_pass *pass, LLVMValueRef function, const char *name,
                          uint64_t value)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(pass->context, kind, value));
}

static LLVMValueRef declare(struct sm_pass *pass, const char *name, LLVMTypeRef type)
{
    enum { ASYNCHRONOUS = 2 };
    LLVMValueRef function = LLVMAddFunction(pass->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    add_attribute(pass, function, "noinline", 0);
    add_attribute(pass, function, "uwtable", ASYNCHRONOUS);
    return function;
}

static LLVMValueRef last_parameter(LLVMValueRef function)
{
    return LLVMGetParam(function, LLVMCountParams(function) - 1);
}

/* An access with no alignment assumption. */
static LLVMValueRef unaligned(LLVMValueRef access)
{
    LLVMSetVolatile(access, true);
    LLVMSetAlignment(access, 1);
    return access;
}

static void emit_access(struct sm_pass *pass, LLVMValueRef function, enum sm_hook hook,
                        uint64_t size)
{
    LLVMBuilderRef builder = pass->builder;
    LLVMTypeRef type = LLVMIntTypeInContext(pass->context, (unsigned)size * 8);
    LLVMValueRef address = LLVMGetParam(function, 0);
    if (hook == SM_HOOK_sm_load) {
        LLVMValueRef value = unaligned(LLVMBuildLoad2(builder, type, address, ""));
        LLVMBuildRet(builder, LLVMBuildIntCast2(builder, value, pass->i64, false, ""));
        return;
    }
    if (hook == SM_HOOK_sm_store) {
        LLVMValueRef value = LLVMBuildIntCast2(builder, LLVMGetParam(function, 1), type, false, "");
        unaligned(LLVMBuildStore(builder, value, address));
    }
    LLVMBuildRetVoid(builder);
}

static void emit_jump(struct sm_pass *pass, LLVMValueRef function, enum sm_hook hook,
                      LLVMValueRef row)
{
    LLVMValueRef arguments[3];
    unsigned n = LLVMCountParams(function);
    LLVMGetParams(function, arguments);
    arguments[n - 1] = sm_hook_site_at(pass, row);
    LLVMValueRef call = sm_hook_call(pass, hook, arguments);
    LLVMSetTailCallKind(call, LLVMTailCallKindMustTail);
    if (hook == SM_HOOK_sm_load)
        LLVMBuildRet(pass->builder, call);
    else
        LLVMBuildRetVoid(pass->builder);
}

static LLVMValueRef define(struct sm_pass *pass, enum sm_hook hook, uint64_t size, bool sampled,
                           const char *name)
{
    LLVMValueRef function = declare(pass, name, sm_hook_type(pass, hook));
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(pass->context, function, "");
    LLVMBasicBlockRef native = LLVMAppendBasicBlockInContext(pass->context, function, "");
    LLVMBasicBlockRef watched = LLVMAppendBasicBlockInContext(pass->context, function, "");
    LLVMPositionBuilderAtEnd(pass->builder, entry);
    LLVMValueRef row = LLVMBuildPtrToInt(pass->builder, last_parameter(function), pass->i64, "");
    LLVMValueRef condition =
        sm_guard_condition(pass, row, sampled ? LLVMGetParam(function, 0) : NULL);
    LLVMBuildCondBr(pass->builder, condition, watched, native);
    LLVMPositionBuilderAtEnd(pass->builder, native);
    emit_access(pass, function, hook, size);
    LLVMPositionBuilderAtEnd(pass->builder, watched);
    emit_jump(pass, function, hook, row);
    return function;
}

/* Uses a builder of its own. */
static LLVMValueRef make(struct sm_pass *pass, enum sm_hook hook, uint64_t size, bool sampled,
                         const char *name)
{
    LLVMBuilderRef builder = pass->builder;
    pass->builder = LLVMCreateBuilderInContext(pass->context);
    LLVMValueRef function = define(pass, hook, size, sampled, name);
    LLVMDisposeBuilder(pass->builder);
    pass->builder = builder;
    return function;
}

LLVMValueRef sm_outlined_call(struct sm_pass *pass, enum sm_hook hook, uint64_t size, bool sampled,
                              LLVMValueRef *arguments, uint32_t row)
{
    char name[32];
    LLVMTypeRef type = sm_hook_type(pass, hook);
    unsigned n = LLVMCountParamTypes(type);
    snprintf(name, sizeof name, "%s%d.%d%s", outlined, (int)hook, (int)size,
             sampled ? ".sampled" : "");
    LLVMValueRef function = LLVMGetNamedFunction(pass->module, name);
    if (!function)
        function = make(pass, hook, size, sampled, name);
    arguments[n - 1] = LLVMConstIntToPtr(sm_constant(pass, row), pass->pointer);
    return LLVMBuildCall2(pass->builder, type, function, arguments, n, "");
}

void sm_outlined_range(struct sm_pass *pass, LLVMValueRef *first, LLVMValueRef *end)
{
    LLVMTypeRef type = LLVMFunctionType(pass->void_type, NULL, 0, false);
    *first = sm_move_to_end(pass->module, outlined);
    *end = LLVMConstNull(pass->pointer);
    if (!*first) {
        *first = *end;
        return;
    }
    *end = declare(pass, "sm.end", type);
    LLVMPositionBuilderAtEnd(pass->builder, LLVMAppendBasicBlockInContext(pass->context, *end, ""));
    LLVMSetCurrentDebugLocation2(pass->builder, NULL);
    LLVMBuildRetVoid(pass->builder);
}
