/*
 * asm_ops.c - see asm_ops.h.
 *
 * A lock prefix, and xchg with memory even without one, make a seq_cst read-modify-write between
 * two seq_cst fences: on x86 it drains the store buffer, which C11's read-modify-write does not,
 * whether or not the statement clobbers memory. Without the prefix an instruction that changes
 * memory reads and writes it in two volatile accesses.
 */
#include "plugin/asm_ops.h"

#include "plugin/kit.h"

#include <string.h>

enum asm_action {
    DO_MOVE,
    DO_LEA,
    DO_EXCHANGE,
    DO_EXCHANGE_ADD,
    DO_COMPARE_EXCHANGE,
    DO_COMPARE_EXCHANGE_PAIR,
    DO_BINARY,
    DO_COUNT,
    DO_NOT,
    DO_NEGATE,
    DO_SHIFT,
    DO_COMPARE,
    DO_BIT,
    DO_PUSH,
    DO_POP,
    DO_FENCE,
    DO_LOAD_FENCE,
    DO_STORE_FENCE,
    DO_CLOCK,
    DO_CLOCK_AND_CPU,
    DO_CHANCE,
    DO_SERIALISE,
    DO_HINT,
    DO_EXTEND_ZERO, /* from here on not in asm_ops.def */
    DO_EXTEND_SIGN,
    DO_SET,
    DO_MOVE_IF,
    DO_JUMP,
    DO_UNKNOWN
};

enum asm_operation {
    WITH_NONE,
    WITH_ADD,
    WITH_SUB,
    WITH_AND,
    WITH_OR,
    WITH_XOR,
    WITH_SHL,
    WITH_SHR
};

struct asm_op {
    enum asm_action action;
    enum asm_operation operation;
    unsigned suffix;       /* bytes; 0: none */
    unsigned from;         /* EXTEND_: bytes of the source; 0: by its operand */
    const char *condition; /* DO_SET, DO_MOVE_IF, DO_JUMP */
};

/* ---- mnemonics ---- */

static bool find_name(const char *name, size_t length, struct asm_op *op)
{
    static const struct {
        const char *name;
        enum asm_action action;
        enum asm_operation operation;
    } known[] = {
#define SM_ASM_OP(mnemonic, action, operation) {#mnemonic, DO_##action, WITH_##operation},
#include "plugin/asm_ops.def"
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i].name) != length || strncmp(known[i].name, name, length) != 0)
            continue;
        op->action = known[i].action;
        op->operation = known[i].operation;
        return true;
    }
    return false;
}

static unsigned suffix_size(char suffix)
{
    return suffix == 'b' ? 1 : suffix == 'w' ? 2 : suffix == 'l' ? 4 : suffix == 'q' ? 8 : 0;
}

/* movzbl, movslq: the sizes of both sides; movzx, movsxd: by their operands. */
static bool find_extension(const char *name, struct asm_op *op)
{
    if (!sm_starts_with(name, "movz") && !sm_starts_with(name, "movs"))
        return false;
    op->action = name[3] == 'z' ? DO_EXTEND_ZERO : DO_EXTEND_SIGN;
    if (strcmp(name + 4, "x") == 0 || strcmp(name + 4, "xd") == 0)
        return true;
    op->from = suffix_size(name[4]);
    op->suffix = op->from && name[5] ? suffix_size(name[5]) : 0;
    return op->suffix && !name[6];
}

static bool find_condition(const char *name, struct asm_op *op)
{
    if (sm_starts_with(name, "set"))
        *op = (struct asm_op){.action = DO_SET, .condition = name + 3};
    else if (sm_starts_with(name, "cmov"))
        *op = (struct asm_op){.action = DO_MOVE_IF, .condition = name + 4};
    else if (name[0] == 'j')
        *op = (struct asm_op){.action = DO_JUMP, .condition = name + 1};
    return op->condition != NULL;
}

static struct asm_op find_op(const struct sm_asm_line *line)
{
    struct asm_op op = {.action = DO_UNKNOWN};
    const char *name = line->mnemonic;
    size_t length = strlen(name);
    if (find_name(name, length, &op) || (line->n_arguments == 2 && find_extension(name, &op)))
        return op;
    op = (struct asm_op){.action = DO_UNKNOWN};
    if (length > 1 && suffix_size(name[length - 1]) && find_name(name, length - 1, &op))
        op.suffix = suffix_size(name[length - 1]);
    else
        find_condition(name, &op);
    return op;
}

