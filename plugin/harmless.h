/*
 * harmless.h - what an instruction does that another thread, or the thread itself, can notice
 * later.
 *
 * Functions whose bodies are in the module are looked into: predicates are often functions, and in
 * C++ they are lambdas.
 */
#ifndef SM_PLUGIN_HARMLESS_H
#define SM_PLUGIN_HARMLESS_H

#include "plugin/pass.h"

/* In the order in which they are worse. */
enum sm_deed {
    SM_DEED_NONE,  /* registers, private memory, hints */
    SM_DEED_READ,  /* an atomic read, or a fence */
    SM_DEED_LOOK,  /* a plain read, which may race */
    SM_DEED_STORE, /* a plain store, or a relaxed one */
    SM_DEED_OTHER,
};
enum sm_deed sm_deed_of(struct sm_pass *pass, LLVMValueRef instruction);

#endif
