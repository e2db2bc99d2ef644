/*
 * asm.c - see asm.h.
 */
#include "plugin/asm.h"

#include "plugin/asm_ops.h"
#include "plugin/kit.h"
#include "plugin/llvm_gaps.h"
#include "plugin/pass.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

static bool parse(LLVMValueRef assembly, struct sm_asm_text *text)
{
    size_t length;
    const char *code = LLVMGetInlineAsmAsmString(assembly, &length);
    bool intel = LLVMGetInlineAsmDialect(assembly) == LLVMInlineAsmDialectIntel;
    return sm_asm_parse(code, length, intel, text);
}

/* ---- what is left ---- */

static bool parse_constraints(LLVMValueRef assembly, struct sm_asm_constraints *all)
{
    size_t length;
    const char *words = LLVMGetInlineAsmConstraintString(assembly, &length);
    return sm_asm_constraints_parse(words, length, all);
}

static bool has_memory_operand(const struct sm_asm_constraints *all)
{
    for (unsigned i = 0; i < all->n; i++)
        if (all->list[i].indirect)
            return true;
    return false;
}

static bool only_hints(const struct sm_asm_text *text)
{
    for (unsigned i = 0; i < text->n_lines; i++)
        if (!sm_asm_is_hint(&text->lines[i]))
            return false;
    return true;
}

/* One instruction, on memory relative to a segment register: the operand is an offset, not an
   address, and the memory is thread-local (mimalloc, jemalloc). */
static bool is_segment_relative(LLVMValueRef assembly)
{
    size_t length;
    const char *code = LLVMGetInlineAsmAsmString(assembly, &length);
    if (memchr(code, '\n', length) || memchr(code, ';', length))
        return false;
    for (size_t i = 0; i + 4 <= length; i++)
        if (memcmp(code + i, "%fs:", 4) == 0 || memcmp(code + i, "%gs:", 4) == 0)
            return true;
    return false;
}

enum sm_asm_class sm_asm_classify(LLVMValueRef assembly)
{
    struct sm_asm_constraints all;
    struct sm_asm_text text;
    bool known = parse_constraints(assembly, &all);
    if (known && !all.memory && (!has_memory_operand(&all) || is_segment_relative(assembly)))
        return SM_ASM_REGISTERS_ONLY;
    return parse(assembly, &text) && only_hints(&text) ? SM_ASM_BARRIER : SM_ASM_UNKNOWN;
}

bool sm_asm_clobbers_memory(LLVMValueRef assembly)
{
    struct sm_asm_constraints all;
    return !parse_constraints(assembly, &all) || all.memory;
}

static uint64_t element_bytes(LLVMValueRef statement, unsigned argument)
{
    LLVMTypeRef type = sm_asm_element_type(statement, argument);
    LLVMModuleRef module =
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(statement)));
    return type ? LLVMStoreSizeOfType(LLVMGetModuleDataLayout(module), type) : 0;
}

bool sm_asm_memory_operand(LLVMValueRef statement, unsigned n, LLVMValueRef *address,
                           uint64_t *size, bool *write)
{
    struct sm_asm_constraints all;
    unsigned argument = 0;
    if (!parse_constraints(LLVMGetCalledValue(statement), &all))
        return false;
    for (unsigned i = 0; i < all.n; i++) {
        const struct sm_asm_constraint *constraint = &all.list[i];
        if (constraint->label || (constraint->output && !constraint->indirect))
            continue;
        if (constraint->indirect && n-- == 0) {
            *address = LLVMGetOperand(statement, argument);
            *size = element_bytes(statement, argument);
            *write = constraint->output;
            return true;
        }
        argument++;
    }
    return false;
}

/* ---- one statement ---- */

static void place_builder(LLVMBuilderRef builder, LLVMValueRef statement)
{
    LLVMPositionBuilderBefore(builder, statement);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(statement));
}

static void remove_between(LLVMValueRef mark, LLVMValueRef statement)
{
    LLVMValueRef built;
    while ((built = LLVMGetPreviousInstruction(statement)) != mark)
        LLVMInstructionEraseFromParent(built);
}

/* 16 bytes at once need an instruction that not every x86-64 has; the program used it. */
static void allow_wide_exchange(LLVMValueRef statement)
{
    static const char name[] = "target-features", feature[] = "+cx16";
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(statement));
    LLVMModuleRef module = LLVMGetGlobalParent(function);
    LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    for (function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function)) {
        struct sm_text features = {0};
        unsigned length = 0;
        LLVMAttributeRef old = LLVMGetStringAttributeAtIndex(function, index, name, strlen(name));
        if (old) {
            sm_text_add(&features, LLVMGetStringAttributeValue(old, &length));
            sm_text_add(&features, ",");
        }
        sm_text_add(&features, feature);
        if (!old || !strstr(sm_text_get(&features), "+cx16,"))
            LLVMAddAttributeAtIndex(function, index,
                                    LLVMCreateStringAttribute(LLVMGetModuleContext(module), name,
                                                              strlen(name), features.chars,
                                                              (unsigned)features.length));
        sm_text_free(&features);
    }
}

