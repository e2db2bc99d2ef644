/*
 * detect_link.c - links the inline paths, which are bitcode in this plug-in, into the module.
 */
#include "plugin/detect_pass.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The build defines the path of the file: see CMakeLists.txt. */
__asm__(".section .rodata\n"
        "sm_paths_start: .incbin \"" SM_PATHS_BITCODE "\"\n"
        "sm_paths_end:\n"
        ".previous\n");
extern const char sm_paths_start[], sm_paths_end[];

static _Noreturn void give_up(const char *what)
{
    fprintf(stderr,
            "stalemate: the inline paths cannot be %s; was the plug-in built with another "
            "LLVM than this clang's? build Stalemate again\n",
            what);
    exit(70);
}

/* So that those that are inlined everywhere, or never called, are removed. */
static void make_internal(LLVMModuleRef module)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function))
        if (sm_starts_with(sm_value_name(function), "sm_inline_") ||
            sm_starts_with(sm_value_name(function), "sm_outline_"))
            LLVMSetLinkage(function, LLVMInternalLinkage);
}

void sm_paths_link(LLVMModuleRef module)
{
    LLVMModuleRef paths;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(
        sm_paths_start, (size_t)(sm_paths_end - sm_paths_start), "detect_paths", false);
    if (LLVMParseBitcodeInContext2(LLVMGetModuleContext(module), buffer, &paths))
        give_up("read");
    LLVMDisposeMemoryBuffer(buffer);
    LLVMSetTarget(paths, LLVMGetTarget(module));
    LLVMSetModuleDataLayout(paths, LLVMGetModuleDataLayout(module));
    if (LLVMLinkModules2(module, paths))
        give_up("linked");
    make_internal(module);
}

LLVMValueRef sm_path(struct sm_pass *pass, const char *name)
{
    char symbol[64];
    snprintf(symbol, sizeof symbol, "sm_inline_%s", name);
    LLVMValueRef function = LLVMGetNamedFunction(pass->module, symbol);
    if (!function)
        give_up("found");
    return function;
}

void sm_path_call(struct sm_pass *pass, const char *name, LLVMValueRef *arguments, unsigned n)
{
    LLVMValueRef path = sm_path(pass, name);
    LLVMBuildCall2(pass->builder, LLVMGlobalGetValueType(path), path, arguments, n, "");
}
