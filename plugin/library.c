/*
 * library.c - see library.h.
 */
#include "plugin/library.h"

#include "plugin/llvm_gaps.h"
#include "plugin/pass.h"

#include <string.h>

static LLVMValueRef hook(LLVMModuleRef module, const char *name, LLVMTypeRef type)
{
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    return function ? function : LLVMAddFunction(module, name, type);
}

/* ---- std::lock ---- */

/* Skips one of the words that a list of template arguments may consist of; NULL: something else. */
static const char *skip_word(const char *name)
{
    static const char *const words[] = {"St5mutex",
                                        "St15recursive_mutex",
                                        "St11timed_mutex",
                                        "St21recursive_timed_mutex",
                                        "St11unique_lockI",
                                        "J",
                                        "E"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (sm_starts_with(name, words[i]))
            return name + strlen(words[i]);
    if (*name != 'S')
        return NULL;
    for (name++; (*name >= '0' && *name <= '9') || (*name >= 'A' && *name <= 'Z'); name++)
        ;
    return *name == '_' ? name + 1 : NULL; /* one of the words before */
}

/* void std::lock<A, B, C...>(A &, B &, C &...) */
static bool locks_mutexes(const char *name)
{
    static const char start[] = "_ZSt4lockI", end[] = "vRT_RT0_DpRT1_";
    if (!sm_starts_with(name, start))
        return false;
    for (name += sizeof start - 1; name && *name != 'v';)
        name = skip_word(name);
    return name && strcmp(name, end) == 0;
}

static void tell(LLVMBuilderRef builder, LLVMValueRef before, bool begins)
{
    LLVMModuleRef module =
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(before)));
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef number = LLVMInt64TypeInContext(context);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), &number, 1, false);
    LLVMValueRef argument = LLVMConstInt(number, begins, false);
    LLVMPositionBuilderBefore(builder, before);
    LLVMBuildCall2(builder, type, hook(module, "sm_lock_together", type), &argument, 1, "");
}

static void tell_locking(LLVMBuilderRef builder, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
        if (LLVMIsAReturnInst(last) || LLVMIsAResumeInst(last))
            tell(builder, last, false);
    }
    tell(builder, sm_after_allocas(function), true);
}

/* ---- the waiter pool ---- */

static bool is_of_waiter_pool(const char *name)
{
    static const char *const names[] = {"_ZNSt8__detail18__waiter_pool_base13_M_enter_waitEv",
                                        "_ZNSt8__detail18__waiter_pool_base13_M_leave_waitEv",
                                        "_ZNKSt8__detail18__waiter_pool_base10_M_waitingEv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* It returns at once, true if it has a result. */
static void leave_out(LLVMBuilderRef builder, LLVMValueRef function)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMTypeRef number = LLVMInt64TypeInContext(context);
    LLVMTypeRef type = LLVMFunctionType(number, NULL, 0, false);
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    LLVMValueRef before = sm_after_allocas(function);
    LLVMPositionBuilderBefore(builder, before);
    LLVMValueRef known = LLVMBuildCall2(
        builder, type, hook(LLVMGetGlobalParent(function), "sm_knows_waiters", type), NULL, 0, "");
    known = LLVMBuildICmp(builder, LLVMIntNE, known, LLVMConstInt(number, 0, false), "");
    LLVMValueRef end = sm_split_then(known, before);
    LLVMPositionBuilderBefore(builder, end);
    if (LLVMGetTypeKind(result) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(builder);
    else
        LLVMBuildRet(builder, LLVMConstInt(result, 1, false));
    LLVMInstructionEraseFromParent(end);
}

void sm_library_prepare(LLVMValueRef function)
{
    const char *name = sm_value_name(function);
    LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
    if (locks_mutexes(name))
        tell_locking(builder, function);
    else if (is_of_waiter_pool(name))
        leave_out(builder, function);
    LLVMDisposeBuilder(builder);
}
