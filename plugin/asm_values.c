/*
 * asm_values.c - see asm_values.h.
 */
#include "plugin/asm_values.h"

#include <string.h>

LLVMTypeRef sm_asm_type(const struct sm_asm_values *values, unsigned size)
{
    return LLVMIntTypeInContext(values->context, size * 8);
}

LLVMValueRef sm_asm_number(const struct sm_asm_values *values, unsigned size, int64_t number)
{
    return LLVMConstInt(sm_asm_type(values, size), (unsigned long long)number, true);
}

static LLVMTypeRef pointer_type(const struct sm_asm_values *values)
{
    return LLVMPointerTypeInContext(values->context, 0);
}

/* ---- operands ---- */

/* Bytes of a value that fits a general register; 0 if it does not. */
static unsigned register_size(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return 8;
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64)
        return 0;
    unsigned bytes = (LLVMGetIntTypeWidth(type) + 7) / 8;
    return bytes > 4 ? 8 : bytes == 3 ? 4 : bytes;
}

LLVMTypeRef sm_asm_element_type(LLVMValueRef statement, unsigned argument)
{
    static const char name[] = "elementtype";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(statement, argument + 1, kind);
    return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

static unsigned element_size(LLVMValueRef statement, unsigned argument)
{
    LLVMTypeRef type = sm_asm_element_type(statement, argument);
    return type ? register_size(type) : 0;
}

static unsigned choose_slot(const struct sm_asm_values *values, unsigned index)
{
    const struct sm_asm_constraint *constraint = &values->constraints.list[index];
    if (constraint->tied >= 0 && (unsigned)constraint->tied < index)
        return values->slot_of[constraint->tied];
    return constraint->register_number >= 0 ? (unsigned)constraint->register_number
                                            : SM_ASM_REGISTERS + index;
}

static bool read_input(struct sm_asm_values *values, unsigned index, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value), word = sm_asm_type(values, 8);
    struct sm_asm_slot *slot = &values->slots[values->slot_of[index]];
    values->sizes[index] = register_size(type);
    values->constant[index] = LLVMIsAConstantInt(value) != NULL;
    if (!values->sizes[index])
        return false;
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        *slot = (struct sm_asm_slot){LLVMBuildPtrToInt(values->builder, value, word, ""), value};
    else
        *slot = (struct sm_asm_slot){
            LLVMBuildIntCast2(values->builder, value, word, values->constant[index], ""), NULL};
    return true;
}

/* The type of the nth value that the statement returns. */
static LLVMTypeRef output_type(LLVMValueRef statement, unsigned n)
{
    LLVMTypeRef type = LLVMTypeOf(statement);
    return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, n) : type;
}

bool sm_asm_values_init(struct sm_asm_values *values, LLVMBuilderRef builder,
                        LLVMValueRef statement)
{
    LLVMValueRef assembly = LLVMGetCalledValue(statement);
    size_t length;
    const char *words = LLVMGetInlineAsmConstraintString(assembly, &length);
    *values = (struct sm_asm_values){.builder = builder,
                                     .context = LLVMGetTypeContext(LLVMTypeOf(statement)),
                                     .statement = statement};
    if (!sm_asm_constraints_parse(words, length, &values->constraints))
        return false;
    unsigned argument = 0, returned = 0;
    bool ok = true;
    for (unsigned i = 0; i < values->constraints.n && ok; i++) {
        const struct sm_asm_constraint *constraint = &values->constraints.list[i];
        if (constraint->label)
            continue;
        values->slot_of[i] = choose_slot(values, i);
        if (constraint->indirect) {
            values->sizes[i] = element_size(statement, argument);
            values->memory[i] = LLVMGetOperand(statement, argument++);
        } else if (constraint->output) {
            values->sizes[i] = register_size(output_type(statement, returned++));
            ok = values->sizes[i] != 0;
        } else {
            ok = read_input(values, i, LLVMGetOperand(statement, argument++));
        }
    }
    return ok;
}

