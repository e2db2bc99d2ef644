/*
 * asm_text.h - the template and the constraints of x86-64 inline assembly, as text.
 *
 * LLVM's form: `$0` and `${0:b}` are operands, `$$` is a dollar sign, `$(att$|intel$)` holds one
 * text for each dialect. A template becomes lines of a mnemonic and up to three operands, in
 * AT&T order (source first) whichever dialect it was written in. Nothing here knows what a
 * mnemonic does: see asm_ops.h. No LLVM types: tests/unit/test_asm_text.c calls this alone.
 */
#ifndef SM_PLUGIN_ASM_TEXT_H
#define SM_PLUGIN_ASM_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SM_ASM_LINES = 16,
    SM_ASM_ARGUMENTS = 3,
    SM_ASM_CONSTRAINTS = 40,
    SM_ASM_REGISTERS = 16, /* rax to r15, in the processor's numbering */
};

enum {
    SM_ASM_RAX,
    SM_ASM_RCX,
    SM_ASM_RDX,
    SM_ASM_RBX,
    SM_ASM_RSP,
    SM_ASM_RSI = 6,
    SM_ASM_RDI,
};

enum sm_asm_kind {
    SM_ASM_IMMEDIATE, /* value */
    SM_ASM_REGISTER,  /* base; size by its name */
    SM_ASM_OPERAND,   /* base is the number of an operand; value: bytes added to its address */
    SM_ASM_ADDRESS,   /* memory at base + index * scale + value */
    SM_ASM_LABEL,     /* base is the number of an operand */
};

/* A base or an index: a register of the processor, or an operand that is one. */
struct sm_asm_name {
    bool present, operand;
    unsigned number;
};

struct sm_asm_argument {
    enum sm_asm_kind kind;
    struct sm_asm_name base, index;
    unsigned scale;
    int64_t value;
    unsigned size; /* bytes, by modifier, register name or `dword ptr`; 0: not said */
    bool high;     /* ah, bh, ch, dh */
};

struct sm_asm_line {
    char mnemonic[16];
    bool lock, rep;
    struct sm_asm_argument arguments[SM_ASM_ARGUMENTS];
    unsigned n_arguments;
};

struct sm_asm_text {
    struct sm_asm_line lines[SM_ASM_LINES];
    unsigned n_lines;
};

/* False if the template has something that is not understood as text. */
bool sm_asm_parse(const char *code, size_t length, bool intel, struct sm_asm_text *text);

struct sm_asm_constraint {
    bool output, indirect, label;
    int tied;            /* to the output of this number, or -1 */
    int register_number; /* or -1 */
    char condition[8];   /* of an output in a flag, "z" for "={@ccz}", or "" */
};

struct sm_asm_constraints {
    struct sm_asm_constraint list[SM_ASM_CONSTRAINTS]; /* without the clobbers */
    unsigned n;
    bool memory; /* the compiler is told that memory is touched */
};

bool sm_asm_constraints_parse(const char *words, size_t length, struct sm_asm_constraints *all);

#endif
