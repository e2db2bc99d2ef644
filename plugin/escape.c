/*
 * escape.c - see escape.h.
 */
#include "plugin/escape.h"

#include "plugin/name.h"

#include <string.h>

enum { UNKNOWN, PRIVATE, SHARED };

/* Calls that access the bytes behind a pointer, or nothing, and keep no copy of it. */
static bool keeps_no_copy(LLVMValueRef call)
{
    static const char *const prefixes[] = {"llvm.memcpy.",   "llvm.memmove.", "llvm.memset.",
                                           "llvm.lifetime.", "llvm.va_start", "llvm.va_end",
                                           "llvm.va_copy",   "llvm.dbg."};
    LLVMValueRef callee = sm_direct_callee(call);
    for (size_t i = 0; callee && i < sizeof prefixes / sizeof *prefixes; i++)
        if (sm_starts_with(sm_value_name(callee), prefixes[i]))
            return true;
    return false;
}

static bool is_thread_local_address(LLVMValueRef call)
{
    LLVMValueRef callee = sm_direct_callee(call);
    return callee && sm_starts_with(sm_value_name(callee), "llvm.threadlocal.address");
}

static bool escapes(LLVMValueRef pointer);

/* A use lets the address escape unless it only accesses what is there. */
static bool use_escapes(LLVMValueRef user, LLVMValueRef pointer)
{
    if (!LLVMIsAInstruction(user))
        return true;
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMLoad:
    case LLVMICmp:
        return false;
    case LLVMStore:
        return LLVMGetOperand(user, 0) == pointer;
    case LLVMAtomicRMW:
        return LLVMGetOperand(user, 1) == pointer;
    case LLVMAtomicCmpXchg:
        return LLVMGetOperand(user, 1) == pointer || LLVMGetOperand(user, 2) == pointer;
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
        return escapes(user);
    case LLVMCall:
        return is_thread_local_address(user) ? escapes(user) : !keeps_no_copy(user);
    default:
        return true;
    }
}

static bool escapes(LLVMValueRef pointer)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use))
        if (use_escapes(LLVMGetUser(use), pointer))
            return true;
    return false;
}

static bool is_by_value(LLVMValueRef argument)
{
    LLVMValueRef function = LLVMGetParamParent(argument);
    unsigned n = LLVMCountParams(function);
    for (unsigned i = 0; i < n; i++)
        if (LLVMGetParam(function, i) == argument)
            return sm_parameter_has_attribute(function, i, "byval");
    return false;
}

static bool is_hidden_thread_local(LLVMValueRef base)
{
    return LLVMIsAGlobalVariable(base) && LLVMIsThreadLocal(base) &&
           LLVMGetLinkage(base) == LLVMInternalLinkage;
}

static bool may_be_private(LLVMValueRef base)
{
    return LLVMIsAAllocaInst(base) || is_hidden_thread_local(base) ||
           (LLVMIsAArgument(base) && is_by_value(base));
}

/* Counters of -fprofile-instr-generate are the compiler's, and approximate on purpose. */
static bool is_profile_counter(LLVMValueRef global)
{
    const char *section = LLVMGetSection(global);
    return section && sm_starts_with(section, "__llvm_prf_");
}

bool sm_is_private(struct sm_pass *pass, LLVMValueRef address)
{
    LLVMValueRef base = sm_base_of(address);
    if (LLVMIsAGlobalVariable(base) && (LLVMIsGlobalConstant(base) || is_profile_counter(base)))
        return true;
    if (!may_be_private(base))
        return false;
    uintptr_t *known = sm_map_at(&pass->locals, base);
    if (*known == UNKNOWN)
        *known = escapes(base) ? SHARED : PRIVATE;
    return *known == PRIVATE;
}
