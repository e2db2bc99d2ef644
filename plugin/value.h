/*
 * value.h - how values are passed to and from hooks.
 *
 * 1, 2, 4 and 8 bytes go in a U64, zero-extended, whatever their type; anything else
 * goes through memory on the stack, for which a function has up to three scratch
 * places. A scratch place is written, used and read within one hook's path, so all
 * sites of a function share them.
 */
#ifndef SM_PLUGIN_VALUE_H
#define SM_PLUGIN_VALUE_H

#include "plugin/pass.h"

enum sm_scratch { SM_SCRATCH_RESULT, SM_SCRATCH_VALUE, SM_SCRATCH_EXPECTED, SM_SCRATCHES };

struct sm_frame { /* of the function being instrumented */
    LLVMValueRef function;
    bool watched;          /* it is the watched copy of one */
    uint64_t scratch_size; /* of the widest value any of its hooks takes */
    LLVMValueRef scratch[SM_SCRATCHES];
};

struct sm_emit { /* one site being instrumented, in one of the copies of its function */
    struct sm_pass *pass;
    struct sm_frame *frame;
    uint32_t index;
    const struct sm_row *row;
    LLVMValueRef instruction;
};

bool sm_fits_register(uint64_t size);
LLVMValueRef sm_to_register(struct sm_emit *emit, LLVMValueRef value);
LLVMValueRef sm_from_register(struct sm_emit *emit, LLVMValueRef bits, LLVMTypeRef type);
LLVMValueRef sm_scratch(struct sm_emit *emit, enum sm_scratch which);
/* Stores a value to a scratch place and returns the place. */
LLVMValueRef sm_to_scratch(struct sm_emit *emit, enum sm_scratch which, LLVMValueRef value);

#endif