static LLVMValueRef output_value(struct sm_asm_values *values, unsigned index, LLVMTypeRef type)
{
    const struct sm_asm_constraint *constraint = &values->constraints.list[index];
    const struct sm_asm_slot *slot = &values->slots[values->slot_of[index]];
    bool pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    if (constraint->condition[0]) {
        LLVMValueRef condition = sm_asm_condition(values, constraint->condition);
        return condition ? LLVMBuildZExtOrBitCast(values->builder, condition, type, "") : NULL;
    }
    if (!slot->value) /* an output that is not written has no value to keep */
        return LLVMConstNull(type);
    if (pointer)
        return slot->pointer ? slot->pointer
                             : LLVMBuildIntToPtr(values->builder, slot->value, type, "");
    return LLVMBuildIntCast2(values->builder, slot->value, type, false, "");
}

bool sm_asm_result(struct sm_asm_values *values, LLVMValueRef *result)
{
    LLVMTypeRef type = LLVMTypeOf(values->statement);
    bool several = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    unsigned returned = 0;
    *result = several ? LLVMGetPoison(type) : NULL;
    for (unsigned i = 0; i < values->constraints.n; i++) {
        const struct sm_asm_constraint *constraint = &values->constraints.list[i];
        if (!constraint->output || constraint->indirect)
            continue;
        LLVMValueRef value = output_value(values, i, output_type(values->statement, returned));
        if (!value)
            return false;
        *result =
            several ? LLVMBuildInsertValue(values->builder, *result, value, returned, "") : value;
        returned++;
    }
    return true;
}

/* ---- registers ---- */

LLVMValueRef sm_asm_register(struct sm_asm_values *values, unsigned number, unsigned size)
{
    struct sm_asm_slot *slot = &values->slots[number];
    if (!slot->value)
        slot->value = sm_asm_number(values, 8, 0);
    return LLVMBuildIntCast2(values->builder, slot->value, sm_asm_type(values, size), false, "");
}

/* 32 bits clear the upper half; 8 and 16 leave the rest as it is. */
void sm_asm_set_register(struct sm_asm_values *values, unsigned number, unsigned size,
                         LLVMValueRef value)
{
    LLVMBuilderRef builder = values->builder;
    LLVMValueRef whole = LLVMBuildIntCast2(builder, value, sm_asm_type(values, 8), false, "");
    LLVMValueRef old = values->slots[number].value;
    if (size < 4 && old) {
        int64_t mask = -(int64_t)1 << size * 8;
        old = LLVMBuildAnd(builder, old, sm_asm_number(values, 8, mask), "");
        whole = LLVMBuildOr(builder, old, whole, "");
    }
    values->slots[number] = (struct sm_asm_slot){whole, NULL};
}

/* The slot of an argument in a register; false: a high byte, a label, the stack. */
static bool slot_number(const struct sm_asm_values *values, const struct sm_asm_argument *argument,
                        unsigned *number)
{
    if (argument->high)
        return false;
    *number = argument->base.number;
    if (argument->kind == SM_ASM_REGISTER)
        return *number != SM_ASM_RSP;
    if (argument->kind != SM_ASM_OPERAND || *number >= values->constraints.n ||
        values->constraints.list[*number].label || argument->value)
        return false;
    *number = values->slot_of[*number];
    return true;
}

/* ---- memory ---- */

bool sm_asm_is_memory(const struct sm_asm_values *values, const struct sm_asm_argument *argument)
{
    return argument->kind == SM_ASM_ADDRESS ||
           (argument->kind == SM_ASM_OPERAND && argument->base.number < values->constraints.n &&
            values->constraints.list[argument->base.number].indirect);
}

static const struct sm_asm_slot *named_slot(const struct sm_asm_values *values,
                                            const struct sm_asm_name *name)
{
    if (!name->operand)
        return name->number == SM_ASM_RSP ? NULL : &values->slots[name->number];
    if (name->number >= values->constraints.n || values->constraints.list[name->number].indirect ||
        values->constraints.list[name->number].label)
        return NULL;
    return &values->slots[values->slot_of[name->number]];
}

static LLVMValueRef offset_by(struct sm_asm_values *values, LLVMValueRef base, LLVMValueRef offset)
{
    LLVMTypeRef byte = sm_asm_type(values, 1);
    return LLVMBuildGEP2(values->builder, byte, base, &offset, 1, "");
}

