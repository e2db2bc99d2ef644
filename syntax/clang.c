/* clang.c - see clang.h. */
#include "syntax/clang.h"

#include <dlfcn.h>
#include <stddef.h>

#include "base/memory.h"

struct sm_clang sm_clang;

static const struct {
    const char *name;
    size_t offset;
} functions[] = {
#define SM_CLANG(function) {#function, offsetof(struct sm_clang, p_##function)},
#include "syntax/clang.def"
};

/* The one that Stalemate was built with, wherever it is now. */
static void *open_library(void)
{
    static const char *const names[] = {SM_LIBCLANG, SM_LIBCLANG_NAME, "libclang.so.1",
                                        "libclang.so"};
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof(names) / sizeof(*names); i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

bool sm_clang_load(char **why)
{
    static void *library;
    if (!library)
        library = open_library();
    if (!library) {
        *why =
            sm_print("there is no libclang (%s); install it: clang's package libclang of LLVM 19",
                     SM_LIBCLANG);
        return false;
    }
    for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
        void *found = dlsym(library, functions[i].name);
        if (!found) {
            *why =
                sm_print("libclang has no %s; install that of LLVM 19 or later", functions[i].name);
            return false;
        }
        *(void **)((char *)&sm_clang + functions[i].offset) = found;
    }
    return true;
}

char *sm_clang_text(CXString string)
{
    const char *text = clang_getCString(string);
    char *copy = sm_copy_text(text ? text : "");
    clang_disposeString(string);
    return copy;
}

unsigned sm_clang_diagnostics(CXTranslationUnit parsed, enum CXDiagnosticSeverity least,
                              char **first)
{
    unsigned n = clang_getNumDiagnostics(parsed), found = 0;
    *first = NULL;
    for (unsigned i = 0; i < n; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(parsed, i);
        if (clang_getDiagnosticSeverity(diagnostic) >= least && !found++)
            *first = sm_clang_text(
                clang_formatDiagnostic(diagnostic, CXDiagnostic_DisplaySourceLocation));
        clang_disposeDiagnostic(diagnostic);
    }
    return found;
}
