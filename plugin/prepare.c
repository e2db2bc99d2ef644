/*
 * prepare.c - what is made simpler before the module is read.
 *
 * The members of std::atomic are functions of a header. Left alone, every atomic access
 * of a C++ program would be reported in <atomic>, on a variable called `this`. They are
 * one instruction each, so they are inlined first (LLVM's always-inliner runs next), and
 * the access is found in the program's function, on the program's variable.
 */
#include "llvm_gaps.h"
#include "pass.h"

#include <string.h>

/* Starts of mangled names: members of std::atomic<>, its bases, and the free functions. */
static bool is_atomic_wrapper(const char *name)
{
    static const char *const starts[] = {
#define SM_ATOMIC_WRAPPER(start) start,
#include "atomic_wrappers.def"
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

void sm_prepare_run(LLVMModuleRef module)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function))
        if (LLVMCountBasicBlocks(function) && is_atomic_wrapper(sm_value_name(function)))
            mark_for_inlining(function);
}