static LLVMValueRef computed_address(struct sm_asm_values *values,
                                     const struct sm_asm_argument *argument)
{
    LLVMBuilderRef builder = values->builder;
    LLVMValueRef base = LLVMConstNull(pointer_type(values));
    if (argument->base.present) {
        const struct sm_asm_slot *slot = named_slot(values, &argument->base);
        if (!slot || !slot->value)
            return NULL;
        base = slot->pointer ? slot->pointer
                             : LLVMBuildIntToPtr(builder, slot->value, pointer_type(values), "");
    }
    if (argument->index.present) {
        const struct sm_asm_slot *slot = named_slot(values, &argument->index);
        if (!slot || !slot->value)
            return NULL;
        base = offset_by(
            values, base,
            LLVMBuildMul(builder, slot->value, sm_asm_number(values, 8, argument->scale), ""));
    }
    return base;
}

LLVMValueRef sm_asm_address(struct sm_asm_values *values, const struct sm_asm_argument *argument)
{
    LLVMValueRef address = argument->kind == SM_ASM_ADDRESS ? computed_address(values, argument)
                                                            : values->memory[argument->base.number];
    if (address && argument->value)
        address = offset_by(values, address, sm_asm_number(values, 8, argument->value));
    return address;
}

unsigned sm_asm_size(const struct sm_asm_values *values, const struct sm_asm_line *line,
                     unsigned suffix)
{
    unsigned memory = 0, constant = 0, chosen = suffix;
    for (unsigned i = 0; i < line->n_arguments && !chosen; i++) {
        const struct sm_asm_argument *argument = &line->arguments[i];
        bool operand =
            argument->kind == SM_ASM_OPERAND && argument->base.number < values->constraints.n;
        unsigned size = operand ? values->sizes[argument->base.number] : 0;
        if (argument->size)
            chosen = argument->size;
        else if (operand && sm_asm_is_memory(values, argument))
            memory = size;
        else if (operand && values->constant[argument->base.number])
            constant = size;
        else
            chosen = size;
    }
    return chosen ? chosen : memory ? memory : constant;
}

/* A move is a single access of the processor, and opaque to the compiler: it is at least as strong
 * as an acquire load or a release store. */
static LLVMValueRef read_memory(struct sm_asm_values *values, LLVMValueRef address, unsigned size)
{
    LLVMValueRef load = LLVMBuildLoad2(values->builder, sm_asm_type(values, size), address, "");
    LLVMSetOrdering(load, LLVMAtomicOrderingAcquire);
    LLVMSetAlignment(load, size);
    values->effects = true;
    return load;
}

static void write_memory(struct sm_asm_values *values, LLVMValueRef address, unsigned size,
                         LLVMValueRef value)
{
    LLVMValueRef store = LLVMBuildStore(values->builder, value, address);
    LLVMSetOrdering(store, LLVMAtomicOrderingRelease);
    LLVMSetAlignment(store, size);
    values->effects = true;
}

LLVMValueRef sm_asm_read_unlocked(struct sm_asm_values *values, LLVMValueRef address, unsigned size)
{
    LLVMValueRef load = LLVMBuildLoad2(values->builder, sm_asm_type(values, size), address, "");
    LLVMSetVolatile(load, true);
    LLVMSetAlignment(load, size);
    values->effects = true;
    return load;
}

void sm_asm_write_unlocked(struct sm_asm_values *values, LLVMValueRef address, LLVMValueRef value)
{
    LLVMSetVolatile(LLVMBuildStore(values->builder, value, address), true);
    values->effects = true;
}

LLVMValueRef sm_asm_get(struct sm_asm_values *values, const struct sm_asm_argument *argument,
                        unsigned size)
{
    unsigned number;
    if (argument->kind == SM_ASM_IMMEDIATE)
        return sm_asm_number(values, size, argument->value);
    if (sm_asm_is_memory(values, argument)) {
        LLVMValueRef address = sm_asm_address(values, argument);
        return address ? read_memory(values, address, size) : NULL;
    }
    return slot_number(values, argument, &number) ? sm_asm_register(values, number, size) : NULL;
}

bool sm_asm_put(struct sm_asm_values *values, const struct sm_asm_argument *argument, unsigned size,
                LLVMValueRef value)
{
    unsigned number;
    if (sm_asm_is_memory(values, argument)) {
        LLVMValueRef address = sm_asm_address(values, argument);
        if (address)
            write_memory(values, address, size, value);
        return address != NULL;
    }
    if (!slot_number(values, argument, &number))
        return false;
    sm_asm_set_register(values, number, size, value);
    return true;
}
