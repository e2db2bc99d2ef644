/*
 * detect_skip.c - checks that are not needed.
 *
 * Every rule here rests on one fact: without synchronisation between two instructions of a thread,
 * its epoch and its clock stay the same, so whatever races with an access to some bytes at one of
 * them also races with it at the other.
 */
#include "plugin/detect_pass.h"

#include "plugin/asm.h"
#include "plugin/detect_ranges.h"
#include "plugin/hook.h"

#include <stdlib.h>

/* Functions of the C library that work alone (mathematics, strings) order nothing. Of functions
   without a body only those that LLVM recognises as library functions have "nofree": no source can
   declare it. Newly allocated memory has another shadow than before. */
static bool is_library_function(LLVMValueRef callee)
{
    return LLVMCountBasicBlocks(callee) == 0 && sm_has_attribute(callee, "nofree") &&
           !sm_has_attribute(callee, "allockind");
}

/* A call that LLVM knows neither to synchronise nor to fail to return. LLVM ignores relaxed atomics
   here, rightly: only together with a fence do they release or acquire, and the epoch ends at the
   fence. */
static bool is_silent_call(LLVMValueRef callee)
{
    if (LLVMGetIntrinsicID(callee) || sm_starts_with(sm_value_name(callee), "sm_inline_"))
        return true;
    return sm_has_attribute(callee, "willreturn") && sm_has_attribute(callee, "nounwind") &&
           (sm_has_attribute(callee, "nosync") || is_library_function(callee));
}

/* Assembly that touches no memory, or is only a compiler barrier. */
static bool is_silent_assembly(LLVMValueRef call)
{
    LLVMValueRef called = LLVMGetCalledValue(call);
    return LLVMIsAInlineAsm(called) && sm_asm_classify(called) != SM_ASM_UNKNOWN;
}

/* Can the thread release or acquire here, or fail to return? */
static bool may_synchronise(LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMFence:
        return !LLVMIsAtomicSingleThread(instruction);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return true;
    case LLVMLoad:
    case LLVMStore:
        return LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic;
    case LLVMCall:
    case LLVMInvoke: {
        LLVMValueRef callee = sm_direct_callee(instruction);
        return callee ? !is_silent_call(callee) : !is_silent_assembly(instruction);
    }
    default:
        return false;
    }
}

LLVMValueRef sm_row_address(const struct sm_row *row)
{
    return LLVMGetOperand(row->instruction, row->kind == SM_SITE_STORE ? 1 : 0);
}

static bool is_plain(const struct sm_row *row)
{
    return row->size && (row->kind == SM_SITE_LOAD || row->kind == SM_SITE_STORE);
}

bool sm_synchronises_between(LLVMValueRef from, LLVMValueRef to)
{
    for (; from != to; from = LLVMGetNextInstruction(from))
        if (may_synchronise(from))
            return true;
    return false;
}

static struct sm_loop_access access_of(const struct sm_pass *pass, uint32_t index)
{
    const struct sm_row *row = &pass->rows[index];
    return (struct sm_loop_access){row->instruction,           sm_row_address(row), row->size,
                                   row->kind == SM_SITE_STORE, sm_is_word(row),     index};
}

/* ---- one access for another ----
 * A check may be left out if another access touches all its bytes, is at least as strong (a write
 * for a read), is executed whenever it is, and nothing synchronises between them. Which of the two
 * comes first does not matter. The other may itself be left out for a third, which then covers
 * both. There are no cycles: a later access covers only one that is weaker or touches less. */

/* In the same block: either both are executed or neither. */
static bool comes_and_covers(const struct sm_row *later, const struct sm_row *row)
{
    return sm_row_address(later) == sm_row_address(row) && later->size >= row->size &&
           (later->kind == SM_SITE_STORE || row->kind != SM_SITE_STORE) &&
           (later->size > row->size || later->kind != row->kind) &&
           LLVMGetInstructionParent(later->instruction) ==
               LLVMGetInstructionParent(row->instruction) &&
           !sm_synchronises_between(row->instruction, later->instruction);
}

