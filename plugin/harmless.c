#include "plugin/harmless.h"

#include "plugin/asm.h"
#include "plugin/escape.h"
#include "plugin/llvm_gaps.h"
#include "plugin/name.h"

#include <string.h>

enum { DEEPEST_CALL = 6 };

static enum sm_deed deed_of(struct sm_pass *pass, LLVMValueRef instruction, unsigned depth);

static enum sm_deed worse(enum sm_deed a, enum sm_deed b)
{
    return a > b ? a : b;
}

static bool is_atomic(LLVMValueRef access)
{
    return LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic;
}

static enum sm_deed deed_of_load(struct sm_pass *pass, LLVMValueRef load)
{
    if (sm_is_private(pass, LLVMGetOperand(load, 0)))
        return SM_DEED_NONE;
    return is_atomic(load) ? SM_DEED_READ : SM_DEED_LOOK;
}

static enum sm_deed deed_of_store(struct sm_pass *pass, LLVMValueRef store)
{
    LLVMAtomicOrdering order = LLVMGetOrdering(store);
    bool relaxed = order == LLVMAtomicOrderingNotAtomic || order == LLVMAtomicOrderingMonotonic;
    bool shared = !sm_is_private(pass, LLVMGetOperand(store, 1));
    return relaxed && shared && !LLVMGetVolatile(store) ? SM_DEED_STORE : SM_DEED_OTHER;
}

/* Yielding orders nothing. */
static bool is_hint(const char *name)
{
    static const char *const hints[] = {"llvm.dbg.",   "llvm.lifetime.",      "llvm.assume",
                                        "llvm.expect", "llvm.x86.sse2.pause", "llvm.prefetch",
                                        "sched_yield", "thrd_yield",          "pthread_yield"};
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (sm_starts_with(name, hints[i]))
            return true;
    return false;
}

static bool is_final(LLVMValueRef function)
{
    switch (LLVMGetLinkage(function)) {
    case LLVMExternalLinkage:
    case LLVMInternalLinkage:
    case LLVMPrivateLinkage:
    case LLVMLinkOnceODRLinkage:
    case LLVMWeakODRLinkage:
        return true;
    default:
        return false;
    }
}

/* Its locals end with it: a store to one is no deed. */
static enum sm_deed deed_in_callee(struct sm_pass *pass, LLVMValueRef instruction, unsigned depth)
{
    bool own = LLVMIsAStoreInst(instruction) &&
               LLVMIsAAllocaInst(sm_base_of(LLVMGetOperand(instruction, 1))) &&
               sm_is_private(pass, LLVMGetOperand(instruction, 1));
    if (own || LLVMIsAAllocaInst(instruction) || LLVMIsAReturnInst(instruction))
        return SM_DEED_NONE;
    enum sm_deed deed = deed_of(pass, instruction, depth);
    return deed == SM_DEED_STORE ? SM_DEED_OTHER : deed;
}

/* Of the blocks that are reached from there; not by a throw, which is no harmless call's. */
static enum sm_deed deed_from(struct sm_pass *pass, LLVMBasicBlockRef block, struct sm_map *seen,
                              unsigned depth)
{
    enum sm_deed deed = SM_DEED_NONE;
    LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
    if (sm_map_get(seen, block))
        return SM_DEED_NONE;
    *sm_map_at(seen, block) = 1;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        deed = worse(deed, deed_in_callee(pass, i, depth));
    if (LLVMIsAInvokeInst(terminator))
        return worse(deed, deed_from(pass, LLVMGetNormalDest(terminator), seen, depth));
    for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator) && deed != SM_DEED_OTHER; i++)
        deed = worse(deed, deed_from(pass, LLVMGetSuccessor(terminator, i), seen, depth));
    return deed;
}

static enum sm_deed deed_of_function(struct sm_pass *pass, LLVMValueRef function, unsigned depth)
{
    struct sm_map seen = {0};
    if (!LLVMCountBasicBlocks(function) || !is_final(function) || depth == DEEPEST_CALL)
        return SM_DEED_OTHER;
    enum sm_deed deed = deed_from(pass, LLVMGetEntryBasicBlock(function), &seen, depth + 1);
    sm_map_free(&seen);
    return deed;
}

static enum sm_deed deed_of_call(struct sm_pass *pass, LLVMValueRef call, unsigned depth)
{
    LLVMValueRef called = LLVMGetCalledValue(call), callee = sm_direct_callee(call);
    if (LLVMIsAInlineAsm(called))
        return sm_asm_classify(called) == SM_ASM_UNKNOWN ? SM_DEED_OTHER : SM_DEED_NONE;
    if (!callee)
        return SM_DEED_OTHER;
    if (is_hint(sm_value_name(callee)) || (LLVMGetIntrinsicID(callee) && !sm_touches_memory(call)))
        return SM_DEED_NONE;
    return deed_of_function(pass, callee, depth);
}

static enum sm_deed deed_of(struct sm_pass *pass, LLVMValueRef instruction, unsigned depth)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
        return deed_of_load(pass, instruction);
    case LLVMStore:
        return deed_of_store(pass, instruction);
    case LLVMFence:
        return SM_DEED_READ;
    case LLVMCall:
    case LLVMInvoke:
        return deed_of_call(pass, instruction, depth);
    case LLVMAlloca:
    case LLVMRet:
    case LLVMIndirectBr:
    case LLVMCallBr:
    case LLVMResume:
    case LLVMLandingPad:
        return SM_DEED_OTHER;
    default:
        return sm_touches_memory(instruction) ? SM_DEED_OTHER : SM_DEED_NONE;
    }
}

enum sm_deed sm_deed_of(struct sm_pass *pass, LLVMValueRef instruction)
{
    return deed_of(pass, instruction, 0);
}
