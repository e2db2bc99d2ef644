/*
 * detect_skip.c - checks that are not needed.
 *
 * Every rule here rests on one fact: between two instructions of a thread with no
 * synchronisation between them the thread's epoch and what it has seen stay the same, so
 * whatever races with an access to some bytes at one of them races with it at the other.
 */
#include "detect_pass.h"

#include "detect_ranges.h"
#include "hook.h"

#include <stdlib.h>

/* Can the thread release or acquire here, or not come back? */
static bool may_synchronise(LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMFence:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return true;
    case LLVMLoad:
    case LLVMStore:
        return LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic;
    case LLVMCall:
    case LLVMInvoke: {
        LLVMValueRef callee = sm_direct_callee(instruction);
        return !callee || (!LLVMGetIntrinsicID(callee) &&
                           !sm_starts_with(sm_value_name(callee), "sm_inline_"));
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

/* One access stands for another of the same block if it touches the same bytes, is at least
   as strong (a write for a read), and nothing synchronises between them. Which of the two
   comes first does not matter: both happen or none. */
static bool stands_for(const struct sm_row *kept, const struct sm_row *other, bool kept_first)
{
    if (LLVMGetInstructionParent(kept->instruction) !=
            LLVMGetInstructionParent(other->instruction) ||
        sm_row_address(kept) != sm_row_address(other) || kept->size < other->size ||
        (other->kind == SM_SITE_STORE && kept->kind != SM_SITE_STORE))
        return false;
    return kept_first ? !sm_synchronises_between(kept->instruction, other->instruction)
                      : !sm_synchronises_between(other->instruction, kept->instruction);
}

/* Rows are in the order of the code; a window bounds the work on huge blocks. */
static void skip_repeated(struct sm_pass *pass, const struct sm_unit *unit)
{
    enum { WINDOW = 64 };
    uint32_t end = unit->first_row + unit->n_rows;
    for (uint32_t i = unit->first_row; i < end; i++) {
        struct sm_row *row = &pass->rows[i];
        if (!is_plain(row))
            continue;
        for (uint32_t j = i + 1; j < end && j < i + WINDOW && row->size; j++) {
            struct sm_row *later = &pass->rows[j];
            if (!is_plain(later))
                continue;
            if (stands_for(row, later, true))
                later->size = 0;
            else if (stands_for(later, row, false))
                row->size = 0;
        }
    }
}

/* ---- ranges ----
 * A loop that is left only at its end, whose turns are counted, and in which nothing
 * synchronises makes all its accesses in one epoch. Those it makes in every turn, at
 * addresses a fixed step apart, are checked together before it begins; what is left in the
 * loop can be vectorised as ever. */

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

static void move_to_ranges(struct sm_pass *pass, const struct sm_unit *unit)
{
    struct sm_loops *loops = sm_loops_new(unit->function, may_synchronise);
    bool *moved = sm_allocate(unit->n_rows * sizeof *moved);
    for (uint32_t i = 0; i < unit->n_rows; i++) {
        const struct sm_row *row = &pass->rows[unit->first_row + i];
        if (!is_plain(row))
            continue;
        struct sm_loop_access access = {row->instruction, sm_row_address(row), row->size,
                                        row->kind == SM_SITE_STORE, unit->first_row + i};
        moved[i] = sm_loops_add(loops, &access);
    }
    sm_loops_each(loops, check_range, pass);
    for (uint32_t i = 0; i < unit->n_rows; i++)
        if (moved[i])
            pass->rows[unit->first_row + i].size = 0;
    free(moved);
    sm_words_check(pass, unit, loops);
    sm_loops_free(loops);
}

void sm_skip_needless(struct sm_pass *pass, const struct sm_unit *unit)
{
    skip_repeated(pass, unit);
    move_to_ranges(pass, unit);
}
