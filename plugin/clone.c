/*
 * clone.c - see clone.h.
 */
#include "plugin/clone.h"

#include "plugin/guard.h"
#include "plugin/hook.h"
#include "plugin/llvm_gaps.h"
#include "plugin/type_path.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

/* Functions that have no copy. */

static bool has_parameter(LLVMValueRef function, const char *attribute)
{
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (sm_parameter_has_attribute(function, i, attribute))
            return true;
    return false;
}

/* A struct by value lies among the caller's outgoing arguments. LLVM (19) gets it wrong in a
 * musttail call: it calls memcpy to move it onto itself, and loses the other arguments. An
 * ordinary call copies it once more, but cannot pass variable arguments on. */
static bool needs_ordinary_call(LLVMValueRef function)
{
    return has_parameter(function, "byval");
}

static bool is_variadic(LLVMValueRef function)
{
    return LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function));
}

/* The address of a label is a constant of one function; a copy would jump into it. */
static bool has_label_address(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        if (LLVMIsABlockAddress(LLVMGetUser(use)))
            return true;
    return false;
}

/* Calls about the stack frame, which for an always_inline function is its caller's. */
static bool is_about_frame(LLVMValueRef call)
{
    LLVMValueRef callee = sm_direct_callee(call);
    if (!callee)
        return false;
    const char *name = sm_value_name(callee);
    return sm_has_attribute(callee, "returns_twice") || sm_starts_with(name, "llvm.frameaddress") ||
           sm_starts_with(name, "llvm.returnaddress") || sm_starts_with(name, "llvm.eh.sjlj");
}

static bool blocks_copy(LLVMValueRef instruction, bool always_inline)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMIndirectBr:
    case LLVMCallBr:
    case LLVMCatchSwitch:
        return true;
    case LLVMCall:
        return always_inline && is_about_frame(instruction);
    default:
        return false;
    }
}

bool sm_must_stay_single(LLVMValueRef function)
{
    bool always_inline = sm_has_attribute(function, "alwaysinline");
    if (has_parameter(function, "inalloca") || has_parameter(function, "preallocated") ||
        (needs_ordinary_call(function) && is_variadic(function)) || has_label_address(function) ||
        sm_has_attribute(function, "presplitcoroutine"))
        return true;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction))
            if (blocks_copy(instruction, always_inline))
                return true;
    return false;
}

static void add_attribute(LLVMValueRef function, const char *name)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(context, kind, 0));
}

static bool is_elsewhere(LLVMValueRef instruction)
{
    LLVMValueRef callee = LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction)
                              ? sm_direct_callee(instruction)
                              : NULL;
    return callee && LLVMGetLinkage(callee) == LLVMAvailableExternallyLinkage;
}

/* It calls a function whose body is in this module only for inlining (an `extern inline` of C, a
 * function of an `extern template`). If it is not inlined, the call goes to a library's body, whose
 * accesses are not instrumented. */
static bool needs_inlining(LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction))
            if (is_elsewhere(instruction))
                return true;
    return false;
}

/* Never inlined: inlining would make the plain copy, its only caller, as slow as itself. */
LLVMValueRef sm_make_watched_copy(LLVMValueRef function, LLVMValueRef *mapped, size_t n)
{
    struct sm_text name = {0};
    LLVMValueRef copy = sm_clone_function(function, mapped, n);
    sm_text_add(&name, sm_value_name(function));
    sm_text_add(&name, ".sm");
    LLVMSetValueName2(copy, sm_text_get(&name), name.length);
    sm_text_free(&name);
    LLVMSetLinkage(copy, LLVMInternalLinkage);
    LLVMSetVisibility(copy, LLVMDefaultVisibility);
    LLVMSetDLLStorageClass(copy, LLVMDefaultStorageClass);
    sm_remove_attribute(copy, "alwaysinline");
    sm_remove_attribute(copy, "inlinehint");
    add_attribute(copy, "noinline");
    if (!needs_inlining(copy)) {
        /* Not worth the compile time: for FastTree it was two thirds, and calls of hooks dominate
           the run time. */
        sm_remove_attribute(copy, "optsize");
        sm_remove_attribute(copy, "minsize");
        add_attribute(copy, "optnone");
    }
    return copy;
}

/* byval, sret, signext and their like are part of how arguments are passed. */
static void copy_attributes(LLVMValueRef call, LLVMValueRef function, LLVMAttributeIndex index)
{
    unsigned n = LLVMGetAttributeCountAtIndex(function, index);
    LLVMAttributeRef *attributes = sm_allocate(n * sizeof *attributes);
    LLVMGetAttributesAtIndex(function, index, attributes);
    for (unsigned i = 0; i < n; i++)
        LLVMAddCallSiteAttribute(call, index, attributes[i]);
    free(attributes);
}

static LLVMValueRef build_jump(struct sm_pass *pass, LLVMValueRef plain, LLVMValueRef watched)
{
    unsigned n = LLVMCountParams(plain);
    LLVMValueRef *arguments = sm_allocate(n * sizeof *arguments);
    LLVMGetParams(plain, arguments);
    LLVMValueRef call =
        LLVMBuildCall2(pass->builder, LLVMGlobalGetValueType(plain), watched, arguments, n, "");
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(plain));
    LLVMSetTailCallKind(call, needs_ordinary_call(plain) ? LLVMTailCallKindNoTail
                                                         : LLVMTailCallKindMustTail);
    for (unsigned i = 0; i <= n; i++) /* 0 is the result */
        copy_attributes(call, plain, i);
    free(arguments);
    return call;
}

