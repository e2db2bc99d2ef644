/*
 * counters.c - see counters.h.
 */
#include "plugin/counters.h"

#include <stdlib.h>
#include <string.h>

/* ---- instructions that only take time ---- */

static const char mark[] = "sm-pauses";

static bool is_marked(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         mark, sizeof mark - 1);
}

/* usleep and its like take no time in verify. */
static bool is_pause(LLVMValueRef callee)
{
    static const char *const names[] = {"sched_yield", "thrd_yield", "pthread_yield",
                                        "usleep",      "sleep",      "llvm.x86.sse2.pause"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(sm_value_name(callee), names[i]) == 0)
            return true;
    return sm_starts_with(sm_value_name(callee), "llvm.dbg.") || is_marked(callee);
}

static bool is_arithmetic(LLVMValueRef instruction)
{
    return LLVMIsABinaryOperator(instruction) || LLVMIsACastInst(instruction) ||
           LLVMIsAICmpInst(instruction) || LLVMIsASelectInst(instruction) ||
           LLVMIsAFreezeInst(instruction);
}

static bool only_takes_time(LLVMValueRef instruction)
{
    if (!LLVMIsACallInst(instruction))
        return is_arithmetic(instruction);
    LLVMValueRef callee = sm_direct_callee(instruction);
    return callee && is_pause(callee);
}

static bool only_pauses(LLVMBasicBlockRef block)
{
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != last; i = LLVMGetNextInstruction(i))
        if (!only_takes_time(i))
            return false;
    return true;
}

/* Where the block goes on, if that is certain: a pause does not throw. */
static LLVMBasicBlockRef only_successor(LLVMBasicBlockRef block)
{
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    LLVMValueRef callee = LLVMIsAInvokeInst(last) ? sm_direct_callee(last) : NULL;
    if (callee && is_pause(callee))
        return LLVMGetNormalDest(last);
    return LLVMIsABranchInst(last) && !LLVMIsConditional(last) ? LLVMGetSuccessor(last, 0) : NULL;
}

/* On its way from the entry it meets nothing else, and no block twice. */
static bool pauses_to_the_end(LLVMValueRef function)
{
    LLVMBasicBlockRef block = LLVMGetEntryBasicBlock(function);
    for (unsigned n = LLVMCountBasicBlocks(function); n && block && only_pauses(block); n--) {
        if (LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(block)))
            return true;
        block = only_successor(block);
    }
    return false;
}

static bool is_pausing_function(LLVMValueRef function)
{
    return LLVMCountBasicBlocks(function) && LLVMCountParams(function) == 0 &&
           !is_marked(function) && LLVMGetLinkage(function) != LLVMWeakAnyLinkage &&
           pauses_to_the_end(function);
}

static bool mark_more(LLVMModuleRef module)
{
    LLVMAttributeRef attribute =
        LLVMCreateStringAttribute(LLVMGetModuleContext(module), mark, sizeof mark - 1, NULL, 0);
    bool more = false;
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function))
        if (is_pausing_function(function)) {
            LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                    attribute);
            more = true;
        }
    return more;
}

void sm_mark_pauses(LLVMModuleRef module)
{
    while (mark_more(module))
        ;
}

/* ---- what depends on a counter ---- */

/* The values of a loop that depend on one of its phis. */
struct dependents {
    const struct sm_waiting_loop *loop;
    struct sm_map seen;
    LLVMValueRef *pending;
    size_t n, room;
};

static void add(struct dependents *all, LLVMValueRef value)
{
    if (sm_map_get(&all->seen, value))
        return;
    *sm_map_at(&all->seen, value) = 1;
    all->pending = sm_grow(all->pending, all->n, &all->room, sizeof *all->pending);
    all->pending[all->n++] = value;
}

/* A block that only pauses and goes on to one other block, which is returned; else NULL. */
static LLVMBasicBlockRef after_pause(LLVMBasicBlockRef block)
{
    return only_pauses(block) ? only_successor(block) : NULL;
}

/* Both ways of the branch lead to the same block, in the same state. */
static bool chooses_pause(LLVMValueRef branch)
{
    LLVMBasicBlockRef first = LLVMGetSuccessor(branch, 0), second = LLVMGetSuccessor(branch, 1);
    LLVMBasicBlockRef then = after_pause(first), otherwise = after_pause(second), join = NULL;
    if (then && (then == second || then == otherwise))
        join = then;
    else if (otherwise == first)
        join = first;
    return join && !LLVMIsAPHINode(LLVMGetFirstInstruction(join));
}

static bool is_harmless_branch(const struct sm_waiting_loop *loop, LLVMValueRef branch)
{
    return LLVMIsConditional(branch) && (branch == sm_counted_exit(loop) || chooses_pause(branch));
}

static bool follow(struct dependents *all, LLVMValueRef user)
{
    if (!sm_is_in_loop(all->loop, LLVMGetInstructionParent(user)))
        return false;
    if (LLVMIsABranchInst(user))
        return is_harmless_branch(all->loop, user);
    if (LLVMIsACallInst(user))
        return only_takes_time(user) && !LLVMGetFirstUse(user);
    if (!LLVMIsAPHINode(user) && !is_arithmetic(user))
        return false;
    add(all, user);
    return true;
}

