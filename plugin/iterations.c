/*
 * iterations.c - see iterations.h.
 *
 * First the function is analysed unchanged, and phis are added that record by which edge the header
 * was reached; then code is added, which splits blocks.
 */
#include "plugin/iterations.h"

#include "plugin/counters.h"
#include "plugin/escape.h"
#include "plugin/guard.h"
#include "plugin/hook.h"
#include "plugin/llvm_gaps.h"
#include "plugin/loops.h"
#include "plugin/name.h"

#include <stdlib.h>

struct header {
    LLVMBasicBlockRef block;
    LLVMValueRef again; /* phi: 1 over a back edge */
    LLVMValueRef *live; /* phis, and locals in memory (allocas) */
    size_t n_live, room_live;
    LLVMValueRef *counters; /* phis (counters.h) */
    size_t n_counters, room_counters;
    LLVMValueRef reload; /* phi, or NULL */
    LLVMValueRef exit;   /* the branch that ends the loop when a counter says so, or NULL */
    bool stays_if_true;
    bool forgets; /* no local whose address escapes is live there */
    bool leaves;  /* the loop has an exit, not only to a failure */
};

/* ---- what can be hashed ---- */

static bool is_hashable(struct sm_pass *pass, LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMPointerTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind ||
           (kind == LLVMIntegerTypeKind && LLVMSizeOfTypeInBits(pass->layout, type) <= 64);
}

/* Frozen: a phi that is undefined on some path must not make the whole hash undefined. */
static LLVMValueRef to_integer(struct sm_pass *pass, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    value = LLVMBuildFreeze(pass->builder, value, "");
    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind:
        return LLVMBuildPtrToInt(pass->builder, value, pass->i64, "");
    case LLVMFloatTypeKind:
        value = LLVMBuildBitCast(pass->builder, value, pass->i32, "");
        break;
    case LLVMDoubleTypeKind:
        return LLVMBuildBitCast(pass->builder, value, pass->i64, "");
    default:
        break;
    }
    return LLVMBuildZExtOrBitCast(pass->builder, value, pass->i64, "");
}

static void add_live(struct header *header, LLVMValueRef value)
{
    header->live = sm_grow(header->live, header->n_live, &header->room_live, sizeof *header->live);
    header->live[header->n_live++] = value;
}

static void add_counter(struct header *header, LLVMValueRef phi)
{
    header->counters = sm_grow(header->counters, header->n_counters, &header->room_counters,
                               sizeof *header->counters);
    header->counters[header->n_counters++] = phi;
}

/* ---- locals in memory ---- */

/* The address that the instruction stores to; NULL: none. */
static LLVMValueRef stored_to(LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMStore:
        return LLVMGetOperand(instruction, 1);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return LLVMGetOperand(instruction, 0);
    case LLVMCall: {
        LLVMValueRef callee = sm_direct_callee(instruction);
        bool fills = callee && sm_starts_with(sm_value_name(callee), "llvm.mem");
        return fills ? LLVMGetOperand(instruction, 0) : NULL;
    }
    default:
        return NULL;
    }
}

static bool is_scalar(struct sm_pass *pass, LLVMValueRef local)
{
    return LLVMIsAAllocaInst(local) && is_hashable(pass, LLVMGetAllocatedType(local)) &&
           LLVMIsAConstantInt(LLVMGetOperand(local, 0)) &&
           LLVMConstIntGetZExtValue(LLVMGetOperand(local, 0)) == 1;
}

static bool overwrites(struct sm_pass *pass, LLVMValueRef instruction, LLVMValueRef local)
{
    return LLVMIsAStoreInst(instruction) && LLVMGetOperand(instruction, 1) == local &&
           sm_store_size(pass, LLVMTypeOf(LLVMGetOperand(instruction, 0))) ==
               sm_store_size(pass, LLVMGetAllocatedType(local));
}

static bool uses(LLVMValueRef instruction, LLVMValueRef local)
{
    for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
        if (LLVMGetOperand(instruction, (unsigned)i) == local)
            return true;
    return false;
}

enum fate { PASSED_ON, USED, OVERWRITTEN };

static enum fate fate_in(struct sm_pass *pass, LLVMBasicBlockRef block, LLVMValueRef local)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (overwrites(pass, i, local))
            return OVERWRITTEN;
        if (uses(i, local))
            return USED;
    }
    return PASSED_ON;
}