bool sm_asm_is_hint(const struct sm_asm_line *line)
{
    enum asm_action action = find_op(line).action;
    return (action == DO_HINT || action == DO_SERIALISE) && !line->lock;
}

bool sm_asm_is_serialising(const struct sm_asm_line *line)
{
    return find_op(line).action == DO_SERIALISE;
}

unsigned sm_asm_repeated(const struct sm_asm_line *line, const char *word)
{
    size_t length = strlen(word);
    if (!line->rep || line->n_arguments || !sm_starts_with(line->mnemonic, word) ||
        !line->mnemonic[length] || line->mnemonic[length + 1])
        return 0;
    char suffix = line->mnemonic[length];
    return suffix_size(suffix == 'd' ? 'l' : suffix);
}

/* ---- arithmetic ---- */

static LLVMValueRef compute(struct sm_asm_values *values, enum asm_operation operation,
                            LLVMValueRef a, LLVMValueRef b)
{
    LLVMBuilderRef builder = values->builder;
    switch (operation) {
    case WITH_ADD:
        return LLVMBuildAdd(builder, a, b, "");
    case WITH_SUB:
        return LLVMBuildSub(builder, a, b, "");
    case WITH_AND:
        return LLVMBuildAnd(builder, a, b, "");
    case WITH_OR:
        return LLVMBuildOr(builder, a, b, "");
    case WITH_XOR:
        return LLVMBuildXor(builder, a, b, "");
    case WITH_SHL:
        return LLVMBuildShl(builder, a, b, "");
    case WITH_SHR:
        return LLVMBuildLShr(builder, a, b, "");
    case WITH_NONE:
        break;
    }
    return b;
}

static void set_flags(struct sm_asm_values *values, enum asm_operation operation,
                      LLVMValueRef result, LLVMValueRef a, LLVMValueRef b)
{
    enum sm_asm_flags_kind kind = operation == WITH_ADD   ? SM_ASM_FLAGS_ADD
                                  : operation == WITH_SUB ? SM_ASM_FLAGS_SUB
                                                          : SM_ASM_FLAGS_LOGIC;
    values->flags = (struct sm_asm_flags){kind, result, a, b};
}

static LLVMAtomicRMWBinOp atomic_operation(enum asm_operation operation)
{
    switch (operation) {
    case WITH_ADD:
        return LLVMAtomicRMWBinOpAdd;
    case WITH_SUB:
        return LLVMAtomicRMWBinOpSub;
    case WITH_AND:
        return LLVMAtomicRMWBinOpAnd;
    case WITH_OR:
        return LLVMAtomicRMWBinOpOr;
    case WITH_XOR:
        return LLVMAtomicRMWBinOpXor;
    default:
        return LLVMAtomicRMWBinOpXchg;
    }
}

static void build_fence(struct sm_asm_values *values)
{
    LLVMBuildFence(values->builder, LLVMAtomicOrderingSequentiallyConsistent, false, "");
    values->effects = true;
}

/* Before and after a locked instruction, for the memory models only. */
static void model_fence(struct sm_asm_values *values)
{
    if (values->for_models)
        build_fence(values);
}

static LLVMValueRef atomic_rmw(struct sm_asm_values *values, enum asm_operation operation,
                               LLVMValueRef address, LLVMValueRef operand)
{
    model_fence(values);
    LLVMValueRef old = LLVMBuildAtomicRMW(values->builder, atomic_operation(operation), address,
                                          operand, LLVMAtomicOrderingSequentiallyConsistent, false);
    model_fence(values);
    values->effects = true;
    return old;
}

/* Changes memory by `operation`; returns the old value. */
static LLVMValueRef change_memory(struct sm_asm_values *values, bool lock,
                                  enum asm_operation operation, LLVMValueRef address,
                                  LLVMValueRef operand)
{
    if (lock)
        return atomic_rmw(values, operation, address, operand);
    unsigned size = LLVMGetIntTypeWidth(LLVMTypeOf(operand)) / 8;
    LLVMValueRef old = sm_asm_read_unlocked(values, address, size);
    sm_asm_write_unlocked(values, address, compute(values, operation, old, operand));
    return old;
}

