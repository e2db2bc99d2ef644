/*
 * atomic.c - see atomic.h.
 *
 * A compare-exchange hook returns the old value; success is old == expected, compared by bits. The
 * same code serves instructions and calls of libatomic, which differ only in where their values
 * are.
 */
#include "plugin/atomic.h"

#include "plugin/asm.h"
#include "plugin/calls.h"
#include "plugin/guard.h"
#include "plugin/hook.h"

static LLVMValueRef site(struct sm_emit *emit)
{
    return sm_hook_site(emit->pass, emit->index);
}

static LLVMValueRef load_scratch(struct sm_emit *emit, enum sm_scratch which, LLVMTypeRef type)
{
    LLVMValueRef load = LLVMBuildLoad2(emit->pass->builder, type, sm_scratch(emit, which), "");
    LLVMSetAlignment(load, 16);
    return load;
}

/* The old value of an rmw on `address`. */
static LLVMValueRef rmw_hook(struct sm_emit *emit, LLVMValueRef address, LLVMValueRef operand)
{
    struct sm_pass *pass = emit->pass;
    LLVMTypeRef type = LLVMTypeOf(operand);
    if (sm_fits_register(emit->row->size)) {
        LLVMValueRef arguments[] = {address, sm_to_register(emit, operand), site(emit)};
        LLVMValueRef old = sm_hook_call(pass, SM_HOOK_sm_atomic_rmw, arguments);
        return sm_from_register(emit, old, type);
    }
    LLVMValueRef arguments[] = {sm_scratch(emit, SM_SCRATCH_RESULT), address,
                                sm_to_scratch(emit, SM_SCRATCH_VALUE, operand), site(emit)};
    sm_hook_call(pass, SM_HOOK_sm_atomic_rmw_wide, arguments);
    return load_scratch(emit, SM_SCRATCH_RESULT, type);
}

struct cas_result {
    LLVMValueRef old, success;
};

static LLVMValueRef unless_spurious(struct sm_emit *emit, LLVMValueRef success)
{
    struct sm_pass *pass = emit->pass;
    LLVMValueRef arguments[] = {site(emit)};
    LLVMValueRef failed = sm_hook_call(pass, SM_HOOK_sm_cas_failed, arguments);
    LLVMValueRef held = LLVMBuildICmp(pass->builder, LLVMIntEQ, failed, sm_constant(pass, 0), "");
    return LLVMBuildAnd(pass->builder, success, held, "");
}

static struct cas_result narrow_cas(struct sm_emit *emit, LLVMValueRef address,
                                    LLVMValueRef expected, LLVMValueRef desired)
{
    struct sm_pass *pass = emit->pass;
    LLVMTypeRef type = LLVMTypeOf(expected);
    expected = sm_to_register(emit, expected);
    LLVMValueRef arguments[] = {address, expected, sm_to_register(emit, desired), site(emit)};
    LLVMValueRef old = sm_hook_call(pass, SM_HOOK_sm_atomic_cas, arguments);
    LLVMValueRef success = LLVMBuildICmp(pass->builder, LLVMIntEQ, old, expected, "");
    if (pass->spurious && (emit->row->flags & SM_SITE_WEAK_CAS))
        success = unless_spurious(emit, success);
    return (struct cas_result){sm_from_register(emit, old, type), success};
}

static struct cas_result wide_cas(struct sm_emit *emit, LLVMValueRef address, LLVMValueRef expected,
                                  LLVMValueRef desired)
{
    struct sm_pass *pass = emit->pass;
    LLVMTypeRef bits = LLVMIntTypeInContext(pass->context, emit->row->size * 8);
    LLVMValueRef arguments[] = {sm_scratch(emit, SM_SCRATCH_RESULT), address,
                                sm_to_scratch(emit, SM_SCRATCH_EXPECTED, expected),
                                sm_to_scratch(emit, SM_SCRATCH_VALUE, desired), site(emit)};
    sm_hook_call(pass, SM_HOOK_sm_atomic_cas_wide, arguments);
    LLVMValueRef success =
        LLVMBuildICmp(pass->builder, LLVMIntEQ, load_scratch(emit, SM_SCRATCH_RESULT, bits),
                      load_scratch(emit, SM_SCRATCH_EXPECTED, bits), "");
    LLVMTypeRef type = LLVMTypeOf(expected);
    return (struct cas_result){load_scratch(emit, SM_SCRATCH_RESULT, type), success};
}

static struct cas_result cas_hook(struct sm_emit *emit, LLVMValueRef address, LLVMValueRef expected,
                                  LLVMValueRef desired)
{
    bool narrow = sm_fits_register(emit->row->size);
    return (narrow ? narrow_cas : wide_cas)(emit, address, expected, desired);
}

void sm_emit_rmw(struct sm_emit *emit)
{
    LLVMValueRef instruction = emit->instruction;
    struct sm_fork fork = sm_guard_fork(emit->pass, emit->index, instruction, NULL);
    LLVMValueRef old =
        rmw_hook(emit, LLVMGetOperand(instruction, 0), LLVMGetOperand(instruction, 1));
    sm_guard_join(fork, instruction, old);
}

