/*
 * value.c - see value.h.
 */
#include "plugin/value.h"

bool sm_fits_register(uint64_t size)
{
    return size == 1 || size == 2 || size == 4 || size == 8;
}

LLVMValueRef sm_scratch(struct sm_emit *emit, enum sm_scratch which)
{
    struct sm_pass *pass = emit->pass;
    LLVMValueRef *place = &emit->frame->scratch[which];
    if (*place)
        return *place;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(emit->frame->function);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(pass->context);
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
    LLVMSetCurrentDebugLocation2(builder, NULL);
    *place = LLVMBuildAlloca(builder, LLVMArrayType2(pass->i8, emit->frame->scratch_size), "");
    LLVMSetAlignment(*place, 16);
    LLVMDisposeBuilder(builder);
    return *place;
}

LLVMValueRef sm_to_scratch(struct sm_emit *emit, enum sm_scratch which, LLVMValueRef value)
{
    LLVMValueRef place = sm_scratch(emit, which);
    LLVMSetAlignment(LLVMBuildStore(emit->pass->builder, value, place), 16);
    return place;
}

static LLVMTypeRef integer_of(struct sm_pass *pass, LLVMTypeRef type)
{
    return LLVMIntTypeInContext(pass->context, (unsigned)sm_store_size(pass, type) * 8);
}

/* Floats and vectors without padding are integers to a bitcast; structs are not. */
static bool can_bitcast(struct sm_pass *pass, LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind)
        return false;
    if (kind == LLVMVectorTypeKind &&
        LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMPointerTypeKind)
        return false;
    return LLVMSizeOfTypeInBits(pass->layout, type) == sm_store_size(pass, type) * 8;
}

static LLVMValueRef reload(struct sm_emit *emit, LLVMValueRef value, LLVMTypeRef type)
{
    LLVMValueRef place = sm_to_scratch(emit, SM_SCRATCH_VALUE, value);
    LLVMValueRef load = LLVMBuildLoad2(emit->pass->builder, type, place, "");
    LLVMSetAlignment(load, 16);
    return load;
}

LLVMValueRef sm_to_register(struct sm_emit *emit, LLVMValueRef value)
{
    struct sm_pass *pass = emit->pass;
    LLVMTypeRef type = LLVMTypeOf(value), integer = integer_of(pass, type);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        value = LLVMBuildPtrToInt(pass->builder, value, integer, "");
    else if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        value = can_bitcast(pass, type) ? LLVMBuildBitCast(pass->builder, value, integer, "")
                                        : reload(emit, value, integer);
    return LLVMBuildIntCast2(pass->builder, value, pass->i64, false, "");
}

LLVMValueRef sm_from_register(struct sm_emit *emit, LLVMValueRef bits, LLVMTypeRef type)
{
    struct sm_pass *pass = emit->pass;
    LLVMTypeRef integer = integer_of(pass, type);
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
        return LLVMBuildIntCast2(pass->builder, bits, type, false, "");
    bits = LLVMBuildIntCast2(pass->builder, bits, integer, false, "");
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildIntToPtr(pass->builder, bits, type, "");
    return can_bitcast(pass, type) ? LLVMBuildBitCast(pass->builder, bits, type, "")
                                   : reload(emit, bits, type);
}