/* argument = argument OPERATION operand; returns the old value, or NULL. */
static LLVMValueRef change(struct sm_asm_values *values, bool lock, enum asm_operation operation,
                           const struct sm_asm_argument *argument, LLVMValueRef operand)
{
    unsigned size = LLVMGetIntTypeWidth(LLVMTypeOf(operand)) / 8;
    if (sm_asm_is_memory(values, argument)) {
        LLVMValueRef address = sm_asm_address(values, argument);
        return address ? change_memory(values, lock, operation, address, operand) : NULL;
    }
    LLVMValueRef old = lock ? NULL : sm_asm_get(values, argument, size);
    if (!old || !sm_asm_put(values, argument, size, compute(values, operation, old, operand)))
        return NULL;
    return old;
}

/* ---- fences ---- */

static bool full_fence(struct sm_asm_values *values)
{
    build_fence(values);
    values->flags.kind = SM_ASM_FLAGS_UNKNOWN;
    return true;
}

static LLVMValueRef call_intrinsic(struct sm_asm_values *values, const char *name)
{
    LLVMModuleRef module =
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(values->statement)));
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(module, id, NULL, 0);
    values->effects = true;
    return LLVMBuildCall2(values->builder, LLVMGlobalGetValueType(function), function, NULL, 0, "");
}

/* `lock addl $0,(%rsp)`: a full fence, by an access to the thread's own stack. */
static bool is_stack_fence(const struct asm_op *op, const struct sm_asm_line *line)
{
    const struct sm_asm_argument *from = &line->arguments[0], *to = &line->arguments[1];
    return line->lock && op->action == DO_BINARY && line->n_arguments == 2 &&
           (op->operation == WITH_ADD || op->operation == WITH_OR) &&
           from->kind == SM_ASM_IMMEDIATE && from->value == 0 && to->kind == SM_ASM_ADDRESS &&
           !to->index.present && to->base.present && !to->base.operand &&
           to->base.number == SM_ASM_RSP;
}

/* ---- instructions with one or two operands ---- */

static bool lower_exchange(struct sm_asm_values *values, const struct sm_asm_argument *a,
                           const struct sm_asm_argument *b, unsigned size)
{
    bool memory = sm_asm_is_memory(values, b);
    const struct sm_asm_argument *reg = memory ? a : b, *other = memory ? b : a;
    LLVMValueRef value = sm_asm_is_memory(values, reg) ? NULL : sm_asm_get(values, reg, size);
    if (!value)
        return false;
    LLVMValueRef old = change(values, sm_asm_is_memory(values, other), WITH_NONE, other, value);
    return old && sm_asm_put(values, reg, size, old);
}

static bool lower_exchange_add(struct sm_asm_values *values, const struct sm_asm_line *line,
                               unsigned size)
{
    LLVMValueRef added = sm_asm_get(values, &line->arguments[0], size);
    LLVMValueRef old =
        added ? change(values, line->lock, WITH_ADD, &line->arguments[1], added) : NULL;
    if (!old || !sm_asm_put(values, &line->arguments[0], size, old))
        return false;
    set_flags(values, WITH_ADD, compute(values, WITH_ADD, old, added), old, added);
    return true;
}

/* Compare-exchange; returns the old value. */
static LLVMValueRef compare_exchange(struct sm_asm_values *values, bool lock, LLVMValueRef address,
                                     LLVMValueRef expected, LLVMValueRef desired)
{
    LLVMBuilderRef builder = values->builder;
    LLVMAtomicOrdering order = LLVMAtomicOrderingSequentiallyConsistent;
    values->effects = true;
    if (lock) {
        model_fence(values);
        LLVMValueRef pair =
            LLVMBuildAtomicCmpXchg(builder, address, expected, desired, order, order, false);
        model_fence(values);
        values->flags = (struct sm_asm_flags){
            .kind = SM_ASM_FLAGS_ZERO, .result = LLVMBuildExtractValue(builder, pair, 1, "")};
        return LLVMBuildExtractValue(builder, pair, 0, "");
    }
    unsigned size = LLVMGetIntTypeWidth(LLVMTypeOf(expected)) / 8;
    LLVMValueRef old = sm_asm_read_unlocked(values, address, size);
    LLVMValueRef equal = LLVMBuildICmp(builder, LLVMIntEQ, old, expected, "");
    sm_asm_write_unlocked(values, address, LLVMBuildSelect(builder, equal, desired, old, ""));
    values->flags = (struct sm_asm_flags){.kind = SM_ASM_FLAGS_ZERO, .result = equal};
    return old;
}

