/*
 * results.c - see results.h.
 */
#include "plugin/results.h"

#include "plugin/llvm_gaps.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

static const char *const names[] = {
#define SM_RESULT(name, style) #name,
#include "core/results.def"
};
enum { NAMES = sizeof names / sizeof *names };

static const char unchecked[] = "sm-unchecked";

static bool is_call_of(LLVMValueRef instruction, LLVMValueRef function)
{
    return (LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction)) &&
           LLVMGetCalledValue(instruction) == function;
}

/* An integer result, so that a program's own function of that name is left alone. */
static bool has_result(LLVMValueRef call)
{
    return LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMTypeOf(call)) == 32;
}

static void mark_calls(LLVMValueRef function)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMAttributeRef mark =
        LLVMCreateStringAttribute(context, unchecked, sizeof unchecked - 1, "", 0);
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        if (is_call_of(call, function) && has_result(call) && !LLVMGetFirstUse(call))
            LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, mark);
    }
}

void sm_results_mark(LLVMModuleRef module)
{
    for (unsigned i = 0; i < NAMES; i++) {
        LLVMValueRef function = LLVMGetNamedFunction(module, names[i]);
        if (function && !LLVMCountBasicBlocks(function))
            mark_calls(function);
    }
}

static bool has_one_use(LLVMValueRef value)
{
    LLVMUseRef use = LLVMGetFirstUse(value);
    return use && !LLVMGetNextUse(use);
}

/* The place where the call has returned; NULL: no place that only this call reaches. */
static LLVMValueRef place_after(LLVMValueRef call)
{
    if (LLVMIsACallInst(call))
        return LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail ? NULL
                                                                     : LLVMGetNextInstruction(call);
    LLVMBasicBlockRef block = LLVMGetNormalDest(call);
    return has_one_use(LLVMBasicBlockAsValue(block)) &&
                   !LLVMIsAPHINode(LLVMGetFirstInstruction(block))
               ? LLVMGetFirstInstruction(block)
               : NULL;
}

static LLVMValueRef hook(LLVMModuleRef module, LLVMTypeRef *type)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef number = LLVMInt64TypeInContext(context);
    LLVMTypeRef types[] = {LLVMPointerTypeInContext(context, 0), number, number};
    *type = LLVMFunctionType(LLVMVoidTypeInContext(context), types, 3, false);
    LLVMValueRef function = LLVMGetNamedFunction(module, "sm_unchecked");
    return function ? function : LLVMAddFunction(module, "sm_unchecked", *type);
}

/* The object of the call: its first argument, if that is a pointer. */
static LLVMValueRef object_of(LLVMValueRef call, LLVMTypeRef pointer)
{
    LLVMValueRef first = LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, 0) : NULL;
    return first && LLVMTypeOf(first) == pointer ? first : LLVMConstNull(pointer);
}

static void check(LLVMBuilderRef builder, LLVMValueRef call, unsigned which)
{
    LLVMModuleRef module =
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
    LLVMTypeRef type, number = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
    LLVMValueRef function = hook(module, &type), place = place_after(call);
    if (!place)
        return;
    LLVMTypeRef types[3];
    LLVMGetParamTypes(type, types);
    LLVMPositionBuilderBefore(builder, place);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
    LLVMValueRef failed =
        LLVMBuildICmp(builder, LLVMIntNE, call, LLVMConstNull(LLVMTypeOf(call)), "");
    LLVMPositionBuilderBefore(builder, sm_split_then(failed, place));
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
    LLVMValueRef arguments[] = {object_of(call, types[0]), LLVMBuildSExt(builder, call, number, ""),
                                LLVMConstInt(number, which, false)};
    LLVMBuildCall2(builder, type, function, arguments, 3, "");
}

static bool is_marked(LLVMValueRef call)
{
    return LLVMGetCallSiteStringAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                          unchecked, sizeof unchecked - 1) != NULL;
}

static void check_calls(LLVMBuilderRef builder, LLVMValueRef function, unsigned which)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
        LLVMValueRef call = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (is_call_of(call, function) && is_marked(call) && !LLVMGetFirstUse(call))
            check(builder, call, which);
    }
}

void sm_results_check(LLVMModuleRef module)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (unsigned i = 0; i < NAMES; i++) {
        LLVMValueRef function = LLVMGetNamedFunction(module, names[i]);
        if (function && !LLVMCountBasicBlocks(function))
            check_calls(builder, function, i);
    }
    LLVMDisposeBuilder(builder);
}
