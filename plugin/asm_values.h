/*
 * asm_values.h - the operands of one inline assembly statement as LLVM values.
 *
 * Registers are slots of 64 bits: the processor's sixteen, and one for each operand that lives
 * in a register of the compiler's choice. An operand with a register of its own, or tied to an
 * output, shares a slot. Memory is read and written by LLVM instructions, built before the
 * statement: what follows in the pass then knows nothing of assembly.
 */
#ifndef SM_PLUGIN_ASM_VALUES_H
#define SM_PLUGIN_ASM_VALUES_H

#include "plugin/asm_text.h"

#include <llvm-c/Core.h>

enum { SM_ASM_SLOTS = SM_ASM_REGISTERS + SM_ASM_CONSTRAINTS, SM_ASM_PUSHES = 4 };

struct sm_asm_slot {
    LLVMValueRef value;   /* i64; NULL: never written */
    LLVMValueRef pointer; /* the original pointer, until the slot is written */
};

/* The operation that set the flags; conditions are computed when they are used. */
enum sm_asm_flags_kind {
    SM_ASM_FLAGS_UNKNOWN,
    SM_ASM_FLAGS_ADD,   /* result = a + b */
    SM_ASM_FLAGS_SUB,   /* result = a - b */
    SM_ASM_FLAGS_COUNT, /* as ADD or SUB, but the carry is an older one */
    SM_ASM_FLAGS_LOGIC, /* result; no carry, no overflow */
    SM_ASM_FLAGS_CARRY, /* only the carry: result is an i1 */
    SM_ASM_FLAGS_ZERO,  /* only "equal": result is an i1 */
};

struct sm_asm_flags {
    enum sm_asm_flags_kind kind;
    LLVMValueRef result, a, b;
};

struct sm_asm_values {
    LLVMBuilderRef builder;
    LLVMContextRef context;
    LLVMValueRef statement;
    struct sm_asm_constraints constraints;
    LLVMValueRef memory[SM_ASM_CONSTRAINTS]; /* address of an indirect operand */
    unsigned sizes[SM_ASM_CONSTRAINTS];      /* of its value in bytes; 0: not known */
    bool constant[SM_ASM_CONSTRAINTS];
    unsigned slot_of[SM_ASM_CONSTRAINTS];
    struct sm_asm_slot slots[SM_ASM_SLOTS];
    struct sm_asm_slot pushed[SM_ASM_PUSHES];
    unsigned n_pushed;
    struct sm_asm_flags flags;
    LLVMValueRef jump;  /* i1: to the label */
    bool for_models;    /* emit fences that memory models need */
    bool effects, wide; /* touches memory, orders it or reads a clock; 16 bytes at once */
};

/* False if a value has a type that no general register holds. */
bool sm_asm_values_init(struct sm_asm_values *values, LLVMBuilderRef builder,
                        LLVMValueRef statement);
/* What the statement returns, or NULL if it returns nothing; false: not understood. */
bool sm_asm_result(struct sm_asm_values *values, LLVMValueRef *result);

/* What an indirect argument points to, or NULL. */
LLVMTypeRef sm_asm_element_type(LLVMValueRef statement, unsigned argument);
LLVMTypeRef sm_asm_type(const struct sm_asm_values *values, unsigned size);
LLVMValueRef sm_asm_number(const struct sm_asm_values *values, unsigned size, int64_t number);

bool sm_asm_is_memory(const struct sm_asm_values *values, const struct sm_asm_argument *argument);
/* Bytes, by the line's suffix (0: none), a register or the memory operand; 0: unknown. */
unsigned sm_asm_size(const struct sm_asm_values *values, const struct sm_asm_line *line,
                     unsigned suffix);
/* NULL: not understood. */
LLVMValueRef sm_asm_address(struct sm_asm_values *values, const struct sm_asm_argument *argument);
LLVMValueRef sm_asm_get(struct sm_asm_values *values, const struct sm_asm_argument *argument,
                        unsigned size);
bool sm_asm_put(struct sm_asm_values *values, const struct sm_asm_argument *argument, unsigned size,
                LLVMValueRef value);
/* A register by its number: the low bytes. */
LLVMValueRef sm_asm_register(struct sm_asm_values *values, unsigned number, unsigned size);
void sm_asm_set_register(struct sm_asm_values *values, unsigned number, unsigned size,
                         LLVMValueRef value);
/* An instruction without a lock prefix reads and writes apart: volatile, not atomic. */
LLVMValueRef sm_asm_read_unlocked(struct sm_asm_values *values, LLVMValueRef address,
                                  unsigned size);
void sm_asm_write_unlocked(struct sm_asm_values *values, LLVMValueRef address, LLVMValueRef value);

/* The i1 of a condition ("z", "nae"); NULL: not known from the flags as they are. */
LLVMValueRef sm_asm_condition(struct sm_asm_values *values, const char *name);

#endif
