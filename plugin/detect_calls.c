/*
 * detect_calls.c - records calls in the thread's history, for the stacks of reports.
 *
 * The row of a call is recorded before the call, its end after it. Calls that cannot lead to a
 * reportable access are left out: intrinsics, functions that touch no memory of the program,
 * functions of this module that have neither accesses nor calls.
 *
 * Inlined calls have rows, too, and every row names the inlined call it came by: a stack is the one
 * in the history with these inserted. They cost nothing at run time.
 */
#include "plugin/detect_pass.h"

#include "plugin/collect.h"
#include "plugin/hook.h"
#include "plugin/source.h"

#include <stdlib.h>
#include <string.h>

/* Has it a unit, or does it call anything? The standard library's wrappers have no unit, but may
 * call back into the program. */
static bool leads_on(const struct sm_map *units, LLVMValueRef function)
{
    if (sm_map_get(units, function))
        return true;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction))
            if (sm_is_real_call(instruction))
                return true;
    return false;
}

/* memory(none); or memory(write) without a body: a function of the C library that sets errno. */
static bool touches_nothing(LLVMValueRef function)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeRef memory =
        LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
    enum { READ_BITS = 0x15 }; /* every other bit, for each kind of memory */
    if (!memory)
        return false;
    uint64_t effects = LLVMGetEnumAttributeValue(memory);
    return effects == 0 || (LLVMCountBasicBlocks(function) == 0 && (effects & READ_BITS) == 0);
}

/* A call without an event of its own: `sites` has the instructions with a row, and functions with a
 * unit. */
static bool is_traced_call(const struct sm_map *sites, LLVMValueRef instruction)
{
    if (!sm_is_real_call(instruction) || sm_map_get(sites, instruction))
        return false;
    LLVMValueRef callee = sm_direct_callee(instruction);
    if (!callee)
        return true;
    if (touches_nothing(callee))
        return false;
    return LLVMCountBasicBlocks(callee) == 0 || leads_on(sites, callee);
}

static const struct sm_row call_row = {
    .variable = "", .kind = SM_SITE_CALL, .order = SM_ORDER_PLAIN};

static void add_row(struct sm_pass *pass, const struct sm_row *row)
{
    pass->rows = sm_grow(pass->rows, pass->n_rows, &pass->room_rows, sizeof *pass->rows);
    pass->rows[pass->n_rows++] = *row;
}

static void add_call(struct sm_pass *pass, LLVMValueRef call)
{
    struct sm_row row = call_row;
    row.instruction = call;
    sm_source_of_instruction(pass, &row);
    add_row(pass, &row);
}

static void collect_calls(struct sm_pass *pass, const struct sm_map *sites, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction))
            if (is_traced_call(sites, instruction))
                add_call(pass, instruction);
}

/* Adds rows for the inlined calls of rows `from` to `to`, and for the inlined calls of these;
 * `rows` maps a location to the number of its row. */
static void collect_inlined(struct sm_pass *pass, struct sm_map *rows, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        LLVMMetadataRef location = pass->rows[i].inlined;
        uintptr_t *known = location ? sm_map_at(rows, location) : NULL;
        if (known && !*known) {
            struct sm_row row = call_row;
            sm_source_of_location(pass, &row, location);
            add_row(pass, &row);
            *known = pass->n_rows;
            collect_inlined(pass, rows, pass->n_rows - 1, pass->n_rows);
            known = sm_map_at(rows, location);
        }
        pass->rows[i].caller = known ? (uint32_t)*known : 0;
    }
}

/* The rows of a function's calls are a second unit of that function. */
void sm_calls_collect(struct sm_pass *pass)
{
    struct sm_map sites = {0}, inlined = {0};
    size_t n = pass->n_units;
    for (size_t i = 0; i < pass->n_rows; i++)
        *sm_map_at(&sites, pass->rows[i].instruction) = 1;
    for (size_t i = 0; i < n; i++)
        *sm_map_at(&sites, pass->units[i].function) = 1;
    for (size_t i = 0; i < n; i++) {
        struct sm_unit unit = pass->units[i];
        unit.first_row = (uint32_t)pass->n_rows;
        unit.latches = NULL;
        unit.n_latches = 0;
        collect_calls(pass, &sites, unit.function);
        collect_inlined(pass, &inlined, pass->units[i].first_row,
                        pass->units[i].first_row + pass->units[i].n_rows);
        collect_inlined(pass, &inlined, unit.first_row, pass->n_rows);
        unit.n_rows = (uint32_t)pass->n_rows - unit.first_row;
        pass->units = sm_grow(pass->units, pass->n_units, &pass->room_units, sizeof unit);
        pass->units[pass->n_units++] = unit;
    }
    sm_map_free(&sites);
    sm_map_free(&inlined);
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
            if (!call)
                continue;
            emit(pass, "call", i, call);
            emit_return(pass, i, call);
        }
    }
}
