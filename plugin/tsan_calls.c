/*
 * tsan_calls.c - see tsan_calls.h.
 */
#include "plugin/tsan_calls.h"

#include "plugin/calls.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

struct tsan_call {
    struct sm_pass *pass;
    LLVMValueRef call;
    const char *word; /* after __tsan_atomicN_ */
    LLVMTypeRef type; /* of the atomic: N bits */
    unsigned size;
};

static LLVMValueRef operand(const struct tsan_call *tsan, unsigned i)
{
    return LLVMGetOperand(tsan->call, i);
}

/* ---- orders ----
 * Orders that C does not allow for a load, store or failure are rounded to one that it does. */

static LLVMAtomicOrdering ordering(LLVMValueRef argument)
{
    static const LLVMAtomicOrdering orders[] = {
        LLVMAtomicOrderingMonotonic,      LLVMAtomicOrderingAcquire,
        LLVMAtomicOrderingAcquire,        LLVMAtomicOrderingRelease,
        LLVMAtomicOrderingAcquireRelease, LLVMAtomicOrderingSequentiallyConsistent,
    };
    return orders[sm_call_order(argument)];
}

static LLVMAtomicOrdering load_ordering(LLVMValueRef argument)
{
    LLVMAtomicOrdering order = ordering(argument);
    if (order == LLVMAtomicOrderingRelease)
        return LLVMAtomicOrderingMonotonic;
    return order == LLVMAtomicOrderingAcquireRelease ? LLVMAtomicOrderingAcquire : order;
}

static LLVMAtomicOrdering store_ordering(LLVMValueRef argument)
{
    LLVMAtomicOrdering order = ordering(argument);
    if (order == LLVMAtomicOrderingAcquire)
        return LLVMAtomicOrderingMonotonic;
    return order == LLVMAtomicOrderingAcquireRelease ? LLVMAtomicOrderingRelease : order;
}

/* ---- atomics ---- */

static LLVMValueRef build_load(const struct tsan_call *tsan)
{
    LLVMValueRef load = LLVMBuildLoad2(tsan->pass->builder, tsan->type, operand(tsan, 0), "");
    LLVMSetOrdering(load, load_ordering(operand(tsan, 1)));
    LLVMSetAlignment(load, tsan->size);
    return load;
}

static LLVMValueRef build_store(const struct tsan_call *tsan)
{
    LLVMValueRef store = LLVMBuildStore(tsan->pass->builder, operand(tsan, 1), operand(tsan, 0));
    LLVMSetOrdering(store, store_ordering(operand(tsan, 2)));
    LLVMSetAlignment(store, tsan->size);
    return NULL;
}

static LLVMValueRef build_cmpxchg(const struct tsan_call *tsan, LLVMValueRef expected)
{
    return LLVMBuildAtomicCmpXchg(tsan->pass->builder, operand(tsan, 0), expected, operand(tsan, 2),
                                  ordering(operand(tsan, 3)), load_ordering(operand(tsan, 4)),
                                  false);
}

static LLVMValueRef build_cas_value(const struct tsan_call *tsan)
{
    LLVMValueRef pair = build_cmpxchg(tsan, operand(tsan, 1));
    return LLVMBuildExtractValue(tsan->pass->builder, pair, 0, "");
}

/* The expected value is behind a pointer. On success it equals the old value, so the old value can
 * be stored there in either case. */
static LLVMValueRef build_cas(const struct tsan_call *tsan)
{
    LLVMBuilderRef builder = tsan->pass->builder;
    LLVMValueRef place = operand(tsan, 1);
    LLVMValueRef pair = build_cmpxchg(tsan, LLVMBuildLoad2(builder, tsan->type, place, ""));
    if (strcmp(tsan->word, "compare_exchange_weak") == 0)
        LLVMSetWeak(pair, true);
    LLVMBuildStore(builder, LLVMBuildExtractValue(builder, pair, 0, ""), place);
    return LLVMBuildIntCast2(builder, LLVMBuildExtractValue(builder, pair, 1, ""),
                             LLVMTypeOf(tsan->call), false, "");
}

static LLVMValueRef build_rmw(const struct tsan_call *tsan, LLVMAtomicRMWBinOp op)
{
    return LLVMBuildAtomicRMW(tsan->pass->builder, op, operand(tsan, 0), operand(tsan, 1),
                              ordering(operand(tsan, 2)), false);
}

/* An enum sm_rmw_op, or -1. */
static int rmw_of(const char *word)
{
    static const struct {
        const char *word;
        enum sm_rmw_op op;
    } known[] = {
#define SM_TSAN_RMW(word, op) {#word, SM_RMW_##op},
#include "core/tsan.def"
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(word, known[i].word) == 0)
            return (int)known[i].op;
    return -1;
}
/* rmw_ops.def has LLVM's numbers. */
_Static_assert((int)SM_RMW_XCHG == (int)LLVMAtomicRMWBinOpXchg, "the numbers are LLVM's");
_Static_assert((int)SM_RMW_NAND == (int)LLVMAtomicRMWBinOpNand, "the numbers are LLVM's");