/* Division may trap. */
static bool may_trap(LLVMValueRef value)
{
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return !LLVMIsAConstantInt(LLVMGetOperand(value, 1));
    default:
        return false;
    }
}

bool sm_is_counter(const struct sm_waiting_loop *loop, LLVMValueRef phi)
{
    struct dependents all = {.loop = loop};
    bool dead = LLVMGetTypeKind(LLVMTypeOf(phi)) == LLVMIntegerTypeKind;
    add(&all, phi);
    while (dead && all.n) {
        LLVMValueRef value = all.pending[--all.n];
        dead = !may_trap(value);
        for (LLVMUseRef use = LLVMGetFirstUse(value); dead && use; use = LLVMGetNextUse(use))
            dead = follow(&all, LLVMGetUser(use));
    }
    free(all.pending);
    sm_map_free(&all.seen);
    return dead;
}

/* ---- the exit ---- */

static bool is_step(LLVMValueRef value, LLVMValueRef phi)
{
    if (!LLVMIsAInstruction(value) || LLVMGetInstructionOpcode(value) != LLVMAdd ||
        LLVMGetOperand(value, 0) != phi || !LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
        return false;
    long step = LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1));
    return step == 1 || step == -1;
}

static bool counts(const struct sm_waiting_loop *loop, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (sm_is_in_loop(loop, LLVMGetIncomingBlock(phi, i)) &&
            !is_step(LLVMGetIncomingValue(phi, i), phi))
            return false;
    return true;
}

/* The phi of the header that is compared: itself, or after its step. */
static bool is_count(const struct sm_waiting_loop *loop, LLVMValueRef value)
{
    if (LLVMIsABinaryOperator(value) && is_step(value, LLVMGetOperand(value, 0)))
        value = LLVMGetOperand(value, 0);
    return LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == loop->header &&
           counts(loop, value);
}

static bool is_fixed(const struct sm_waiting_loop *loop, LLVMValueRef value)
{
    return !LLVMIsAInstruction(value) || !sm_is_in_loop(loop, LLVMGetInstructionParent(value));
}

/* Is the comparison false for some value of the counter? Steps of 1 reach each. */
static bool is_sometimes_false(LLVMIntPredicate predicate, LLVMValueRef limit)
{
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(limit));
    bool known = LLVMIsAConstantInt(limit) && width <= 64;
    long is = known ? LLVMConstIntGetSExtValue(limit) : 0;
    long least = known ? (long)(UINT64_MAX << (width - 1)) : 0;
    switch (predicate) {
    case LLVMIntULE:
        return known && is != -1;
    case LLVMIntUGE:
        return known && is != 0;
    case LLVMIntSLE:
        return known && is != ~least;
    case LLVMIntSGE:
        return known && is != least;
    default:
        return true;
    }
}

static LLVMIntPredicate negation(LLVMIntPredicate predicate)
{
    static const LLVMIntPredicate negations[] = {
        [LLVMIntEQ] = LLVMIntNE,   [LLVMIntNE] = LLVMIntEQ,   [LLVMIntUGT] = LLVMIntULE,
        [LLVMIntUGE] = LLVMIntULT, [LLVMIntULT] = LLVMIntUGE, [LLVMIntULE] = LLVMIntUGT,
        [LLVMIntSGT] = LLVMIntSLE, [LLVMIntSGE] = LLVMIntSLT, [LLVMIntSLT] = LLVMIntSGE,
        [LLVMIntSLE] = LLVMIntSGT};
    return negations[predicate];
}

static bool compares_count(const struct sm_waiting_loop *loop, LLVMValueRef compare, bool stays)
{
    if (!LLVMIsAICmpInst(compare) || LLVMGetInstructionParent(compare) != loop->header)
        return false;
    LLVMValueRef limit = LLVMGetOperand(compare, 1);
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(compare);
    return is_count(loop, LLVMGetOperand(compare, 0)) && is_fixed(loop, limit) &&
           LLVMGetTypeKind(LLVMTypeOf(limit)) == LLVMIntegerTypeKind &&
           is_sometimes_false(stays ? predicate : negation(predicate), limit);
}

/* Nothing happens in the block but its end. */
static bool only_decides(LLVMBasicBlockRef block)
{
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != last; i = LLVMGetNextInstruction(i))
        if (!LLVMIsAPHINode(i) && !only_takes_time(i))
            return false;
    return true;
}

LLVMValueRef sm_counted_exit(const struct sm_waiting_loop *loop)
{
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(loop->header);
    if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch) || !only_decides(loop->header))
        return NULL;
    bool first = sm_is_in_loop(loop, LLVMGetSuccessor(branch, 0));
    bool second = sm_is_in_loop(loop, LLVMGetSuccessor(branch, 1));
    return first != second && compares_count(loop, LLVMGetCondition(branch), first) ? branch : NULL;
}
