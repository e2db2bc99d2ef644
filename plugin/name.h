/*
 * name.h - the source-level name of the memory an instruction touches.
 *
 * The base decides how a name starts:
 *   a global or a local     its own name           config.mode, table[].next
 *   a pointer to a struct   the name of the type   Point.x, ns::Queue.head
 *   a pointer to a scalar   the pointer, starred   *p, buf[], Queue.items[]
 *   a reference             its own name           done
 * Never the name of a pointer variable for a field: two functions that call the same
 * object `p` and `q` must agree. Where the pointer was itself loaded from memory that
 * has a name, that name is the pointer's (`buf[]`, whatever the local was called).
 *
 * Pointers have no type in the IR. Their types come from the local variables the value
 * was bound to (debug records), from the field it was loaded from, from the function
 * that returned it, and, against all of these, from the struct a getelementptr names,
 * which knows about casts.
 */
#ifndef SM_PLUGIN_NAME_H
#define SM_PLUGIN_NAME_H

#include "plugin/pass.h"

/* Fills variable, object, offset and SM_SITE_BITFIELD of the row. `type` may be NULL;
 * size 0 means that it is not known before the program runs. */
void sm_name_access(struct sm_pass *pass, struct sm_row *row, LLVMValueRef address,
                    LLVMTypeRef type, uint64_t size);

/* The value a chain of getelementptrs and casts starts from. */
LLVMValueRef sm_base_of(LLVMValueRef address);

#endif