/* asm goto: the condition of the last line selects one of the two successors. */
static bool replace_jump(struct sm_asm_values *values, LLVMValueRef statement)
{
    if (LLVMGetNumSuccessors(statement) != 2 || !values->jump)
        return false;
    LLVMBuildCondBr(values->builder, values->jump, LLVMGetSuccessor(statement, 1),
                    LLVMGetSuccessor(statement, 0));
    return true;
}

static bool replace(struct sm_asm_values *values, LLVMValueRef statement)
{
    LLVMValueRef result;
    if (!values->effects || values->n_pushed || !sm_asm_result(values, &result))
        return false;
    if (LLVMIsACallBrInst(statement) ? !replace_jump(values, statement) : values->jump != NULL)
        return false;
    if (values->wide)
        allow_wide_exchange(statement);
    if (result)
        LLVMReplaceAllUsesWith(statement, result);
    LLVMInstructionEraseFromParent(statement);
    return true;
}

static bool lower_lines(struct sm_asm_values *values, const struct sm_asm_text *text)
{
    for (unsigned i = 0; i < text->n_lines; i++)
        if (!sm_asm_lower_line(values, &text->lines[i], i + 1 == text->n_lines))
            return false;
    return true;
}

/* ---- rep movs, rep stos ---- */

static const struct sm_asm_line *only_line(const struct sm_asm_text *text)
{
    const struct sm_asm_line *found = NULL;
    for (unsigned i = 0; i < text->n_lines; i++) {
        if (sm_asm_is_hint(&text->lines[i]))
            continue;
        if (found)
            return NULL;
        found = &text->lines[i];
    }
    return found;
}

static LLVMValueRef register_pointer(struct sm_asm_values *values, unsigned number)
{
    struct sm_asm_argument at = {.kind = SM_ASM_ADDRESS,
                                 .base = {.present = true, .number = number}};
    return sm_asm_address(values, &at);
}

static void advance(struct sm_asm_values *values, unsigned number, LLVMValueRef bytes)
{
    LLVMValueRef sum = LLVMBuildAdd(values->builder, sm_asm_register(values, number, 8), bytes, "");
    sm_asm_set_register(values, number, 8, sum);
}

/* All bytes of the element are equal, so memset can store it. */
static bool is_one_byte(LLVMValueRef element, unsigned size)
{
    if (size == 1)
        return true;
    uint64_t value = LLVMIsAConstantInt(element) ? LLVMConstIntGetZExtValue(element) : 1;
    uint64_t ones = 0x0101010101010101u >> (64 - size * 8);
    return value == (value & 0xff) * ones;
}

static bool lower_stos(struct sm_asm_values *values, unsigned size)
{
    LLVMValueRef to = register_pointer(values, SM_ASM_RDI);
    LLVMValueRef element = sm_asm_register(values, SM_ASM_RAX, size);
    if (!to || !is_one_byte(element, size))
        return false;
    LLVMValueRef bytes = LLVMBuildMul(values->builder, sm_asm_register(values, SM_ASM_RCX, 8),
                                      sm_asm_number(values, 8, size), "");
    LLVMBuildMemSet(values->builder, to, sm_asm_register(values, SM_ASM_RAX, 1), bytes, 1);
    advance(values, SM_ASM_RDI, bytes);
    sm_asm_set_register(values, SM_ASM_RCX, 8, sm_asm_number(values, 8, 0));
    values->effects = true;
    return replace(values, values->statement);
}

/* A copy to a destination shortly behind its source repeats bytes: left to the processor. */
static bool lower_movs(struct sm_asm_values *values, unsigned size)
{
    LLVMBuilderRef builder = values->builder;
    LLVMValueRef statement = values->statement, overlapping, apart;
    LLVMValueRef to = register_pointer(values, SM_ASM_RDI),
                 from = register_pointer(values, SM_ASM_RSI);
    if (!to || !from)
        return false;
    LLVMValueRef bytes = LLVMBuildMul(builder, sm_asm_register(values, SM_ASM_RCX, 8),
                                      sm_asm_number(values, 8, size), "");
    LLVMValueRef distance = LLVMBuildSub(builder, sm_asm_register(values, SM_ASM_RDI, 8),
                                         sm_asm_register(values, SM_ASM_RSI, 8), "");
    LLVMValueRef overlap = LLVMBuildICmp(builder, LLVMIntULT, distance, bytes, "");
    advance(values, SM_ASM_RDI, bytes);
    advance(values, SM_ASM_RSI, bytes);
    sm_asm_set_register(values, SM_ASM_RCX, 8, sm_asm_number(values, 8, 0));
    values->effects = true;
    sm_split_then_else(overlap, statement, &overlapping, &apart);
    LLVMPositionBuilderBefore(builder, overlapping);
    LLVMInsertIntoBuilder(builder, LLVMInstructionClone(statement));
    LLVMPositionBuilderBefore(builder, apart);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(statement));
    LLVMBuildMemMove(builder, to, 1, from, 1, bytes);
    LLVMPositionBuilderBefore(builder, statement);
    return replace(values, statement);
}