static bool lower_compare_exchange(struct sm_asm_values *values, const struct sm_asm_line *line,
                                   unsigned size)
{
    const struct sm_asm_argument *memory = &line->arguments[1];
    LLVMValueRef desired = sm_asm_get(values, &line->arguments[0], size);
    LLVMValueRef address = sm_asm_is_memory(values, memory) ? sm_asm_address(values, memory) : NULL;
    if (!desired || !address)
        return false;
    LLVMValueRef expected = sm_asm_register(values, SM_ASM_RAX, size);
    LLVMValueRef old = compare_exchange(values, line->lock, address, expected, desired);
    sm_asm_set_register(values, SM_ASM_RAX, size, old);
    return true;
}

static LLVMValueRef join_halves(struct sm_asm_values *values, unsigned high, unsigned low,
                                unsigned half)
{
    LLVMBuilderRef builder = values->builder;
    LLVMTypeRef type = sm_asm_type(values, half * 2);
    LLVMValueRef upper = LLVMBuildZExt(builder, sm_asm_register(values, high, half), type, "");
    LLVMValueRef lower = LLVMBuildZExt(builder, sm_asm_register(values, low, half), type, "");
    upper = LLVMBuildShl(builder, upper, sm_asm_number(values, half * 2, half * 8), "");
    return LLVMBuildOr(builder, upper, lower, "");
}

/* cmpxchg8b, cmpxchg16b: edx:eax and ecx:ebx. */
static bool lower_pair(struct sm_asm_values *values, const struct sm_asm_line *line)
{
    unsigned half = strcmp(line->mnemonic, "cmpxchg8b") == 0 ? 4 : 8;
    const struct sm_asm_argument *memory = &line->arguments[0];
    LLVMBuilderRef builder = values->builder;
    LLVMValueRef address = line->n_arguments == 1 && sm_asm_is_memory(values, memory)
                               ? sm_asm_address(values, memory)
                               : NULL;
    if (!address || (!line->lock && half == 8)) /* i128 without a lock: not one load */
        return false;
    values->wide |= half == 8;
    LLVMValueRef expected = join_halves(values, SM_ASM_RDX, SM_ASM_RAX, half);
    LLVMValueRef old = compare_exchange(values, line->lock, address, expected,
                                        join_halves(values, SM_ASM_RCX, SM_ASM_RBX, half));
    LLVMTypeRef type = sm_asm_type(values, half);
    LLVMValueRef shift = sm_asm_number(values, half * 2, half * 8);
    sm_asm_set_register(values, SM_ASM_RAX, half, LLVMBuildTrunc(builder, old, type, ""));
    sm_asm_set_register(values, SM_ASM_RDX, half,
                        LLVMBuildTrunc(builder, LLVMBuildLShr(builder, old, shift, ""), type, ""));
    return true;
}

static bool lower_binary(struct sm_asm_values *values, const struct asm_op *op,
                         const struct sm_asm_line *line, unsigned size)
{
    const struct sm_asm_argument *from = &line->arguments[0];
    if (sm_asm_is_memory(values, from) && sm_asm_is_memory(values, &line->arguments[1]))
        return false;
    LLVMValueRef operand = sm_asm_get(values, from, size);
    LLVMValueRef old =
        operand ? change(values, line->lock, op->operation, &line->arguments[1], operand) : NULL;
    if (old)
        set_flags(values, op->operation, compute(values, op->operation, old, operand), old,
                  operand);
    return old != NULL;
}

/* inc, dec, not: like add, sub, xor with a constant, except for the flags. */
static bool lower_unary(struct sm_asm_values *values, const struct asm_op *op,
                        const struct sm_asm_line *line, unsigned size)
{
    LLVMValueRef operand = sm_asm_number(values, size, op->action == DO_NOT ? -1 : 1);
    LLVMValueRef old = change(values, line->lock, op->operation, &line->arguments[0], operand);
    if (old && op->action == DO_COUNT)
        values->flags = (struct sm_asm_flags){
            SM_ASM_FLAGS_COUNT, compute(values, op->operation, old, operand), NULL, NULL};
    return old != NULL;
}