/* A call to a function with debug information needs a location, or LLVM rejects the module. */
static void set_entry_location(struct sm_pass *pass, LLVMValueRef function)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function), location = NULL;
    if (subprogram)
        location = LLVMDIBuilderCreateDebugLocation(
            pass->context, LLVMDISubprogramGetLine(subprogram), 0, subprogram, NULL);
    LLVMSetCurrentDebugLocation2(pass->builder, location);
}

void sm_dispatch(struct sm_pass *pass, uint32_t unit, LLVMValueRef plain, LLVMValueRef watched)
{
    LLVMValueRef end = sm_guard_function(pass, unit, UINT8_MAX, sm_after_allocas(plain));
    set_entry_location(pass, plain);
    LLVMValueRef call = build_jump(pass, plain, watched);
    if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(pass->builder);
    else
        LLVMBuildRet(pass->builder, call);
    LLVMInstructionEraseFromParent(end);
}

/* Calls. */

static void emit_trace(struct sm_pass *pass, uint32_t unit, enum sm_hook hook, LLVMValueRef before)
{
    static const char intrinsic[] = "llvm.frameaddress";
    unsigned id = LLVMLookupIntrinsicID(intrinsic, strlen(intrinsic));
    LLVMValueRef declaration = LLVMGetIntrinsicDeclaration(pass->module, id, &pass->pointer, 1);
    LLVMTypeRef type = LLVMIntrinsicGetType(pass->context, id, &pass->pointer, 1);
    LLVMValueRef zero = LLVMConstNull(pass->i32);
    sm_guard_function(pass, unit, SM_WATCH_CALLS, before);
    LLVMValueRef frame = LLVMBuildCall2(pass->builder, type, declaration, &zero, 1, "");
    LLVMValueRef arguments[] = {frame, sm_hook_function(pass, unit)};
    sm_hook_call(pass, hook, arguments);
}

/* Nothing may come between a musttail call and its return. */
static LLVMValueRef before_return(LLVMValueRef ret)
{
    LLVMValueRef previous = LLVMGetPreviousInstruction(ret);
    bool tail = previous && LLVMIsACallInst(previous) &&
                LLVMGetTailCallKind(previous) == LLVMTailCallKindMustTail;
    return tail ? previous : ret;
}

/* A pointer to anything but void, by the source. */
static bool points_to_object(LLVMValueRef argument)
{
    LLVMMetadataRef variable;
    bool reference;
    if (LLVMGetTypeKind(LLVMTypeOf(argument)) != LLVMPointerTypeKind ||
        !sm_di_local_variables(argument, &variable, 1))
        return false;
    LLVMMetadataRef pointee = sm_type_pointee(sm_di_base_type(variable), &reference);
    return pointee && (sm_type_is_composite(sm_type_strip(pointee)) || sm_type_size(pointee));
}

/* The builder is positioned after the call of sm_enter. */
static void emit_arguments(struct sm_pass *pass, LLVMValueRef function)
{
    for (unsigned i = 0; i < LLVMCountParams(function); i++) {
        LLVMValueRef argument = LLVMGetParam(function, i);
        if (points_to_object(argument))
            sm_hook_call(pass, SM_HOOK_sm_argument, &argument);
    }
}

static void emit_ends(struct sm_pass *pass, uint32_t unit, LLVMValueRef *locals,
                      LLVMValueRef before)
{
    if (!pass->units[unit].n_locals)
        return;
    sm_guard_function(pass, unit, SM_WATCH_LOCALS, before);
    for (size_t i = 0; i < pass->units[unit].n_locals; i++) {
        uint64_t size = sm_store_size(pass, LLVMGetAllocatedType(locals[i]));
        LLVMValueRef arguments[] = {locals[i], sm_constant(pass, size)};
        sm_hook_call(pass, SM_HOOK_sm_local_ends, arguments);
    }
}

void sm_trace_calls(struct sm_pass *pass, uint32_t unit, LLVMValueRef function,
                    LLVMValueRef *locals)
{
    unsigned n = LLVMCountBasicBlocks(function);
    LLVMBasicBlockRef *blocks = sm_allocate(n * sizeof *blocks);
    LLVMGetBasicBlocks(function, blocks);
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef terminator = LLVMGetBasicBlockTerminator(blocks[i]);
        if (LLVMGetInstructionOpcode(terminator) != LLVMRet)
            continue;
        emit_trace(pass, unit, SM_HOOK_sm_leave, before_return(terminator));
        emit_ends(pass, unit, locals, before_return(terminator));
    }
    emit_trace(pass, unit, SM_HOOK_sm_enter, sm_after_allocas(function));
    if (pass->units[unit].external)
        emit_arguments(pass, function);
    free(blocks);
}

void sm_trace_single(struct sm_pass *pass, uint32_t unit, LLVMValueRef function)
{
    if (sm_has_attribute(function, "alwaysinline"))
        return;
    add_attribute(function, "noinline");
    sm_trace_calls(pass, unit, function, pass->units[unit].locals);
}

/* LLVM 19 turns a function that ends in `return n + itself(...)` into a loop, and adds the sum so
 * far to the results of its other calls: even after a musttail call, where no instruction is
 * allowed. Such a musttail call becomes an ordinary call. */
static void repair_jump(LLVMValueRef instruction)
{
    if (LLVMIsACallInst(instruction) &&
        LLVMGetTailCallKind(instruction) == LLVMTailCallKindMustTail &&
        !LLVMIsAReturnInst(LLVMGetNextInstruction(instruction)))
        LLVMSetTailCallKind(instruction, LLVMTailCallKindNoTail);
}

void sm_repair_jumps(LLVMModuleRef module)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
                 instruction = LLVMGetNextInstruction(instruction))
                repair_jump(instruction);
}
