/*
 * detect_calls.c - calls leave a trace in the thread's history, for the stacks of reports.
 *
 * Before a call the row of the call is written down, behind it that the call is over. Left
 * out are calls that cannot lead to an access worth a report: intrinsics, functions that
 * touch no memory, functions of this module that have neither accesses nor calls.
 */
#include "detect_pass.h"

#include "hook.h"
#include "source.h"

#include <stdlib.h>
#include <string.h>

static bool has_unit(const struct sm_pass *pass, LLVMValueRef function)
{
    for (size_t i = 0; i < pass->n_units; i++)
        if (pass->units[i].function == function)
            return true;
    return false;
}

/* memory(none) */
static bool touches_no_memory(LLVMValueRef function)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeRef memory =
        LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
    return memory && LLVMGetEnumAttributeValue(memory) == 0;
}

static bool is_traced_call(const struct sm_pass *pass, const struct sm_map *sites,
                           LLVMValueRef instruction)
{
    if (!LLVMIsACallInst(instruction) && !LLVMIsAInvokeInst(instruction))
        return false;
    if (LLVMIsAInlineAsm(LLVMGetCalledValue(instruction)) || sm_map_get(sites, instruction))
        return false;
    LLVMValueRef callee = sm_direct_callee(instruction);
    if (!callee)
        return true;
    if (LLVMGetIntrinsicID(callee) || touches_no_memory(callee))
        return false;
    return LLVMCountBasicBlocks(callee) == 0 || has_unit(pass, callee);
}

static void add_row(struct sm_pass *pass, LLVMValueRef call)
{
    struct sm_row row = {
        .instruction = call, .variable = "", .kind = SM_SITE_CALL, .order = SM_ORDER_PLAIN};
    sm_source_of_instruction(pass, &row);
    pass->rows = sm_grow(pass->rows, pass->n_rows, &pass->room_rows, sizeof *pass->rows);
    pass->rows[pass->n_rows++] = row;
}

static void collect_calls(struct sm_pass *pass, const struct sm_map *sites, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction))
            if (is_traced_call(pass, sites, instruction))
                add_row(pass, instruction);
}

/* The rows of a function's calls are a second unit of that function. */
void sm_calls_collect(struct sm_pass *pass)
{
    struct sm_map sites = {0};
    size_t n = pass->n_units;
    for (size_t i = 0; i < pass->n_rows; i++)
        *sm_map_at(&sites, pass->rows[i].instruction) = 1;
    for (size_t i = 0; i < n; i++) {
        struct sm_unit unit = pass->units[i];
        unit.first_row = (uint32_t)pass->n_rows;
        unit.latches = NULL;
        unit.n_latches = 0;
        collect_calls(pass, &sites, unit.function);
        unit.n_rows = (uint32_t)pass->n_rows - unit.first_row;
        pass->units = sm_grow(pass->units, pass->n_units, &pass->room_units, sizeof unit);
        pass->units[pass->n_units++] = unit;
    }
    sm_map_free(&sites);
}

static void emit(struct sm_pass *pass, const char *path, uint32_t row, LLVMValueRef before)
{
    LLVMValueRef site = sm_hook_site(pass, row);
    LLVMPositionBuilderBefore(pass->builder, before);
    LLVMSetCurrentDebugLocation2(pass->builder, NULL);
    sm_path_call(pass, path, &site, 1);
}

static LLVMValueRef first_place(LLVMBasicBlockRef block)
{
    LLVMValueRef instruction = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(instruction) || LLVMIsALandingPadInst(instruction))
        instruction = LLVMGetNextInstruction(instruction);
    return instruction;
}

static void emit_return(struct sm_pass *pass, uint32_t row, LLVMValueRef call)
{
    if (LLVMIsAInvokeInst(call)) {
        emit(pass, "return", row, first_place(LLVMGetNormalDest(call)));
        if (LLVMIsALandingPadInst(LLVMGetFirstInstruction(LLVMGetUnwindDest(call))))
            emit(pass, "return", row, first_place(LLVMGetUnwindDest(call)));
        return;
    }
    LLVMValueRef next = LLVMGetNextInstruction(call);
    bool must_tail = LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail;
    if (!must_tail && next && !LLVMIsAUnreachableInst(next))
        emit(pass, "return", row, next);
}

void sm_calls_emit(struct sm_pass *pass)
{
    for (size_t u = pass->n_units / 2; u < pass->n_units; u++) {
        const struct sm_unit *unit = &pass->units[u];
        for (uint32_t i = unit->first_row; i < unit->first_row + unit->n_rows; i++) {
            LLVMValueRef call = pass->rows[i].instruction;
            emit(pass, "call", i, call);
            emit_return(pass, i, call);
        }
    }
}
