/*
 * calls.h - which calls are accesses, and where their arguments are.
 */
#ifndef SM_PLUGIN_CALLS_H
#define SM_PLUGIN_CALLS_H

#include "plugin/pass.h"

enum sm_call_role {
    SM_CALL_OTHER,
    SM_CALL_COPY,    /* to, from, size */
    SM_CALL_FILL,    /* to, byte, size */
    SM_CALL_LIBRARY, /* LIBRARY in core/libc.def, checks of core/tsan.def, syscalls.def */
    SM_CALL_ATOMIC,  /* of atomic_calls.def */
    SM_CALL_FENCE,   /* an instruction of the processor, as an intrinsic */
    SM_CALL_ASM,     /* unknown assembly: see asm.h */
};

struct sm_call {
    enum sm_call_role role;
    const char *name;
    bool checked;  /* COPY, FILL: see memory_calls.def */
    bool generic;  /* ATOMIC: size first, values through memory */
    uint32_t size; /* ATOMIC: bytes */
    uint8_t kind;  /* ATOMIC: enum sm_site_kind */
    uint8_t op;    /* ATOMIC: enum sm_rmw_op */
    uint8_t order; /* FENCE: enum sm_order */
};

struct sm_call sm_call_read(LLVMValueRef call);
/* An enum sm_order from a call's argument; seq_cst if it is not a constant. */
uint8_t sm_call_order(LLVMValueRef argument);

#endif