void sm_emit_cas(struct sm_emit *emit)
{
    struct sm_pass *pass = emit->pass;
    LLVMValueRef instruction = emit->instruction;
    struct sm_fork fork = sm_guard_fork(pass, emit->index, instruction, NULL);
    struct cas_result result =
        cas_hook(emit, LLVMGetOperand(instruction, 0), LLVMGetOperand(instruction, 1),
                 LLVMGetOperand(instruction, 2));
    LLVMValueRef pair = LLVMGetPoison(LLVMTypeOf(instruction));
    pair = LLVMBuildInsertValue(pass->builder, pair, result.old, 0, "");
    pair = LLVMBuildInsertValue(pass->builder, pair, result.success, 1, "");
    sm_guard_join(fork, instruction, pair);
}

void sm_emit_fence(struct sm_emit *emit)
{
    LLVMValueRef arguments[] = {site(emit)};
    if (LLVMIsAFenceInst(emit->instruction))
        sm_guard_fork(emit->pass, emit->index, emit->instruction, NULL);
    else
        sm_guard_before(emit->pass, emit->index, emit->instruction);
    sm_hook_call(emit->pass, SM_HOOK_sm_fence, arguments);
}

static void asm_accesses(struct sm_emit *emit, bool writes)
{
    LLVMValueRef address;
    uint64_t size;
    bool write;
    for (unsigned i = 0; sm_asm_memory_operand(emit->instruction, i, &address, &size, &write);
         i++) {
        LLVMValueRef arguments[] = {address, sm_constant(emit->pass, size),
                                    sm_constant(emit->pass, write), site(emit)};
        if (write == writes && size)
            sm_hook_call(emit->pass, SM_HOOK_sm_asm_access, arguments);
    }
}

/* Its memory operands are read before it and written after it; a jump has no place after it. */
void sm_emit_asm(struct sm_emit *emit)
{
    LLVMValueRef arguments[] = {site(emit)}, instruction = emit->instruction;
    bool assembly = LLVMIsAInlineAsm(LLVMGetCalledValue(instruction));
    LLVMValueRef next = LLVMGetNextInstruction(instruction);
    if (assembly && next) {
        sm_guard_before(emit->pass, emit->index, next);
        asm_accesses(emit, true);
    }
    sm_guard_before(emit->pass, emit->index, instruction);
    sm_hook_call(emit->pass, SM_HOOK_sm_asm, arguments);
    if (assembly)
        asm_accesses(emit, false);
    if (assembly && !next)
        asm_accesses(emit, true);
}

/* __atomic_word_N(address, values..., orders...): values are arguments. */

static LLVMValueRef sized_load(struct sm_emit *emit)
{
    struct sm_pass *pass = emit->pass;
    LLVMTypeRef type = LLVMTypeOf(emit->instruction);
    LLVMValueRef address = LLVMGetOperand(emit->instruction, 0);
    if (sm_fits_register(emit->row->size)) {
        LLVMValueRef arguments[] = {address, site(emit)};
        return sm_from_register(emit, sm_hook_call(pass, SM_HOOK_sm_atomic_load, arguments), type);
    }
    LLVMValueRef arguments[] = {sm_scratch(emit, SM_SCRATCH_RESULT), address, site(emit)};
    sm_hook_call(pass, SM_HOOK_sm_atomic_load_wide, arguments);
    return load_scratch(emit, SM_SCRATCH_RESULT, type);
}

static LLVMValueRef sized_store(struct sm_emit *emit)
{
    LLVMValueRef value = LLVMGetOperand(emit->instruction, 1);
    bool narrow = sm_fits_register(emit->row->size);
    LLVMValueRef arguments[] = {LLVMGetOperand(emit->instruction, 0),
                                narrow ? sm_to_register(emit, value)
                                       : sm_to_scratch(emit, SM_SCRATCH_VALUE, value),
                                site(emit)};
    sm_hook_call(emit->pass, narrow ? SM_HOOK_sm_atomic_store : SM_HOOK_sm_atomic_store_wide,
                 arguments);
    return NULL;
}

/* The expected value is behind a pointer, and is replaced by the old one. If the exchange
 * was made the two are equal, so it can be written in either case. */
static LLVMValueRef sized_cas(struct sm_emit *emit)
{
    struct sm_pass *pass = emit->pass;
    LLVMValueRef place = LLVMGetOperand(emit->instruction, 1);
    LLVMValueRef desired = LLVMGetOperand(emit->instruction, 2);
    LLVMValueRef expected = LLVMBuildLoad2(pass->builder, LLVMTypeOf(desired), place, "");
    LLVMSetAlignment(expected, 1);
    struct cas_result result =
        cas_hook(emit, LLVMGetOperand(emit->instruction, 0), expected, desired);
    LLVMSetAlignment(LLVMBuildStore(pass->builder, result.old, place), 1);
    return LLVMBuildIntCast2(pass->builder, result.success, LLVMTypeOf(emit->instruction), false,
                             "");
}

