/*
 * detect_skip.c - checks that are not needed.
 *
 * Every rule here rests on one fact: between two instructions of a thread with no
 * synchronisation between them the thread's epoch and what it has seen stay the same, so
 * whatever races with an access to some bytes at one of them races with it at the other.
 */
#include "detect_pass.h"

#include "llvm_gaps.h"

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
        return !callee || !LLVMGetIntrinsicID(callee);
    }
    default:
        return false;
    }
}

static LLVMValueRef address_of(const struct sm_row *row)
{
    return LLVMGetOperand(row->instruction, row->kind == SM_SITE_STORE ? 1 : 0);
}

static bool is_plain(const struct sm_row *row)
{
    return row->size && (row->kind == SM_SITE_LOAD || row->kind == SM_SITE_STORE);
}

static bool synchronises_between(LLVMValueRef from, LLVMValueRef to)
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
    if (LLVMGetInstructionParent(kept->instruction) != LLVMGetInstructionParent(other->instruction) ||
        address_of(kept) != address_of(other) || kept->size < other->size ||
        (other->kind == SM_SITE_STORE && kept->kind != SM_SITE_STORE))
        return false;
    return kept_first ? !synchronises_between(kept->instruction, other->instruction)
                      : !synchronises_between(other->instruction, kept->instruction);
}

/* Rows are in the order of the code; a window bounds the work on huge blocks. */
void sm_skip_needless(struct sm_pass *pass, const struct sm_unit *unit)
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