/* Is its value at the start of the block read on some path from there? */
static bool is_live_at(struct sm_pass *pass, LLVMBasicBlockRef start, LLVMValueRef local)
{
    struct sm_map seen = {0};
    LLVMBasicBlockRef *pending = NULL;
    size_t n = 0, room = 0;
    bool live = false;
    pending = sm_grow(pending, n, &room, sizeof *pending);
    pending[n++] = start;
    while (n && !live) {
        LLVMBasicBlockRef block = pending[--n];
        LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
        enum fate fate = fate_in(pass, block, local);
        live = fate == USED;
        for (unsigned i = 0; fate == PASSED_ON && i < LLVMGetNumSuccessors(terminator); i++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(terminator, i);
            if (sm_map_get(&seen, next))
                continue;
            *sm_map_at(&seen, next) = 1;
            pending = sm_grow(pending, n, &room, sizeof *pending);
            pending[n++] = next;
        }
    }
    free(pending);
    sm_map_free(&seen);
    return live;
}

/* A store in the loop to a private local, which is not instrumented: false if it cannot be
 * hashed. */
static bool take_local(struct sm_pass *pass, struct header *header, LLVMValueRef local)
{
    for (size_t i = 0; i < header->n_live; i++)
        if (header->live[i] == local)
            return true;
    if (LLVMIsAGlobalVariable(local))
        return true; /* a thread-local variable: see sm_emit_effects */
    if (!is_scalar(pass, local))
        return false;
    if (is_live_at(pass, header->block, local))
        add_live(header, local);
    return true;
}

static bool take_locals(struct sm_pass *pass, struct header *header,
                        const struct sm_waiting_loop *loop)
{
    for (size_t b = 0; b < loop->n_body; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(loop->body[b]); i;
             i = LLVMGetNextInstruction(i)) {
            LLVMValueRef to = stored_to(i);
            if (to && sm_is_private(pass, to) && !take_local(pass, header, sm_base_of(to)))
                return false;
        }
    return true;
}

/* ---- locals whose addresses escape ---- */

/* Ordered as the markers: the last one in a block counts. */
enum marker { NO_MARKER, ENDS, STARTS };

static enum marker marker_of(LLVMValueRef instruction, LLVMValueRef local)
{
    LLVMValueRef callee = LLVMIsACallInst(instruction) ? sm_direct_callee(instruction) : NULL;
    if (!callee || !sm_starts_with(sm_value_name(callee), "llvm.lifetime.") ||
        LLVMGetOperand(instruction, 1) != local)
        return NO_MARKER;
    return sm_starts_with(sm_value_name(callee), "llvm.lifetime.start") ? STARTS : ENDS;
}

static enum marker last_marker(LLVMBasicBlockRef block, LLVMValueRef local)
{
    enum marker marker = NO_MARKER;
    for (LLVMValueRef i = LLVMGetLastInstruction(block); i && !marker;
         i = LLVMGetPreviousInstruction(i))
        marker = marker_of(i, local);
    return marker;
}

static bool has_marker(LLVMValueRef local)
{
    for (LLVMUseRef use = LLVMGetFirstUse(local); use; use = LLVMGetNextUse(use))
        if (marker_of(LLVMGetUser(use), local) == STARTS)
            return true;
    return false;
}

/* Is there a path on which the lifetime of the local starts and does not end before the block? If
 * not, every later access, by whatever pointer, comes after a new start of its lifetime. */
static bool may_be_alive_at(LLVMBasicBlockRef target, LLVMValueRef local)
{
    struct sm_map seen = {0};
    LLVMBasicBlockRef *pending = NULL;
    size_t n = 0, room = 0;
    bool alive = !has_marker(local);
    for (LLVMUseRef use = LLVMGetFirstUse(local); use && !alive; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMBasicBlockRef block = marker_of(user, local) ? LLVMGetInstructionParent(user) : NULL;
        if (block && last_marker(block, local) == STARTS) {
            pending = sm_grow(pending, n, &room, sizeof *pending);
            pending[n++] = block;
        }
    }
    while (n && !alive) {
        LLVMValueRef terminator = LLVMGetBasicBlockTerminator(pending[--n]);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(terminator, i);
            alive |= next == target;
            if (sm_map_get(&seen, next) || last_marker(next, local) == ENDS)
                continue;
            *sm_map_at(&seen, next) = 1;
            pending = sm_grow(pending, n, &room, sizeof *pending);
            pending[n++] = next;
        }
    }
    free(pending);
    sm_map_free(&seen);
    return alive;
}

