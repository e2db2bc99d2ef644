/*
 * vptr.c - see vptr.h.
 */
#include "plugin/vptr.h"

#include "plugin/llvm_gaps.h"
#include "plugin/name.h"
#include "plugin/pass.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* "_ZN5ShapeD2Ev": a mangled name that ends as those of destructors do. */
static bool is_destructor(LLVMValueRef function)
{
    static const char *const ends[] = {"D0Ev", "D1Ev", "D2Ev"};
    const char *name = sm_value_name(function);
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (sm_starts_with(name, "_ZN") && length > 4 && strcmp(name + length - 4, ends[i]) == 0)
            return true;
    return false;
}

/* A class with virtual bases has a destructor for use as a base, whose second parameter has the
   tables; NULL: another destructor. */
static LLVMValueRef tables_of(LLVMValueRef function)
{
    return LLVMCountParams(function) == 2 ? LLVMGetParam(function, 1) : NULL;
}

/* The parameter, or what was loaded of where clang keeps it. */
static bool is_parameter(LLVMValueRef value, LLVMValueRef parameter)
{
    LLVMValueRef kept = LLVMIsALoadInst(value) ? LLVMGetOperand(value, 0) : NULL;
    if (!kept || !LLVMIsAAllocaInst(kept))
        return value == parameter;
    for (LLVMUseRef use = LLVMGetFirstUse(kept); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == parameter)
            return true;
    }
    return false;
}

static bool is_table(LLVMValueRef value, LLVMValueRef tables)
{
    if (tables && LLVMIsALoadInst(value))
        return is_parameter(sm_base_of(LLVMGetOperand(value, 0)), tables);
    while (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr)
        value = LLVMGetOperand(value, 0);
    return LLVMIsAGlobalVariable(value) && sm_starts_with(sm_value_name(value), "_ZTV");
}

/* Splits the block: the store is the only instruction of its own. */
static void guard(LLVMValueRef store)
{
    LLVMValueRef table = LLVMGetOperand(store, 0), place = LLVMGetOperand(store, 1);
    LLVMModuleRef module =
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(store)));
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    LLVMPositionBuilderBefore(builder, store);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(store));
    LLVMValueRef old = LLVMBuildLoad2(builder, LLVMTypeOf(table), place, "");
    LLVMSetOrdering(old, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(old, LLVMGetAlignment(store));
    LLVMValueRef changes = LLVMBuildICmp(builder, LLVMIntNE, old, table, "");
    LLVMValueRef then = sm_split_then(changes, store);
    sm_move_before(store, then);
    LLVMDisposeBuilder(builder);
}

static LLVMValueRef first_table_store(LLVMBasicBlockRef block, LLVMValueRef tables)
{
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
        if (LLVMIsAStoreInst(at) && is_table(LLVMGetOperand(at, 0), tables))
            return at;
    return NULL;
}

/* A block that was split goes on in one of the next, which is searched in its turn; the block with
   the store alone comes before it. */
static void guard_stores(LLVMValueRef function)
{
    LLVMValueRef tables = tables_of(function);
    LLVMBasicBlockRef guarded = NULL;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef store = block == guarded ? NULL : first_table_store(block, tables);
        if (!store)
            continue;
        guard(store);
        guarded = LLVMGetInstructionParent(store);
    }
}

void sm_vptr_guard(LLVMModuleRef module)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function))
        if (LLVMCountBasicBlocks(function) && is_destructor(function))
            guard_stores(function);
}
