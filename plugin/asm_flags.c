/*
 * asm_flags.c - computes the conditions of x86 (setz, jc, "=@ccnz") from the operation that set the
 * flags.
 */
#include "plugin/asm_values.h"

#include <string.h>

static LLVMValueRef compare(struct sm_asm_values *values, LLVMIntPredicate predicate,
                            LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildICmp(values->builder, predicate, a, b, "");
}

static LLVMValueRef zero_like(LLVMValueRef value)
{
    return LLVMConstNull(LLVMTypeOf(value));
}

static LLVMValueRef bit(const struct sm_asm_values *values, bool set)
{
    return LLVMConstInt(LLVMInt1TypeInContext(values->context), set, false);
}

static LLVMValueRef zero_flag(struct sm_asm_values *values)
{
    const struct sm_asm_flags *flags = &values->flags;
    if (flags->kind == SM_ASM_FLAGS_ZERO)
        return flags->result;
    if (flags->kind == SM_ASM_FLAGS_UNKNOWN || flags->kind == SM_ASM_FLAGS_CARRY)
        return NULL;
    return compare(values, LLVMIntEQ, flags->result, zero_like(flags->result));
}

static LLVMValueRef carry_flag(struct sm_asm_values *values)
{
    const struct sm_asm_flags *flags = &values->flags;
    switch (flags->kind) {
    case SM_ASM_FLAGS_ADD:
        return compare(values, LLVMIntULT, flags->result, flags->a);
    case SM_ASM_FLAGS_SUB:
        return compare(values, LLVMIntULT, flags->a, flags->b);
    case SM_ASM_FLAGS_LOGIC:
        return bit(values, false);
    case SM_ASM_FLAGS_CARRY:
        return flags->result;
    default:
        return NULL;
    }
}

static bool has_sign(const struct sm_asm_flags *flags)
{
    return flags->kind == SM_ASM_FLAGS_ADD || flags->kind == SM_ASM_FLAGS_SUB ||
           flags->kind == SM_ASM_FLAGS_COUNT || flags->kind == SM_ASM_FLAGS_LOGIC;
}

static LLVMValueRef sign_flag(struct sm_asm_values *values)
{
    const struct sm_asm_flags *flags = &values->flags;
    if (!has_sign(flags))
        return NULL;
    return compare(values, LLVMIntSLT, flags->result, zero_like(flags->result));
}

/* A sum overflows if its sign is that of neither summand. a = result + b after a subtraction. */
static LLVMValueRef overflow_flag(struct sm_asm_values *values)
{
    LLVMBuilderRef builder = values->builder;
    const struct sm_asm_flags *flags = &values->flags;
    bool sum = flags->kind == SM_ASM_FLAGS_ADD;
    if (flags->kind == SM_ASM_FLAGS_LOGIC)
        return bit(values, false);
    if (!sum && flags->kind != SM_ASM_FLAGS_SUB)
        return NULL;
    LLVMValueRef total = sum ? flags->result : flags->a, one = sum ? flags->a : flags->result;
    LLVMValueRef first = LLVMBuildXor(builder, total, one, "");
    LLVMValueRef second = LLVMBuildXor(builder, total, flags->b, "");
    LLVMValueRef both = LLVMBuildAnd(builder, first, second, "");
    return compare(values, LLVMIntSLT, both, zero_like(both));
}

static LLVMValueRef less(struct sm_asm_values *values)
{
    LLVMValueRef sign = sign_flag(values), overflow = overflow_flag(values);
    return sign && overflow ? LLVMBuildXor(values->builder, sign, overflow, "") : NULL;
}

static LLVMValueRef either(struct sm_asm_values *values, LLVMValueRef a, LLVMValueRef b)
{
    return a && b ? LLVMBuildOr(values->builder, a, b, "") : NULL;
}

static LLVMValueRef positive(struct sm_asm_values *values, const char *name)
{
    switch (name[0]) {
    case 'z':
        return zero_flag(values);
    case 'c':
        return carry_flag(values);
    case 's':
        return sign_flag(values);
    case 'o':
        return overflow_flag(values);
    case 'l':
        return less(values);
    case 'B': /* below or equal */
        return either(values, carry_flag(values), zero_flag(values));
    default: /* less or equal */
        return either(values, less(values), zero_flag(values));
    }
}

LLVMValueRef sm_asm_condition(struct sm_asm_values *values, const char *name)
{
    /* each name as one of seven conditions, or the opposite of one */
    static const struct {
        const char *name, *means;
        bool opposite;
    } names[] = {
        {"z", "z", 0},   {"e", "z", 0},   {"nz", "z", 1}, {"ne", "z", 1}, {"c", "c", 0},
        {"b", "c", 0},   {"nae", "c", 0}, {"nc", "c", 1}, {"ae", "c", 1}, {"nb", "c", 1},
        {"s", "s", 0},   {"ns", "s", 1},  {"o", "o", 0},  {"no", "o", 1}, {"l", "l", 0},
        {"nge", "l", 0}, {"ge", "l", 1},  {"nl", "l", 1}, {"be", "B", 0}, {"na", "B", 0},
        {"a", "B", 1},   {"nbe", "B", 1}, {"le", "L", 0}, {"ng", "L", 0}, {"g", "L", 1},
        {"nle", "L", 1},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i].name) != 0)
            continue;
        LLVMValueRef value = positive(values, names[i].means);
        return value && names[i].opposite ? LLVMBuildNot(values->builder, value, "") : value;
    }
    return NULL;
}
