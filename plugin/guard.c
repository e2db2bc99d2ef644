/*
 * guard.c - see guard.h.
 *
 * The bytes are read with plain loads: the runtime writes them only while no thread of
 * the program runs (abi/site.h), so the optimiser may keep a byte across a loop.
 */
#include "plugin/guard.h"

#include "abi/sample.h"
#include "plugin/hook.h"
#include "plugin/llvm_gaps.h"

#include <llvm-c/DebugInfo.h>

static LLVMValueRef load_byte(struct sm_pass *pass, LLVMValueRef array, uint32_t index)
{
    LLVMValueRef position = sm_constant(pass, index);
    LLVMValueRef address = LLVMConstInBoundsGEP2(pass->i8, array, &position, 1);
    return LLVMBuildLoad2(pass->builder, pass->i8, address, "");
}

static LLVMValueRef is_set(struct sm_pass *pass, LLVMValueRef byte)
{
    return LLVMBuildICmp(pass->builder, LLVMIntNE, byte, LLVMConstNull(pass->i8), "");
}

static LLVMValueRef watch_byte(struct sm_pass *pass, uint32_t row, LLVMValueRef before)
{
    LLVMPositionBuilderBefore(pass->builder, before);
    return load_byte(pass, pass->watch, row);
}

static LLVMValueRef is_watched(struct sm_pass *pass, uint32_t row, LLVMValueRef before)
{
    return is_set(pass, watch_byte(pass, row, before));
}

static struct sm_fork fork_if(struct sm_pass *pass, LLVMValueRef condition,
                              LLVMValueRef instruction)
{
    struct sm_fork fork;
    sm_split_then_else(condition, instruction, &fork.hook_end, &fork.native_end);
    sm_move_before(instruction, fork.native_end);
    LLVMPositionBuilderBefore(pass->builder, fork.hook_end);
    return fork;
}

struct sm_fork sm_guard_fork(struct sm_pass *pass, uint32_t row, LLVMValueRef instruction,
                             LLVMValueRef also)
{
    LLVMValueRef condition = is_watched(pass, row, instruction);
    if (also)
        condition = LLVMBuildAnd(pass->builder, condition, also, "");
    return fork_if(pass, condition, instruction);
}

/* sm_sample_byte in the code of the program. */
static LLVMValueRef sample_byte(struct sm_pass *pass, LLVMValueRef address)
{
    LLVMBuilderRef builder = pass->builder;
    LLVMValueRef bits = LLVMBuildPtrToInt(builder, address, pass->i64, "");
    bits = LLVMBuildShl(builder, bits, sm_constant(pass, SM_SAMPLE_LEFT), "");
    bits = LLVMBuildLShr(builder, bits, sm_constant(pass, SM_SAMPLE_RIGHT), "");
    bits = LLVMBuildAdd(builder, bits, sm_constant(pass, SM_SAMPLE_BASE), "");
    return LLVMBuildLoad2(builder, pass->i8, LLVMBuildIntToPtr(builder, bits, pass->pointer, ""),
                          "");
}

/* False if the site is watched only for a sample of elements that does not include `address`. */
LLVMValueRef sm_guard_condition(struct sm_pass *pass, LLVMValueRef row, LLVMValueRef address)
{
    LLVMValueRef place = LLVMBuildInBoundsGEP2(pass->builder, pass->i8, pass->watch, &row, 1, "");
    LLVMValueRef watch = LLVMBuildLoad2(pass->builder, pass->i8, place, "");
    LLVMValueRef least = address ? sample_byte(pass, address) : LLVMConstNull(pass->i8);
    return LLVMBuildICmp(pass->builder, LLVMIntUGT, watch, least, "");
}

void sm_guard_join(struct sm_fork fork, LLVMValueRef instruction, LLVMValueRef hook_result)
{
    LLVMValueRef result = sm_add_phi(LLVMGetSuccessor(fork.hook_end, 0), LLVMTypeOf(instruction));
    LLVMInstructionSetDebugLoc(result, LLVMInstructionGetDebugLoc(instruction));
    LLVMReplaceAllUsesWith(instruction, result);
    LLVMValueRef values[] = {hook_result, instruction};
    LLVMBasicBlockRef blocks[] = {LLVMGetInstructionParent(fork.hook_end),
                                  LLVMGetInstructionParent(fork.native_end)};
    LLVMAddIncoming(result, values, blocks, 2);
}

void sm_guard_before(struct sm_pass *pass, uint32_t row, LLVMValueRef instruction)
{
    LLVMValueRef condition = is_watched(pass, row, instruction);
    LLVMPositionBuilderBefore(pass->builder, sm_split_then(condition, instruction));
}

LLVMValueRef sm_guard_function(struct sm_pass *pass, uint32_t unit, uint8_t mask,
                               LLVMValueRef before)
{
    LLVMPositionBuilderBefore(pass->builder, before);
    LLVMValueRef byte = load_byte(pass, pass->function_watch, unit);
    if (mask != UINT8_MAX)
        byte = LLVMBuildAnd(pass->builder, byte, LLVMConstInt(pass->i8, mask, false), "");
    LLVMValueRef end = sm_split_then(is_set(pass, byte), before);
    LLVMPositionBuilderBefore(pass->builder, end);
    return end;
}

void sm_guard_iterations(struct sm_pass *pass, LLVMValueRef before)
{
    static const char name[] = "sm_iterations_watched";
    LLVMValueRef byte = LLVMGetNamedGlobal(pass->module, name);
    if (!byte)
        byte = LLVMAddGlobal(pass->module, pass->i8, name);
    LLVMPositionBuilderBefore(pass->builder, before);
    LLVMValueRef watched = is_set(pass, LLVMBuildLoad2(pass->builder, pass->i8, byte, ""));
    LLVMPositionBuilderBefore(pass->builder, sm_split_then(watched, before));
}

static LLVMValueRef budget(struct sm_pass *pass)
{
    if (!pass->budget) {
        pass->budget = LLVMAddGlobal(pass->module, pass->i64, "sm_budget");
        LLVMSetThreadLocalMode(pass->budget, LLVMInitialExecTLSModel);
    }
    return pass->budget;
}

void sm_guard_back_edge(struct sm_pass *pass, LLVMValueRef terminator)
{
    LLVMPositionBuilderBefore(pass->builder, terminator);
    LLVMValueRef left = LLVMBuildLoad2(pass->builder, pass->i64, budget(pass), "");
    left = LLVMBuildSub(pass->builder, left, sm_constant(pass, 1), "");
    LLVMBuildStore(pass->builder, left, budget(pass));
    LLVMValueRef spent = LLVMBuildICmp(pass->builder, LLVMIntSLE, left, sm_constant(pass, 0), "");
    LLVMPositionBuilderBefore(pass->builder, sm_split_then(spent, terminator));
    sm_hook_call(pass, SM_HOOK_sm_back_edge, NULL);
}