static bool lower_negate(struct sm_asm_values *values, const struct sm_asm_line *line,
                         unsigned size)
{
    LLVMValueRef zero = sm_asm_number(values, size, 0);
    LLVMValueRef value = line->lock || sm_asm_is_memory(values, &line->arguments[0])
                             ? NULL
                             : sm_asm_get(values, &line->arguments[0], size);
    if (!value)
        return false;
    LLVMValueRef result = compute(values, WITH_SUB, zero, value);
    set_flags(values, WITH_SUB, result, zero, value);
    return sm_asm_put(values, &line->arguments[0], size, result);
}

static bool lower_compare(struct sm_asm_values *values, const struct asm_op *op,
                          const struct sm_asm_line *line, unsigned size)
{
    LLVMValueRef b = sm_asm_get(values, &line->arguments[0], size);
    LLVMValueRef a = b ? sm_asm_get(values, &line->arguments[1], size) : NULL;
    if (a)
        set_flags(values, op->operation, compute(values, op->operation, a, b), a, b);
    return a != NULL;
}

static bool lower_shift(struct sm_asm_values *values, const struct asm_op *op,
                        const struct sm_asm_line *line, unsigned size)
{
    const struct sm_asm_argument *by = &line->arguments[0];
    if (line->lock || by->kind != SM_ASM_IMMEDIATE || by->value < 0 || by->value >= size * 8)
        return false;
    LLVMValueRef amount = sm_asm_number(values, size, by->value);
    values->flags.kind = SM_ASM_FLAGS_UNKNOWN;
    return change(values, false, op->operation, &line->arguments[1], amount) != NULL;
}

/* ---- bits ---- */

/* If the bit's number is in a register, memory is an array of bits in both directions. */
static LLVMValueRef bit_address(struct sm_asm_values *values, LLVMValueRef address,
                                LLVMValueRef number, unsigned size)
{
    LLVMBuilderRef builder = values->builder;
    LLVMValueRef shift = sm_asm_number(values, size, size == 8 ? 6 : size == 4 ? 5 : 4);
    LLVMValueRef word = LLVMBuildAShr(builder, number, shift, "");
    word = LLVMBuildIntCast2(builder, word, sm_asm_type(values, 8), true, "");
    return LLVMBuildGEP2(builder, sm_asm_type(values, size), address, &word, 1, "");
}

static LLVMValueRef bit_word(struct sm_asm_values *values, const struct asm_op *op,
                             const struct sm_asm_line *line, LLVMValueRef number, LLVMValueRef mask)
{
    const struct sm_asm_argument *base = &line->arguments[1];
    unsigned size = LLVMGetIntTypeWidth(LLVMTypeOf(mask)) / 8;
    LLVMValueRef operand =
        op->operation == WITH_AND ? LLVMBuildNot(values->builder, mask, "") : mask;
    if (!sm_asm_is_memory(values, base))
        return op->operation == WITH_NONE
                   ? sm_asm_get(values, base, size)
                   : change(values, line->lock, op->operation, base, operand);
    LLVMValueRef address = sm_asm_address(values, base);
    if (address && !LLVMIsAConstantInt(number))
        address = bit_address(values, address, number, size);
    if (!address)
        return NULL;
    if (op->operation == WITH_NONE)
        return sm_asm_read_unlocked(values, address, size);
    return change_memory(values, line->lock, op->operation, address, operand);
}

static bool lower_bit(struct sm_asm_values *values, const struct asm_op *op,
                      const struct sm_asm_line *line, unsigned size)
{
    LLVMBuilderRef builder = values->builder;
    if (sm_asm_is_memory(values, &line->arguments[0]) || size < 2)
        return false;
    LLVMValueRef number = sm_asm_get(values, &line->arguments[0], size);
    if (!number)
        return false;
    LLVMValueRef in_word =
        LLVMBuildAnd(builder, number, sm_asm_number(values, size, size * 8 - 1), "");
    LLVMValueRef mask = LLVMBuildShl(builder, sm_asm_number(values, size, 1), in_word, "");
    LLVMValueRef old = bit_word(values, op, line, number, mask);
    if (!old)
        return false;
    LLVMValueRef hit = LLVMBuildAnd(builder, old, mask, "");
    LLVMValueRef carry = LLVMBuildICmp(builder, LLVMIntNE, hit, sm_asm_number(values, size, 0), "");
    values->flags = (struct sm_asm_flags){.kind = SM_ASM_FLAGS_CARRY, .result = carry};
    return true;
}