static bool forgets_locals(struct sm_pass *pass, LLVMBasicBlockRef header)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(header);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAAllocaInst(i) && !sm_is_private(pass, i) && may_be_alive_at(header, i))
                return false;
    return true;
}

/* ---- reloads ---- */

/* The header's value is replaced by one that the loop has read from `address`, with an order at
 * least as strong as that of the load before the loop; or it is kept. */
struct reload {
    const struct sm_waiting_loop *loop;
    LLVMValueRef phi, address;
    LLVMAtomicOrdering order;
    struct sm_map seen;
};

static bool is_weaker_or_equal(LLVMAtomicOrdering weak, LLVMAtomicOrdering strong)
{
    return weak <= strong; /* for reads LLVM's numbers ascend: relaxed, acquire, seq_cst */
}

/* Atomics of pointers are loaded as integers. */
static LLVMValueRef without_cast(LLVMValueRef value)
{
    return LLVMIsAIntToPtrInst(value) || LLVMIsAPtrToIntInst(value) || LLVMIsABitCastInst(value)
               ? LLVMGetOperand(value, 0)
               : value;
}

static bool is_read_again(const struct reload *reload, LLVMValueRef value)
{
    if (LLVMIsALoadInst(value))
        return LLVMGetOperand(value, 0) == reload->address &&
               is_weaker_or_equal(reload->order, LLVMGetOrdering(value));
    if (!LLVMIsAExtractValueInst(value) || LLVMGetIndices(value)[0] != 0)
        return false;
    LLVMValueRef exchange = LLVMGetOperand(value, 0);
    return LLVMIsAAtomicCmpXchgInst(exchange) && LLVMGetOperand(exchange, 0) == reload->address &&
           is_weaker_or_equal(reload->order, LLVMGetCmpXchgFailureOrdering(exchange));
}

static bool is_reload(struct reload *reload, LLVMValueRef value)
{
    value = without_cast(value);
    if (value == reload->phi || sm_map_get(&reload->seen, value))
        return true;
    *sm_map_at(&reload->seen, value) = 1;
    if (!LLVMIsAInstruction(value) || !sm_is_in_loop(reload->loop, LLVMGetInstructionParent(value)))
        return false;
    if (LLVMIsAPHINode(value)) {
        for (unsigned i = 0; i < LLVMCountIncoming(value); i++)
            if (!is_reload(reload, LLVMGetIncomingValue(value, i)))
                return false;
        return true;
    }
    if (LLVMIsASelectInst(value))
        return is_reload(reload, LLVMGetOperand(value, 1)) &&
               is_reload(reload, LLVMGetOperand(value, 2));
    return is_read_again(reload, value);
}

static bool may_be_event(LLVMValueRef instruction)
{
    return sm_touches_memory(instruction) || stored_to(instruction) ||
           LLVMGetInstructionOpcode(instruction) == LLVMFence || LLVMIsACallInst(instruction) ||
           LLVMIsAInvokeInst(instruction);
}

static bool is_only_for(LLVMValueRef value, LLVMValueRef user)
{
    LLVMUseRef use = LLVMGetFirstUse(value);
    return use && !LLVMGetNextUse(use) && LLVMGetUser(use) == user;
}

static bool is_last_event(LLVMValueRef load)
{
    for (LLVMValueRef i = LLVMGetNextInstruction(load); i; i = LLVMGetNextInstruction(i))
        if (may_be_event(i))
            return false;
    return true;
}

/* An atomic load used only by this phi, at the end of the block before the header; NULL: something
 * else. */
static LLVMValueRef load_before(LLVMBasicBlockRef from, LLVMValueRef value, LLVMValueRef phi)
{
    LLVMValueRef load = without_cast(value);
    bool ours = is_only_for(value, phi) && (load == value || is_only_for(load, value));
    return ours && LLVMIsALoadInst(load) && LLVMGetInstructionParent(load) == from &&
                   LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic && is_last_event(load)
               ? load
               : NULL;
}

