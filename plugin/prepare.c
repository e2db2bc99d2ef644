/*
 * prepare.c - simplifications before the module is read.
 *
 * The members of std::atomic are functions of a header. Left alone, every atomic access
 * of a C++ program would be reported in <atomic>, on a variable called `this`. They are
 * one instruction each, so they are inlined first (LLVM's always-inliner runs next), and
 * the access is found in the program's function, on the program's variable.
 *
 * SV-COMP's functions named __VERIFIER_atomic_* run atomically: their bodies are put between
 * __VERIFIER_atomic_begin and __VERIFIER_atomic_end.
 *
 * Atomics of pointers are loaded and exchanged as integers, through a local that is accessed as
 * both. mem2reg would not promote such a local: its accesses are given one type.
 *
 * A barrier returns PTHREAD_BARRIER_SERIAL_THREAD to one thread. If the program does not use the
 * result, verify need not explore which: the runtime is told so.
 */
#include "plugin/asm.h"
#include "plugin/counters.h"
#include "plugin/library.h"
#include "plugin/llvm_gaps.h"
#include "plugin/pass.h"
#include "plugin/results.h"
#include "plugin/vptr.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* Starts of mangled names: members of std::atomic<>, its bases, and the free functions. */
static bool is_atomic_wrapper(const char *name)
{
    static const char *const starts[] = {
#define SM_ATOMIC_WRAPPER(start) start,
#include "plugin/atomic_wrappers.def"
    };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (sm_starts_with(name, starts[i]))
            return true;
    return false;
}

static void mark_for_inlining(LLVMValueRef function)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", strlen("alwaysinline"));
    sm_remove_attribute(function, "noinline");
    sm_remove_attribute(function, "optnone");
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(context, kind, 0));
}

static const char block_begin[] = "__VERIFIER_atomic_begin", block_end[] = "__VERIFIER_atomic_end";

static bool is_atomic_block(const char *name)
{
    return sm_starts_with(name, "__VERIFIER_atomic_") && strcmp(name, block_begin) != 0 &&
           strcmp(name, block_end) != 0;
}

static void call_before(LLVMValueRef instruction, const char *name)
{
    LLVMModuleRef module =
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction)));
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, false);
    LLVMValueRef callee = LLVMGetNamedFunction(module, name);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderBefore(builder, instruction);
    LLVMBuildCall2(builder, type, callee ? callee : LLVMAddFunction(module, name, type), NULL, 0,
                   "");
    LLVMDisposeBuilder(builder);
}

static void make_atomic(LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        if (LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(block)))
            call_before(LLVMGetBasicBlockTerminator(block), block_end);
    call_before(LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)), block_begin);
}

static bool is_call_of(LLVMValueRef instruction, LLVMValueRef function)
{
    return (LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction)) &&
           LLVMGetCalledValue(instruction) == function;
}

static void tell_ignored(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        if (is_call_of(call, function) && !LLVMGetFirstUse(call))
            call_before(call, "sm_ignore_result");
    }
}

/* The result in the type of the call: an integer, or a pair with a second one. */
static LLVMValueRef build_answer(LLVMBuilderRef builder, LLVMValueRef value, LLVMTypeRef type,
                                 uint64_t second)
{
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
        return LLVMBuildIntCast2(builder, value, type, false, "");
    LLVMTypeRef types[2];
    LLVMGetStructElementTypes(type, types);
    LLVMValueRef number = LLVMBuildIntCast2(builder, value, types[0], false, "");
    LLVMValueRef answer = LLVMBuildInsertValue(builder, LLVMGetUndef(type), number, 0, "");
    return LLVMBuildInsertValue(builder, answer, LLVMConstInt(types[1], second, false), 1, "");
}

/* The processor's clocks and random numbers are inputs: the runtime supplies them. */
static void replace_input(LLVMModuleRef module, const char *intrinsic, const char *name,
                          uint64_t second)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef type = LLVMFunctionType(LLVMInt64TypeInContext(context), NULL, 0, false);
    LLVMValueRef input = LLVMGetNamedFunction(module, intrinsic), function;
    if (!input)
        return;
    function = LLVMGetNamedFunction(module, name);
    if (!function)
        function = LLVMAddFunction(module, name, type);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    for (LLVMUseRef use = LLVMGetFirstUse(input); use; use = LLVMGetFirstUse(input)) {
        LLVMValueRef call = LLVMGetUser(use);
        LLVMPositionBuilderBefore(builder, call);
        LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
        LLVMValueRef value = LLVMBuildCall2(builder, type, function, NULL, 0, "");
        LLVMReplaceAllUsesWith(call, build_answer(builder, value, LLVMTypeOf(call), second));
        LLVMInstructionEraseFromParent(call);
    }
    LLVMDisposeBuilder(builder);
}

