/*
 * access.c - see access.h.
 */
#include "plugin/access.h"

#include "plugin/calls.h"
#include "plugin/guard.h"
#include "plugin/hook.h"
#include "plugin/outline.h"

#include <stdlib.h>

static LLVMValueRef site(struct sm_emit *emit)
{
    return sm_hook_site(emit->pass, emit->index);
}

static LLVMValueRef wide_load(struct sm_emit *emit, LLVMValueRef address, bool atomic)
{
    LLVMTypeRef type = LLVMTypeOf(emit->instruction);
    LLVMValueRef place = sm_scratch(emit, SM_SCRATCH_RESULT);
    LLVMValueRef arguments[] = {place, address, site(emit)};
    sm_hook_call(emit->pass, atomic ? SM_HOOK_sm_atomic_load_wide : SM_HOOK_sm_load_wide,
                 arguments);
    LLVMValueRef value = LLVMBuildLoad2(emit->pass->builder, type, place, "");
    LLVMSetAlignment(value, 16);
    return value;
}

/* A plain access of a watched copy. */
static bool is_outlined(const struct sm_emit *emit, bool atomic)
{
    return !atomic && emit->frame->watched && sm_fits_register(emit->row->size);
}

static LLVMValueRef call_outlined(struct sm_emit *emit, enum sm_hook hook, LLVMValueRef *arguments)
{
    /* The hook tests the bytes of both granules for an access that may span two. */
    bool one_granule = LLVMGetAlignment(emit->instruction) >= emit->row->size;
    return sm_outlined_call(emit->pass, hook, emit->row->size, one_granule, arguments, emit->index);
}

static void outline_load(struct sm_emit *emit)
{
    LLVMValueRef arguments[] = {LLVMGetOperand(emit->instruction, 0), NULL};
    LLVMPositionBuilderBefore(emit->pass->builder, emit->instruction);
    LLVMValueRef value = call_outlined(emit, SM_HOOK_sm_load, arguments);
    value = sm_from_register(emit, value, LLVMTypeOf(emit->instruction));
    LLVMReplaceAllUsesWith(emit->instruction, value);
    LLVMInstructionEraseFromParent(emit->instruction);
}

static void outline_store(struct sm_emit *emit)
{
    LLVMPositionBuilderBefore(emit->pass->builder, emit->instruction);
    LLVMValueRef value = sm_to_register(emit, LLVMGetOperand(emit->instruction, 0));
    LLVMValueRef arguments[] = {LLVMGetOperand(emit->instruction, 1), value, NULL};
    call_outlined(emit, SM_HOOK_sm_store, arguments);
    LLVMInstructionEraseFromParent(emit->instruction);
}

void sm_emit_load(struct sm_emit *emit, bool atomic)
{
    struct sm_pass *pass = emit->pass;
    LLVMValueRef address = LLVMGetOperand(emit->instruction, 0), value;
    if (is_outlined(emit, atomic)) {
        outline_load(emit);
        return;
    }
    struct sm_fork fork = sm_guard_fork(pass, emit->index, emit->instruction, NULL);
    if (sm_fits_register(emit->row->size)) {
        LLVMValueRef arguments[] = {address, site(emit)};
        value = sm_hook_call(pass, atomic ? SM_HOOK_sm_atomic_load : SM_HOOK_sm_load, arguments);
        value = sm_from_register(emit, value, LLVMTypeOf(emit->instruction));
    } else {
        value = wide_load(emit, address, atomic);
    }
    sm_guard_join(fork, emit->instruction, value);
}

void sm_emit_store(struct sm_emit *emit, bool atomic)
{
    struct sm_pass *pass = emit->pass;
    LLVMValueRef value = LLVMGetOperand(emit->instruction, 0);
    LLVMValueRef arguments[] = {LLVMGetOperand(emit->instruction, 1), NULL, site(emit)};
    if (is_outlined(emit, atomic)) {
        outline_store(emit);
        return;
    }
    sm_guard_fork(pass, emit->index, emit->instruction, NULL);
    if (sm_fits_register(emit->row->size)) {
        arguments[1] = sm_to_register(emit, value);
        sm_hook_call(pass, atomic ? SM_HOOK_sm_atomic_store : SM_HOOK_sm_store, arguments);
    } else {
        arguments[1] = sm_to_scratch(emit, SM_SCRATCH_VALUE, value);
        sm_hook_call(pass, atomic ? SM_HOOK_sm_atomic_store_wide : SM_HOOK_sm_store_wide,
                     arguments);
    }
}