/* ---- conditions, the stack, clocks ---- */

static bool lower_extension(struct sm_asm_values *values, const struct asm_op *op,
                            const struct sm_asm_line *line)
{
    struct sm_asm_line source = {.arguments = {line->arguments[0]}, .n_arguments = 1};
    struct sm_asm_line target = {.arguments = {line->arguments[1]}, .n_arguments = 1};
    unsigned from = sm_asm_size(values, &source, op->from);
    unsigned to = sm_asm_size(values, &target, op->suffix);
    LLVMValueRef value = from && to > from ? sm_asm_get(values, &line->arguments[0], from) : NULL;
    if (!value)
        return false;
    value = LLVMBuildIntCast2(values->builder, value, sm_asm_type(values, to),
                              op->action == DO_EXTEND_SIGN, "");
    return sm_asm_put(values, &line->arguments[1], to, value);
}

static bool lower_set(struct sm_asm_values *values, const struct asm_op *op,
                      const struct sm_asm_line *line)
{
    LLVMValueRef condition =
        line->n_arguments == 1 ? sm_asm_condition(values, op->condition) : NULL;
    if (!condition)
        return false;
    condition = LLVMBuildZExt(values->builder, condition, sm_asm_type(values, 1), "");
    return sm_asm_put(values, &line->arguments[0], 1, condition);
}

static bool lower_move_if(struct sm_asm_values *values, const struct asm_op *op,
                          const struct sm_asm_line *line, unsigned size)
{
    LLVMValueRef condition = sm_asm_condition(values, op->condition);
    LLVMValueRef from = condition && !sm_asm_is_memory(values, &line->arguments[1])
                            ? sm_asm_get(values, &line->arguments[0], size)
                            : NULL;
    LLVMValueRef old = from ? sm_asm_get(values, &line->arguments[1], size) : NULL;
    return old && sm_asm_put(values, &line->arguments[1], size,
                             LLVMBuildSelect(values->builder, condition, from, old, ""));
}

/* Only to a label of the program (asm goto), and only at the end. */
static bool lower_jump(struct sm_asm_values *values, const struct asm_op *op,
                       const struct sm_asm_line *line, bool last)
{
    if (!last || line->n_arguments != 1 || line->arguments[0].kind != SM_ASM_LABEL)
        return false;
    values->jump = sm_asm_condition(values, op->condition);
    return values->jump != NULL;
}

static bool lower_push(struct sm_asm_values *values, const struct sm_asm_line *line)
{
    const struct sm_asm_argument *argument = &line->arguments[0];
    if (line->n_arguments != 1 || sm_asm_is_memory(values, argument) ||
        values->n_pushed == SM_ASM_PUSHES)
        return false;
    LLVMValueRef value = sm_asm_get(values, argument, 8);
    values->pushed[values->n_pushed++].value = value;
    return value != NULL;
}

static bool lower_pop(struct sm_asm_values *values, const struct sm_asm_line *line)
{
    return line->n_arguments == 1 && values->n_pushed &&
           sm_asm_put(values, &line->arguments[0], 8, values->pushed[--values->n_pushed].value);
}

static bool lower_clock(struct sm_asm_values *values, bool with_cpu)
{
    LLVMBuilderRef builder = values->builder;
    LLVMTypeRef half = sm_asm_type(values, 4);
    LLVMValueRef time = call_intrinsic(values, with_cpu ? "llvm.x86.rdtscp" : "llvm.x86.rdtsc");
    if (with_cpu) {
        sm_asm_set_register(values, SM_ASM_RCX, 4, LLVMBuildExtractValue(builder, time, 1, ""));
        time = LLVMBuildExtractValue(builder, time, 0, "");
    }
    LLVMValueRef high = LLVMBuildLShr(builder, time, sm_asm_number(values, 8, 32), "");
    sm_asm_set_register(values, SM_ASM_RAX, 4, LLVMBuildTrunc(builder, time, half, ""));
    sm_asm_set_register(values, SM_ASM_RDX, 4, LLVMBuildTrunc(builder, high, half, ""));
    return true;
}

/* Only where the runtime supplies the value (prepare.c): the intrinsic itself needs a processor
   that the program may not have been compiled for. The carry flag reports success. */