/* Rows are in the order of the code; a window bounds the work on huge blocks. */
static void skip_for_later(struct sm_pass *pass, const struct sm_unit *unit)
{
    enum { SKIP_WINDOW = 64 };
    uint32_t end = unit->first_row + unit->n_rows;
    for (uint32_t i = unit->first_row; i < end; i++) {
        struct sm_row *row = &pass->rows[i];
        for (uint32_t j = i + 1; j < end && j < i + SKIP_WINDOW && is_plain(row); j++)
            if (is_plain(&pass->rows[j]) && comes_and_covers(&pass->rows[j], row))
                row->size = 0;
    }
}

static void skip_for_earlier(struct sm_pass *pass, const struct sm_unit *unit,
                             struct sm_loops *loops)
{
    uint32_t end = unit->first_row + unit->n_rows;
    for (uint32_t i = unit->first_row; i < end; i++) {
        if (!is_plain(&pass->rows[i]))
            continue;
        struct sm_loop_access access = access_of(pass, i);
        if (sm_loops_made_before(loops, &access))
            pass->rows[i].size = 0;
    }
}

static void skip_repeated(struct sm_pass *pass, const struct sm_unit *unit, struct sm_loops *loops)
{
    for (uint32_t i = unit->first_row; i < unit->first_row + unit->n_rows; i++) {
        if (!is_plain(&pass->rows[i]))
            continue;
        struct sm_loop_access access = access_of(pass, i);
        sm_loops_made(loops, &access);
    }
    skip_for_later(pass, unit);
    skip_for_earlier(pass, unit, loops);
}

/* ---- ranges ----
 * A loop that is left only at its latch, has a known iteration count and does not synchronise makes
 * all its accesses in one epoch. Those of every iteration, at addresses a fixed step apart, are
 * checked together before the loop, so the loop can still be vectorised. Whatever the iteration
 * count, accesses of the first iteration at a loop-invariant address are checked once before the
 * loop. */

static void check_range(void *context, const struct sm_range *range)
{
    struct sm_pass *pass = context;
    if (!range->step) {
        sm_emit_check_at(pass, range->row, range->before, range->start);
        return;
    }
    LLVMPositionBuilderBefore(pass->builder, range->before);
    LLVMSetCurrentDebugLocation2(pass->builder, NULL);
    LLVMValueRef arguments[] = {range->start, range->count, sm_constant(pass, range->step),
                                sm_hook_site(pass, range->row)};
    sm_path_call(pass, range->write ? "write_range" : "read_range", arguments, 4);
}

static void check_stripes(void *pass, const struct sm_stripes *stripes)
{
    sm_stripes_check(pass, stripes);
}

static void move_to_ranges(struct sm_pass *pass, const struct sm_unit *unit, struct sm_loops *loops)
{
    bool *moved = sm_allocate(unit->n_rows * sizeof *moved);
    for (uint32_t i = 0; i < unit->n_rows; i++) {
        if (!is_plain(&pass->rows[unit->first_row + i]))
            continue;
        struct sm_loop_access access = access_of(pass, unit->first_row + i);
        moved[i] = sm_loops_add(loops, &access);
    }
    sm_loops_each(loops, check_range, pass);
    sm_loops_each_stripes(loops, check_stripes, pass);
    for (uint32_t i = 0; i < unit->n_rows; i++)
        if (moved[i])
            pass->rows[unit->first_row + i].size = 0;
    free(moved);
}

void sm_skip_needless(struct sm_pass *pass, const struct sm_unit *unit)
{
    struct sm_loops *loops = sm_loops_new(unit->function, may_synchronise);
    skip_repeated(pass, unit, loops);
    move_to_ranges(pass, unit, loops);
    sm_words_check(pass, unit, loops);
    sm_loops_free(loops);
}