/* The condition under which a checked call does not abort the program; NULL if unchecked. */
static LLVMValueRef has_room(struct sm_emit *emit)
{
    if (!sm_call_read(emit->instruction).checked)
        return NULL;
    LLVMPositionBuilderBefore(emit->pass->builder, emit->instruction);
    return LLVMBuildICmp(emit->pass->builder, LLVMIntULE, LLVMGetOperand(emit->instruction, 2),
                         LLVMGetOperand(emit->instruction, 3), "");
}

static void emit_memory_call(struct sm_emit *emit, enum sm_hook hook)
{
    struct sm_pass *pass = emit->pass;
    LLVMValueRef to = LLVMGetOperand(emit->instruction, 0);
    LLVMValueRef second = LLVMGetOperand(emit->instruction, 1);
    LLVMValueRef size = LLVMGetOperand(emit->instruction, 2);
    struct sm_fork fork = sm_guard_fork(pass, emit->index, emit->instruction, has_room(emit));
    if (hook == SM_HOOK_sm_fill) {
        second = LLVMBuildIntCast2(pass->builder, second, pass->i8, false, "");
        second = LLVMBuildIntCast2(pass->builder, second, pass->i64, false, "");
    }
    size = LLVMBuildIntCast2(pass->builder, size, pass->i64, false, "");
    LLVMValueRef arguments[] = {to, second, size, site(emit)};
    sm_hook_call(pass, hook, arguments);
    if (LLVMTypeOf(emit->instruction) == pass->pointer)
        sm_guard_join(fork, emit->instruction, to);
}

void sm_emit_copy(struct sm_emit *emit)
{
    emit_memory_call(emit, SM_HOOK_sm_copy);
}

void sm_emit_fill(struct sm_emit *emit)
{
    emit_memory_call(emit, SM_HOOK_sm_fill);
}

/* sm_lib_name, with the parameters of the call plus the site: the last one, or the first one where
   the number of arguments varies. */
static LLVMValueRef library_hook(struct sm_pass *pass, const char *name, LLVMTypeRef *type)
{
    struct sm_text symbol = {0};
    unsigned n = LLVMCountParamTypes(*type);
    bool varies = LLVMIsFunctionVarArg(*type);
    LLVMTypeRef *types = sm_allocate((n + 1) * sizeof *types);
    LLVMGetParamTypes(*type, types + varies);
    types[varies ? 0 : n] = pass->pointer;
    *type = LLVMFunctionType(LLVMGetReturnType(*type), types, n + 1, varies);
    sm_text_add(&symbol, "sm_lib_");
    sm_text_add(&symbol, name);
    LLVMValueRef hook = LLVMGetNamedFunction(pass->module, sm_text_get(&symbol));
    if (!hook)
        hook = LLVMAddFunction(pass->module, sm_text_get(&symbol), *type);
    sm_text_free(&symbol);
    free(types);
    return hook;
}

void sm_emit_library_call(struct sm_emit *emit)
{
    struct sm_pass *pass = emit->pass;
    LLVMValueRef call = emit->instruction;
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    unsigned n = LLVMGetNumArgOperands(call);
    bool varies = LLVMIsFunctionVarArg(type);
    LLVMValueRef *arguments = sm_allocate((n + 1) * sizeof *arguments);
    LLVMValueRef hook = library_hook(pass, sm_call_read(call).name, &type);
    for (unsigned i = 0; i < n; i++)
        arguments[varies + i] = LLVMGetOperand(call, i);
    arguments[varies ? 0 : n] = site(emit);
    struct sm_fork fork = sm_guard_fork(pass, emit->index, call, NULL);
    LLVMValueRef value = LLVMBuildCall2(pass->builder, type, hook, arguments, n + 1, "");
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
        sm_guard_join(fork, call, value);
    free(arguments);
}

void sm_emit_line(struct sm_emit *emit)
{
    LLVMValueRef row = site(emit);
    if (emit->frame->watched) {
        LLVMPositionBuilderBefore(emit->pass->builder, emit->instruction);
        sm_outlined_call(emit->pass, SM_HOOK_sm_line, 0, false, &row, emit->index);
        return;
    }
    sm_guard_before(emit->pass, emit->index, emit->instruction);
    sm_hook_call(emit->pass, SM_HOOK_sm_line, &row);
}