static bool lower_repeat(struct sm_asm_values *values, const struct sm_asm_text *text)
{
    const struct sm_asm_line *line = only_line(text);
    if (!line || LLVMIsACallBrInst(values->statement))
        return false;
    if (sm_asm_repeated(line, "stos"))
        return lower_stos(values, sm_asm_repeated(line, "stos"));
    return sm_asm_repeated(line, "movs") && lower_movs(values, sm_asm_repeated(line, "movs"));
}

/* ---- the module ---- */

struct lowering {
    LLVMBuilderRef builder;
    bool for_models;
};

static void lower_statement(const struct lowering *lowering, LLVMValueRef statement,
                            const struct sm_asm_text *text)
{
    struct sm_asm_values values;
    LLVMValueRef mark = LLVMGetPreviousInstruction(statement);
    place_builder(lowering->builder, statement);
    if (!sm_asm_values_init(&values, lowering->builder, statement)) {
        remove_between(mark, statement);
        return;
    }
    values.for_models = lowering->for_models;
    if (lower_repeat(&values, text) || (lower_lines(&values, text) && replace(&values, statement)))
        return;
    remove_between(mark, statement);
}

/* cpuid stays, for its result; as a serialising instruction it also gets a fence. */
static void fence_before(LLVMBuilderRef builder, LLVMValueRef statement)
{
    place_builder(builder, statement);
    LLVMBuildFence(builder, LLVMAtomicOrderingSequentiallyConsistent, false, "");
}

static void look_at(const struct lowering *lowering, LLVMValueRef statement)
{
    LLVMValueRef assembly = LLVMGetCalledValue(statement);
    struct sm_asm_text text;
    if (!parse(assembly, &text) || !text.n_lines)
        return;
    if (!only_hints(&text)) {
        lower_statement(lowering, statement, &text);
        return;
    }
    bool serialises = false;
    for (unsigned i = 0; i < text.n_lines; i++)
        serialises |= sm_asm_is_serialising(&text.lines[i]);
    if (serialises && sm_asm_clobbers_memory(assembly))
        fence_before(lowering->builder, statement);
}

struct statements {
    LLVMValueRef *list;
    size_t n, room;
};

static void find_statements(LLVMValueRef function, struct statements *found)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction)) {
            if ((!LLVMIsACallInst(instruction) && !LLVMIsACallBrInst(instruction)) ||
                !LLVMIsAInlineAsm(LLVMGetCalledValue(instruction)))
                continue;
            found->list = sm_grow(found->list, found->n, &found->room, sizeof *found->list);
            found->list[found->n++] = instruction;
        }
}

/* ---- compiler barriers ---- */

static const char barriers[] = "stalemate-barriers";

static bool is_marked(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         barriers, strlen(barriers)) != NULL;
}

static void mark(LLVMValueRef function)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(context, barriers, strlen(barriers), "", 0));
}

/* The compiler cannot move accesses of a caller across it either. */
static void mark_with_callers(LLVMValueRef function)
{
    if (is_marked(function))
        return;
    mark(function);
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool call = LLVMIsACallInst(user) || LLVMIsAInvokeInst(user);
        if (call && LLVMGetCalledValue(user) == function)
            mark_with_callers(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)));
    }
}

bool sm_asm_has_barriers(LLVMValueRef instruction)
{
    return is_marked(LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction)));
}

/* Collected first: a statement that is split into blocks must not be visited again. */
static void lower_function(const struct lowering *lowering, LLVMValueRef function)
{
    struct statements found = {0};
    find_statements(function, &found);
    for (size_t i = 0; i < found.n; i++) {
        if (sm_asm_clobbers_memory(LLVMGetCalledValue(found.list[i])))
            mark_with_callers(function);
        look_at(lowering, found.list[i]);
    }
    free(found.list);
}

void sm_asm_lower(LLVMModuleRef module, bool for_models)
{
    const char *triple = LLVMGetTarget(module);
    if (!sm_starts_with(triple, "x86_64"))
        return;
    struct lowering lowering = {LLVMCreateBuilderInContext(LLVMGetModuleContext(module)),
                                for_models};
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function))
        if (!sm_has_attribute(function, "naked"))
            lower_function(&lowering, function);
    LLVMDisposeBuilder(lowering.builder);
}
