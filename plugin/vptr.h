/*
 * vptr.h - destructors that set the pointer to the virtual table to what it is.
 *
 * Each destructor first makes the object one of its own class. If it is one already, nobody can see
 * that store: a thread that calls a virtual function of the object until the destructor has waited
 * for it races with nothing. So `vptr = table` becomes `if (vptr != table) vptr = table`, with a
 * relaxed atomic load. Where the class does change the store is a race as any other.
 */
#ifndef SM_PLUGIN_VPTR_H
#define SM_PLUGIN_VPTR_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Early, while destructors are functions of their own. */
void sm_vptr_guard(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif

#endif
