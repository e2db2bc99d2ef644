/*
 * use.c - see use.h.
 */
#include "plugin/use.h"

static LLVMValueRef only_user(LLVMValueRef value)
{
    LLVMUseRef use = LLVMGetFirstUse(value);
    return use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
}

static bool is_small(LLVMValueRef value)
{
    if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
        return false;
    long long constant = LLVMConstIntGetSExtValue(value);
    return constant == (int32_t)constant;
}

static LLVMIntPredicate swapped(LLVMIntPredicate predicate)
{
    switch (predicate) {
    case LLVMIntUGT:
        return LLVMIntULT;
    case LLVMIntUGE:
        return LLVMIntULE;
    case LLVMIntULT:
        return LLVMIntUGT;
    case LLVMIntULE:
        return LLVMIntUGE;
    case LLVMIntSGT:
        return LLVMIntSLT;
    case LLVMIntSGE:
        return LLVMIntSLE;
    case LLVMIntSLT:
        return LLVMIntSGT;
    case LLVMIntSLE:
        return LLVMIntSGE;
    default:
        return predicate;
    }
}

/* The edge leads back to the block, with nothing else executed on the way. */
static bool is_back(LLVMBasicBlockRef block, LLVMBasicBlockRef to)
{
    LLVMValueRef first = LLVMGetFirstInstruction(to);
    return to == block || (LLVMIsABranchInst(first) && !LLVMIsConditional(first) &&
                           LLVMGetSuccessor(first, 0) == block);
}

/* A block that branches back to itself and has only the load, the comparison and the branch. */
static uint8_t read_loop(LLVMValueRef load, LLVMValueRef comparison)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(load);
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsALoadInst(load) || LLVMGetFirstInstruction(block) != load ||
        LLVMGetNextInstruction(load) != comparison ||
        LLVMGetNextInstruction(comparison) != branch || only_user(comparison) != branch ||
        !LLVMIsABranchInst(branch))
        return 0;
    bool back_if_true = is_back(block, LLVMGetSuccessor(branch, 0));
    bool back_if_false = is_back(block, LLVMGetSuccessor(branch, 1));
    if (back_if_true == back_if_false)
        return 0;
    return back_if_true ? SM_VALUE_UNTIL_FALSE : SM_VALUE_UNTIL_TRUE;
}

static void read_comparison(struct sm_row *row, LLVMValueRef comparison)
{
    LLVMValueRef left = LLVMGetOperand(comparison, 0), right = LLVMGetOperand(comparison, 1);
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(comparison);
    bool swap = left != row->instruction;
    if (!is_small(swap ? left : right))
        return;
    if (swap)
        predicate = swapped(predicate);
    row->operand = (int32_t)LLVMConstIntGetSExtValue(swap ? left : right);
    row->use = (uint8_t)(SM_VALUE_EQ + (predicate - LLVMIntEQ));
    row->use |= read_loop(row->instruction, comparison);
}

/* A store to a bit-field loads its unit, masks it, merges the field, and stores it again: no use of
   the bits around the field, which may never have been written. */
static bool is_merged(LLVMValueRef load, LLVMValueRef user)
{
    if (!LLVMIsALoadInst(load) || !user || !LLVMIsAInstruction(user) ||
        LLVMGetInstructionOpcode(user) != LLVMAnd || !LLVMIsAConstantInt(LLVMGetOperand(user, 1)))
        return false;
    user = only_user(user);
    if (user && LLVMIsAInstruction(user) && LLVMGetInstructionOpcode(user) == LLVMOr)
        user = only_user(user);
    return user && LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == LLVMGetOperand(load, 0);
}

void sm_read_use(struct sm_row *row)
{
    LLVMValueRef value = row->instruction;
    if (!LLVMIsALoadInst(value) && !LLVMIsAAtomicRMWInst(value))
        return;
    LLVMValueRef user = only_user(value);
    if (!LLVMGetFirstUse(value))
        row->use = SM_VALUE_UNUSED;
    else if (user && LLVMIsAICmpInst(user))
        read_comparison(row, user);
    else if (is_merged(value, user))
        row->use = SM_VALUE_MERGED;
}