static void replace_inputs(LLVMModuleRef module)
{
    enum { PROCESSOR = 0, WORKED = 1 }; /* second numbers of rdtscp, and of rdrand and rdseed */
    replace_input(module, "llvm.x86.rdtsc", "sm_rdtsc", 0);
    replace_input(module, "llvm.x86.rdtscp", "sm_rdtsc", PROCESSOR);
    replace_input(module, "llvm.readcyclecounter", "sm_rdtsc", 0);
    replace_input(module, "llvm.x86.rdrand.16", "sm_rdrand", WORKED);
    replace_input(module, "llvm.x86.rdrand.32", "sm_rdrand", WORKED);
    replace_input(module, "llvm.x86.rdrand.64", "sm_rdrand", WORKED);
    replace_input(module, "llvm.x86.rdseed.16", "sm_rdrand", WORKED);
    replace_input(module, "llvm.x86.rdseed.32", "sm_rdrand", WORKED);
    replace_input(module, "llvm.x86.rdseed.64", "sm_rdrand", WORKED);
}

/* Does the instruction load (store) all of the local, as an integer where that is a pointer, or the
 * other way round? */
static bool has_other_type(LLVMValueRef access, LLVMValueRef local, LLVMTypeRef type)
{
    LLVMTypeKind own = LLVMGetTypeKind(LLVMGetAllocatedType(local)), other = LLVMGetTypeKind(type);
    bool pointer = own == LLVMPointerTypeKind && other == LLVMIntegerTypeKind &&
                   LLVMGetIntTypeWidth(type) == 64;
    bool integer = own == LLVMIntegerTypeKind && other == LLVMPointerTypeKind &&
                   LLVMGetIntTypeWidth(LLVMGetAllocatedType(local)) == 64;
    return (pointer || integer) && !LLVMGetVolatile(access) &&
           LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic;
}

static LLVMValueRef cast(LLVMBuilderRef builder, LLVMValueRef value, LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind
               ? LLVMBuildIntToPtr(builder, value, type, "")
               : LLVMBuildPtrToInt(builder, value, type, "");
}

static void give_type(LLVMBuilderRef builder, LLVMValueRef access, LLVMValueRef local)
{
    LLVMTypeRef type = LLVMGetAllocatedType(local);
    LLVMPositionBuilderBefore(builder, access);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(access));
    if (LLVMIsALoadInst(access))
        LLVMReplaceAllUsesWith(
            access, cast(builder, LLVMBuildLoad2(builder, type, local, ""), LLVMTypeOf(access)));
    else
        LLVMBuildStore(builder, cast(builder, LLVMGetOperand(access, 0), type), local);
    LLVMInstructionEraseFromParent(access);
}

static void unify_accesses(LLVMBuilderRef builder, LLVMValueRef local)
{
    for (LLVMUseRef use = LLVMGetFirstUse(local), next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        bool load = LLVMIsALoadInst(user);
        bool store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == local &&
                     LLVMGetOperand(user, 0) != local;
        if ((load || store) &&
            has_other_type(user, local, LLVMTypeOf(load ? user : LLVMGetOperand(user, 0))))
            give_type(builder, user, local);
    }
}

static void unify_locals(LLVMValueRef function)
{
    LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    for (LLVMValueRef local = LLVMGetFirstInstruction(entry); local;
         local = LLVMGetNextInstruction(local))
        if (LLVMIsAAllocaInst(local))
            unify_accesses(builder, local);
    LLVMDisposeBuilder(builder);
}

void sm_prepare_run(LLVMModuleRef module)
{
    sm_results_mark(module);
    sm_asm_lower(module, true);
    sm_vptr_guard(module);
    replace_inputs(module);
    sm_mark_pauses(module);
    LLVMValueRef barrier = LLVMGetNamedFunction(module, "pthread_barrier_wait");
    if (barrier)
        tell_ignored(barrier);
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function)) {
        if (!LLVMCountBasicBlocks(function))
            continue;
        unify_locals(function);
        sm_library_prepare(function);
        if (is_atomic_wrapper(sm_value_name(function)))
            mark_for_inlining(function);
        if (is_atomic_block(sm_value_name(function)))
            make_atomic(function);
    }
}