static bool replace_atomic(const struct tsan_call *tsan, LLVMValueRef *value)
{
    unsigned n = LLVMGetNumArgOperands(tsan->call);
    int op = rmw_of(tsan->word);
    if (strcmp(tsan->word, "load") == 0 && n == 2)
        *value = build_load(tsan);
    else if (strcmp(tsan->word, "store") == 0 && n == 3)
        *value = build_store(tsan);
    else if (op >= 0 && n == 3)
        *value = build_rmw(tsan, (LLVMAtomicRMWBinOp)op);
    else if (strcmp(tsan->word, "compare_exchange_val") == 0 && n == 5)
        *value = build_cas_value(tsan);
    else if (sm_starts_with(tsan->word, "compare_exchange_") && n == 5)
        *value = build_cas(tsan);
    else
        return false;
    return true;
}

static bool replace_fence(const struct tsan_call *tsan)
{
    bool one_thread = strcmp(tsan->word, "signal_fence") == 0;
    if (!one_thread && strcmp(tsan->word, "thread_fence") != 0)
        return false;
    LLVMAtomicOrdering order = ordering(operand(tsan, 0));
    if (order != LLVMAtomicOrderingMonotonic)
        LLVMBuildFence(tsan->pass->builder, order, one_thread, "");
    return true;
}

/* ---- unaligned accesses: load and store of N bits ---- */

static bool replace_unaligned(const struct tsan_call *tsan, LLVMValueRef *value)
{
    LLVMBuilderRef builder = tsan->pass->builder;
    if (strcmp(tsan->word, "load") == 0)
        *value = LLVMBuildLoad2(builder, tsan->type, operand(tsan, 0), "");
    else if (LLVMTypeOf(operand(tsan, 1)) == tsan->type)
        *value = LLVMBuildStore(builder, operand(tsan, 1), operand(tsan, 0));
    else
        return false;
    LLVMSetAlignment(*value, 1);
    return true;
}

/* ---- names ---- */

/* The number of bits at the start of `text`, and what follows it. */
static unsigned read_bits(const char *text, const char **rest)
{
    char *end;
    unsigned long bits = strtoul(text, &end, 10);
    *rest = end;
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128 ? (unsigned)bits : 0;
}

static bool has_bits(struct tsan_call *tsan, unsigned bits)
{
    tsan->size = bits / 8;
    if (bits)
        tsan->type = LLVMIntTypeInContext(tsan->pass->context, bits);
    return bits != 0;
}

static bool build(struct tsan_call *tsan, const char *name, LLVMValueRef *value)
{
    static const char atomic[] = "__tsan_atomic", fence[] = "__tsan_atomic_";
    static const char load[] = "__sanitizer_unaligned_load",
                      store[] = "__sanitizer_unaligned_store";
    const char *rest;
    if (sm_starts_with(name, fence)) {
        tsan->word = name + strlen(fence);
        return replace_fence(tsan);
    }
    if (sm_starts_with(name, atomic)) {
        bool sized = has_bits(tsan, read_bits(name + strlen(atomic), &rest)) && *rest == '_';
        tsan->word = rest + 1;
        return sized && replace_atomic(tsan, value);
    }
    tsan->word = sm_starts_with(name, load) ? "load" : "store";
    if (!sm_starts_with(name, load) && !sm_starts_with(name, store))
        return false;
    return has_bits(tsan, read_bits(strpbrk(name, "1368"), &rest)) &&
           replace_unaligned(tsan, value);
}

static void replace(struct sm_pass *pass, LLVMValueRef call)
{
    struct tsan_call tsan = {.pass = pass, .call = call};
    LLVMValueRef callee = LLVMIsACallInst(call) ? sm_direct_callee(call) : NULL, value = NULL;
    if (!callee || LLVMCountBasicBlocks(callee) != 0 || LLVMGetIntrinsicID(callee))
        return;
    LLVMPositionBuilderBefore(pass->builder, call);
    LLVMSetCurrentDebugLocation2(pass->builder, LLVMInstructionGetDebugLoc(call));
    if (!build(&tsan, sm_value_name(callee), &value))
        return;
    if (LLVMGetFirstUse(call))
        LLVMReplaceAllUsesWith(call, value);
    LLVMInstructionEraseFromParent(call);
}

static void replace_in(struct sm_pass *pass, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block), next; instruction;
             instruction = next) {
            next = LLVMGetNextInstruction(instruction);
            replace(pass, instruction);
        }
}

void sm_replace_tsan_calls(struct sm_pass *pass)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(pass->module); function;
         function = LLVMGetNextFunction(function))
        replace_in(pass, function);
}
