/*
 * escape.h - escape analysis: memory that no other thread can see.
 *
 * An access is left alone only when it cannot take part in a race: a local (or a static
 * thread-local) whose address never leaves the function's loads and stores, a by-value parameter of
 * that kind, or a constant. Whatever is not proved stays instrumented, so an imprecise answer costs
 * time, never a race.
 */
#ifndef SM_PLUGIN_ESCAPE_H
#define SM_PLUGIN_ESCAPE_H

#include "plugin/pass.h"

bool sm_is_private(struct sm_pass *pass, LLVMValueRef address);

#endif