/* The load that gives the phi its first value, if the loop is entered from a single block. */
static LLVMValueRef first_load(const struct sm_waiting_loop *loop, LLVMValueRef phi)
{
    LLVMValueRef load = NULL;
    unsigned n = 0;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        if (sm_is_in_loop(loop, from))
            continue;
        load = load_before(from, LLVMGetIncomingValue(phi, i), phi);
        n++;
    }
    return n == 1 ? load : NULL;
}

static bool is_reloaded(const struct sm_waiting_loop *loop, LLVMValueRef phi)
{
    LLVMValueRef load = first_load(loop, phi);
    if (!load)
        return false;
    struct reload reload = {
        .loop = loop, .address = LLVMGetOperand(load, 0), .order = LLVMGetOrdering(load)};
    reload.phi = phi;
    bool reloaded = true;
    for (unsigned i = 0; i < LLVMCountIncoming(phi) && reloaded; i++)
        if (sm_is_in_loop(loop, LLVMGetIncomingBlock(phi, i)))
            reloaded = is_reload(&reload, LLVMGetIncomingValue(phi, i));
    sm_map_free(&reload.seen);
    return reloaded;
}

/* ---- headers ---- */

static LLVMValueRef first_after_phis(LLVMBasicBlockRef block)
{
    LLVMValueRef instruction = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(instruction))
        instruction = LLVMGetNextInstruction(instruction);
    return instruction;
}

static bool take_phis(struct sm_pass *pass, struct header *header,
                      const struct sm_waiting_loop *loop)
{
    for (LLVMValueRef phi = LLVMGetFirstInstruction(header->block); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        if (!is_hashable(pass, LLVMTypeOf(phi)))
            return false;
        if (!header->reload && is_reloaded(loop, phi))
            header->reload = phi;
        else if (sm_is_counter(loop, phi))
            add_counter(header, phi);
        else
            add_live(header, phi);
    }
    return true;
}

static void add_edges(struct sm_pass *pass, struct header *header,
                      const struct sm_waiting_loop *loop, LLVMBasicBlockRef from)
{
    LLVMValueRef terminator = LLVMGetBasicBlockTerminator(from);
    LLVMValueRef again = sm_constant(pass, sm_is_in_loop(loop, from));
    for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++)
        if (LLVMGetSuccessor(terminator, i) == header->block)
            LLVMAddIncoming(header->again, &again, &from, 1);
}

static void add_again(struct sm_pass *pass, struct header *header,
                      const struct sm_waiting_loop *loop)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(header->block);
    header->again = sm_add_phi(header->block, pass->i64);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        add_edges(pass, header, loop, block);
}

/* An exit to a block that is unreachable at its end is a failure (assert, abort). */
static bool leaves(const struct sm_waiting_loop *loop)
{
    for (size_t i = 0; i < loop->n_body; i++) {
        LLVMValueRef terminator = LLVMGetBasicBlockTerminator(loop->body[i]);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(terminator); k++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(terminator, k);
            if (!sm_is_in_loop(loop, to) &&
                !LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(to)))
                return true;
        }
    }
    return false;
}

static bool read_header(struct sm_pass *pass, struct header *header,
                        const struct sm_waiting_loop *loop)
{
    *header = (struct header){.block = loop->header,
                              .forgets = forgets_locals(pass, loop->header),
                              .leaves = leaves(loop),
                              .exit = sm_counted_exit(loop)};
    header->stays_if_true = header->exit && sm_is_in_loop(loop, LLVMGetSuccessor(header->exit, 0));
    return !LLVMIsALandingPadInst(first_after_phis(loop->header)) &&
           take_phis(pass, header, loop) && take_locals(pass, header, loop);
}

/* ---- code ---- */

static LLVMValueRef live_value(struct sm_pass *pass, LLVMValueRef live)
{
    if (!LLVMIsAPHINode(live))
        live = LLVMBuildLoad2(pass->builder, LLVMGetAllocatedType(live), live, "");
    return to_integer(pass, live);
}

/* A polynomial in an odd constant: values that differ slightly give different sums. */
static LLVMValueRef hash_of(struct sm_pass *pass, const LLVMValueRef *live, size_t n)
{
    LLVMValueRef hash = sm_constant(pass, 1), factor = sm_constant(pass, 0x9e3779b97f4a7c15u);
    for (size_t i = 0; i < n; i++) {
        hash = LLVMBuildMul(pass->builder, hash, factor, "");
        hash = LLVMBuildAdd(pass->builder, hash, live_value(pass, live[i]), "");
    }
    return hash;
}