static LLVMValueRef sized_call(struct sm_emit *emit)
{
    switch (emit->row->kind) {
    case SM_SITE_ATOMIC_LOAD:
        return sized_load(emit);
    case SM_SITE_ATOMIC_STORE:
        return sized_store(emit);
    case SM_SITE_CAS:
        return sized_cas(emit);
    default:
        return rmw_hook(emit, LLVMGetOperand(emit->instruction, 0),
                        LLVMGetOperand(emit->instruction, 1));
    }
}

/* __atomic_word(size, address, places..., orders...): values are behind pointers, where
 * the wide hooks want them. */

static void copy_bytes(struct sm_emit *emit, LLVMValueRef to, LLVMValueRef from)
{
    LLVMBuildMemCpy(emit->pass->builder, to, 1, from, 1, sm_constant(emit->pass, emit->row->size));
}

static LLVMValueRef load_bits(struct sm_emit *emit, LLVMValueRef place)
{
    LLVMTypeRef type = LLVMIntTypeInContext(emit->pass->context, emit->row->size * 8);
    LLVMValueRef load = LLVMBuildLoad2(emit->pass->builder, type, place, "");
    LLVMSetAlignment(load, 1);
    return load;
}

static LLVMValueRef argument(struct sm_emit *emit, unsigned index)
{
    return LLVMGetOperand(emit->instruction, index);
}

/* Sizes a register could take still use the narrow hooks: a location must not be wide
 * in one place and narrow in another. */
static LLVMValueRef generic_narrow(struct sm_emit *emit)
{
    struct sm_pass *pass = emit->pass;
    LLVMTypeRef bits = LLVMIntTypeInContext(pass->context, emit->row->size * 8);
    LLVMValueRef address = argument(emit, 1), value = NULL;
    switch (emit->row->kind) {
    case SM_SITE_ATOMIC_LOAD: {
        LLVMValueRef arguments[] = {address, site(emit)};
        value = sm_hook_call(pass, SM_HOOK_sm_atomic_load, arguments);
        value = sm_from_register(emit, value, bits);
        LLVMSetAlignment(LLVMBuildStore(pass->builder, value, argument(emit, 2)), 1);
        return NULL;
    }
    case SM_SITE_ATOMIC_STORE: {
        value = sm_to_register(emit, load_bits(emit, argument(emit, 2)));
        LLVMValueRef arguments[] = {address, value, site(emit)};
        sm_hook_call(pass, SM_HOOK_sm_atomic_store, arguments);
        return NULL;
    }
    case SM_SITE_CAS: {
        struct cas_result result = cas_hook(emit, address, load_bits(emit, argument(emit, 2)),
                                            load_bits(emit, argument(emit, 3)));
        LLVMSetAlignment(LLVMBuildStore(pass->builder, result.old, argument(emit, 2)), 1);
        return result.success;
    }
    default:
        value = rmw_hook(emit, address, load_bits(emit, argument(emit, 2)));
        LLVMSetAlignment(LLVMBuildStore(pass->builder, value, argument(emit, 3)), 1);
        return NULL;
    }
}

static LLVMValueRef generic_wide_cas(struct sm_emit *emit)
{
    LLVMValueRef old = sm_scratch(emit, SM_SCRATCH_RESULT), expected = argument(emit, 2);
    LLVMValueRef arguments[] = {old, argument(emit, 1), expected, argument(emit, 3), site(emit)};
    sm_hook_call(emit->pass, SM_HOOK_sm_atomic_cas_wide, arguments);
    LLVMValueRef success = LLVMBuildICmp(emit->pass->builder, LLVMIntEQ, load_bits(emit, old),
                                         load_bits(emit, expected), "");
    copy_bytes(emit, expected, old);
    return success;
}

static LLVMValueRef generic_wide(struct sm_emit *emit)
{
    struct sm_pass *pass = emit->pass;
    LLVMValueRef address = argument(emit, 1), place = argument(emit, 2);
    LLVMValueRef load[] = {place, address, site(emit)};
    LLVMValueRef store[] = {address, place, site(emit)};
    switch (emit->row->kind) {
    case SM_SITE_ATOMIC_LOAD:
        sm_hook_call(pass, SM_HOOK_sm_atomic_load_wide, load);
        return NULL;
    case SM_SITE_ATOMIC_STORE:
        sm_hook_call(pass, SM_HOOK_sm_atomic_store_wide, store);
        return NULL;
    case SM_SITE_CAS:
        return generic_wide_cas(emit);
    default: {
        LLVMValueRef exchange[] = {argument(emit, 3), address, place, site(emit)};
        sm_hook_call(pass, SM_HOOK_sm_atomic_rmw_wide, exchange);
        return NULL;
    }
    }
}

void sm_emit_atomic_call(struct sm_emit *emit)
{
    struct sm_call call = sm_call_read(emit->instruction);
    struct sm_fork fork = sm_guard_fork(emit->pass, emit->index, emit->instruction, NULL);
    LLVMValueRef result;
    if (!call.generic)
        result = sized_call(emit);
    else
        result = (sm_fits_register(call.size) ? generic_narrow : generic_wide)(emit);
    if (result)
        sm_guard_join(fork, emit->instruction, result);
}
