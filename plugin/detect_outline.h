/*
 * detect_outline.h - which checks are called instead of inlined.
 *
 * An inline check is fourteen instructions and a cold block; a call and its return add two history
 * events of a dozen instructions each. That pays where the code runs again at once: in loops, and
 * in functions so small that they may be in somebody else's loop. Elsewhere, and in loops that do
 * not fit the instruction cache anyway (interpreters), a call of a copy of the check takes a third
 * of the code: the text of sqlite3.c has 3.3 MB in place of 6.8 (ThreadSanitizer: 1.6) and compiles
 * in half of the time; its three threads take no longer.
 */
#ifndef SM_PLUGIN_DETECT_OUTLINE_H
#define SM_PLUGIN_DETECT_OUTLINE_H

#include <llvm/IR/PassManager.h>

/* Before the always-inliner, which expands the checks that are left. */
void sm_outline_checks(llvm::Module &module, llvm::FunctionAnalysisManager &functions);

#endif