/* The exit that a counter decides is also taken if `ends`, the hook's result, is 1. */
static void end_early(struct sm_pass *pass, const struct header *header, LLVMValueRef ends)
{
    LLVMBuilderRef builder = pass->builder;
    LLVMValueRef condition = LLVMGetCondition(header->exit);
    LLVMPositionBuilderBefore(builder, header->exit);
    LLVMValueRef early = LLVMBuildICmp(builder, LLVMIntNE, ends, sm_constant(pass, 0), "");
    if (header->stays_if_true)
        condition = LLVMBuildAnd(builder, condition, LLVMBuildNot(builder, early, ""), "");
    else
        condition = LLVMBuildOr(builder, condition, early, "");
    LLVMSetCondition(header->exit, condition);
}

/* The result of the hook, which is called in a block of its own; 0 where it is not. */
static LLVMValueRef result_or_zero(struct sm_pass *pass, const struct header *header,
                                   LLVMValueRef result)
{
    LLVMBasicBlockRef called = LLVMGetInstructionParent(result);
    LLVMBasicBlockRef join = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(called), 0);
    LLVMValueRef phi = sm_add_phi(join, pass->i64), values[] = {result, sm_constant(pass, 0)};
    LLVMBasicBlockRef blocks[] = {called, header->block};
    LLVMAddIncoming(phi, values, blocks, 2);
    return phi;
}

static void emit_header(struct sm_pass *pass, const struct header *header)
{
    sm_guard_iterations(pass, first_after_phis(header->block));
    LLVMValueRef reload = header->reload ? to_integer(pass, header->reload) : sm_constant(pass, 0);
    uint64_t bits = (header->forgets ? 2 : 0) | (header->leaves ? 4 : 0) | (header->exit ? 8 : 0);
    LLVMValueRef again = LLVMBuildOr(pass->builder, header->again, sm_constant(pass, bits), "");
    LLVMValueRef arguments[] = {again, hash_of(pass, header->live, header->n_live), reload, NULL};
    if (!header->n_counters) {
        sm_hook_call(pass, SM_HOOK_sm_iteration, arguments);
        return;
    }
    arguments[3] = hash_of(pass, header->counters, header->n_counters);
    LLVMValueRef ends = sm_hook_call(pass, SM_HOOK_sm_counted, arguments);
    if (header->exit)
        end_early(pass, header, result_or_zero(pass, header, ends));
}

/* Stores to private thread-local variables are not instrumented, but are effects all the same. */
static bool is_hidden_effect(struct sm_pass *pass, LLVMValueRef instruction)
{
    LLVMValueRef to = stored_to(instruction);
    return to && sm_is_private(pass, to) && LLVMIsAGlobalVariable(sm_base_of(to));
}

void sm_emit_effects(struct sm_pass *pass, LLVMValueRef function)
{
    LLVMValueRef *effects = NULL;
    size_t n = 0, room = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (is_hidden_effect(pass, i)) {
                effects = sm_grow(effects, n, &room, sizeof *effects);
                effects[n++] = i;
            }
    for (size_t i = 0; i < n; i++) {
        sm_guard_iterations(pass, effects[i]);
        sm_hook_call(pass, SM_HOOK_sm_iteration_effect, NULL);
    }
    free(effects);
}

static void forget(struct header *header)
{
    free(header->live);
    free(header->counters);
}

void sm_emit_iterations(struct sm_pass *pass, LLVMValueRef function)
{
    struct sm_waiting_loop *loops;
    size_t n_loops = sm_find_waiting_loops(function, &loops), n = 0;
    struct header *headers = sm_allocate(n_loops * sizeof *headers);
    for (size_t i = 0; i < n_loops; i++) {
        if (read_header(pass, &headers[n], &loops[i]))
            n++;
        else
            forget(&headers[n]);
    }
    for (size_t i = 0, kept = 0; i < n_loops && kept < n; i++)
        if (loops[i].header == headers[kept].block)
            add_again(pass, &headers[kept++], &loops[i]);
    for (size_t i = 0; i < n; i++) {
        emit_header(pass, &headers[i]);
        forget(&headers[i]);
    }
    sm_free_waiting_loops(loops, n_loops);
    free(headers);
}