static bool lower_chance(struct sm_asm_values *values, const struct sm_asm_line *line,
                         unsigned size)
{
    LLVMBuilderRef builder = values->builder;
    if (!values->for_models || size == 1)
        return false;
    LLVMValueRef answer = call_intrinsic(values, size == 8   ? "llvm.x86.rdrand.64"
                                                 : size == 4 ? "llvm.x86.rdrand.32"
                                                             : "llvm.x86.rdrand.16");
    LLVMValueRef worked = LLVMBuildTrunc(builder, LLVMBuildExtractValue(builder, answer, 1, ""),
                                         LLVMInt1TypeInContext(values->context), "");
    values->flags = (struct sm_asm_flags){.kind = SM_ASM_FLAGS_CARRY, .result = worked};
    return sm_asm_put(values, &line->arguments[0], size,
                      LLVMBuildExtractValue(builder, answer, 0, ""));
}

/* ---- lines ---- */

static bool lower_two(struct sm_asm_values *values, const struct asm_op *op,
                      const struct sm_asm_line *line, unsigned size)
{
    const struct sm_asm_argument *from = &line->arguments[0], *to = &line->arguments[1];
    LLVMValueRef value;
    switch (op->action) {
    case DO_MOVE:
        value = sm_asm_is_memory(values, from) && sm_asm_is_memory(values, to)
                    ? NULL
                    : sm_asm_get(values, from, size);
        return value && sm_asm_put(values, to, size, value);
    case DO_LEA:
        value = sm_asm_is_memory(values, from) ? sm_asm_address(values, from) : NULL;
        return value &&
               sm_asm_put(values, to, 8,
                          LLVMBuildPtrToInt(values->builder, value, sm_asm_type(values, 8), ""));
    case DO_EXCHANGE:
        return lower_exchange(values, from, to, size);
    case DO_EXCHANGE_ADD:
        return lower_exchange_add(values, line, size);
    case DO_COMPARE_EXCHANGE:
        return lower_compare_exchange(values, line, size);
    case DO_BINARY:
        return lower_binary(values, op, line, size);
    case DO_COMPARE:
        return lower_compare(values, op, line, size);
    case DO_SHIFT:
        return lower_shift(values, op, line, size);
    case DO_BIT:
        return lower_bit(values, op, line, size);
    case DO_MOVE_IF:
        return lower_move_if(values, op, line, size);
    default:
        return false;
    }
}

static bool lower_sized(struct sm_asm_values *values, const struct asm_op *op,
                        const struct sm_asm_line *line)
{
    unsigned size = sm_asm_size(values, line, op->suffix);
    if (size != 1 && size != 2 && size != 4 && size != 8)
        return false;
    if (line->n_arguments == 2)
        return lower_two(values, op, line, size);
    if (line->n_arguments != 1)
        return false;
    if (op->action == DO_COUNT || op->action == DO_NOT)
        return lower_unary(values, op, line, size);
    if (op->action == DO_CHANCE)
        return lower_chance(values, line, size);
    return op->action == DO_NEGATE && lower_negate(values, line, size);
}

bool sm_asm_lower_line(struct sm_asm_values *values, const struct sm_asm_line *line, bool last)
{
    struct asm_op op = find_op(line);
    if (line->rep && op.action != DO_HINT)
        return false;
    if (is_stack_fence(&op, line))
        return full_fence(values);
    switch (op.action) {
    case DO_FENCE:
        return full_fence(values);
    case DO_LOAD_FENCE:
        return call_intrinsic(values, "llvm.x86.sse2.lfence") != NULL;
    case DO_STORE_FENCE:
        return call_intrinsic(values, "llvm.x86.sse.sfence") != NULL;
    case DO_CLOCK:
    case DO_CLOCK_AND_CPU:
        return lower_clock(values, op.action == DO_CLOCK_AND_CPU);
    case DO_COMPARE_EXCHANGE_PAIR:
        return lower_pair(values, line);
    case DO_EXTEND_ZERO:
    case DO_EXTEND_SIGN:
        return lower_extension(values, &op, line);
    case DO_SET:
        return lower_set(values, &op, line);
    case DO_JUMP:
        return lower_jump(values, &op, line, last);
    case DO_PUSH:
        return lower_push(values, line);
    case DO_POP:
        return lower_pop(values, line);
    case DO_HINT:
        return !line->lock;
    case DO_SERIALISE:
    case DO_UNKNOWN:
        return false;
    default:
        return lower_sized(values, &op, line);
    }
}
