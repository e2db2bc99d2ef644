#include "plugin/retried.h"

#include "plugin/collect.h"
#include "plugin/harmless.h"
#include "plugin/hook.h"
#include "plugin/llvm_gaps.h"
#include "plugin/loops.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_WALK = 256 };

struct retry {
    struct sm_pass *pass;
    const struct sm_waiting_loop *loop;
    LLVMValueRef retried;        /* the compare-exchange, or the call that waits */
    enum sm_deed allowed;        /* after a failure */
    LLVMValueRef unlike, number; /* a phi that is assumed not to have that value; or NULL */
    LLVMValueRef put_back;       /* a store of the expected value to where it was loaded; or NULL */
    struct sm_map values;        /* phis passed since the failure -> their values */
    struct sm_map visited;       /* blocks on the path from there */
    unsigned steps;
};

/* ---- values after a spurious failure ---- */

static LLVMValueRef value_of(struct retry *retry, LLVMValueRef value);

static bool is_number(LLVMValueRef value)
{
    return LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64;
}

static LLVMValueRef number(LLVMValueRef like, uint64_t value)
{
    return LLVMConstInt(LLVMTypeOf(like), value, false);
}

static LLVMValueRef part_of_result(struct retry *retry, LLVMValueRef value)
{
    if (LLVMGetOperand(value, 0) != retry->retried || LLVMGetNumIndices(value) != 1)
        return value;
    if (LLVMGetIndices(value)[0] == 1)
        return number(value, 0);
    return value_of(retry, LLVMGetOperand(retry->retried, 1));
}

static LLVMValueRef compared(struct retry *retry, LLVMValueRef value)
{
    LLVMValueRef left = value_of(retry, LLVMGetOperand(value, 0));
    LLVMValueRef right = value_of(retry, LLVMGetOperand(value, 1));
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(value);
    bool numbers = is_number(left) && is_number(right) && LLVMTypeOf(left) == LLVMTypeOf(right);
    bool unlike = retry->unlike && left == retry->unlike && right == retry->number;
    if ((predicate != LLVMIntEQ && predicate != LLVMIntNE) ||
        (left != right && !numbers && !unlike))
        return value;
    if (unlike)
        return number(value, predicate == LLVMIntNE);
    bool equal = left == right || LLVMConstIntGetZExtValue(left) == LLVMConstIntGetZExtValue(right);
    return number(value, equal == (predicate == LLVMIntEQ));
}

static LLVMValueRef combined(struct retry *retry, LLVMValueRef value)
{
    LLVMValueRef left = value_of(retry, LLVMGetOperand(value, 0));
    LLVMValueRef right = value_of(retry, LLVMGetOperand(value, 1));
    if (!is_number(left) || !is_number(right))
        return value;
    uint64_t a = LLVMConstIntGetZExtValue(left), b = LLVMConstIntGetZExtValue(right);
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMAnd:
        return number(value, a & b);
    case LLVMOr:
        return number(value, a | b);
    default:
        return number(value, a ^ b);
    }
}

/* Of pointers and integers of their size: the same value. */
static LLVMValueRef converted(struct retry *retry, LLVMValueRef value)
{
    LLVMValueRef from = value_of(retry, LLVMGetOperand(value, 0));
    if (is_number(from) && LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind)
        return number(value, LLVMConstIntGetZExtValue(from));
    uint64_t size = sm_store_size(retry->pass, LLVMTypeOf(value));
    bool whole = size == sm_store_size(retry->pass, LLVMTypeOf(LLVMGetOperand(value, 0)));
    return whole ? from : value;
}

static LLVMValueRef selected(struct retry *retry, LLVMValueRef value)
{
    LLVMValueRef condition = value_of(retry, LLVMGetOperand(value, 0));
    if (!is_number(condition))
        return value;
    return value_of(retry, LLVMGetOperand(value, LLVMConstIntGetZExtValue(condition) ? 1 : 2));
}

static LLVMValueRef value_of_instruction(struct retry *retry, LLVMValueRef value)
{
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMExtractValue:
        return part_of_result(retry, value);
    case LLVMICmp:
        return compared(retry, value);
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return combined(retry, value);
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
        return converted(retry, value);
    case LLVMSelect:
        return selected(retry, value);
    case LLVMFreeze:
        return value_of(retry, LLVMGetOperand(value, 0));
    default:
        return value;
    }
}

/* A constant, or the value that it is the same as; else itself. */
static LLVMValueRef value_of(struct retry *retry, LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value))
        return value;
    if (LLVMIsAPHINode(value)) {
        LLVMValueRef known = (LLVMValueRef)sm_map_get(&retry->values, value);
        return known ? known : value;
    }
    if (value == retry->retried && LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind)
        return number(value, 0); /* a wait has succeeded */
    return value_of_instruction(retry, value);
}

/* ---- from the failure to the header ---- */

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingBlock(phi, i) == from)
            return LLVMGetIncomingValue(phi, i);
    return NULL;
}

static bool is_always(LLVMValueRef phi, LLVMValueRef value)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingValue(phi, i) != value)
            return false;
    return true;
}

/* The values of all phis are those before the edge. */
static void pass_phis(struct retry *retry, LLVMBasicBlockRef block, LLVMBasicBlockRef from)
{
    size_t n = 0, room = 0;
    struct {
        LLVMValueRef phi, value;
    } *values = NULL;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(block); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        values = sm_grow(values, n, &room, sizeof *values);
        values[n].phi = phi;
        values[n++].value = value_of(retry, incoming(phi, from));
    }
    for (size_t i = 0; i < n; i++)
        *sm_map_at(&retry->values, values[i].phi) = (uintptr_t)values[i].value;
    free(values);
}

/* May the nth successor be next? */
static bool is_taken(struct retry *retry, LLVMValueRef terminator, unsigned nth)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(terminator);
    if (opcode != LLVMSwitch && !(opcode == LLVMBr && LLVMIsConditional(terminator)))
        return true;
    bool branch = opcode == LLVMBr;
    LLVMValueRef value =
        value_of(retry, branch ? LLVMGetCondition(terminator) : LLVMGetOperand(terminator, 0));
    if (!is_number(value))
        return true;
    if (branch)
        return LLVMConstIntGetZExtValue(value) == (nth == 0);
    unsigned chosen = 0; /* the default; operands are the value, it, then cases and successors */
    for (unsigned i = 1; i < LLVMGetNumSuccessors(terminator); i++)
        if (LLVMGetOperand(terminator, 2 * i) == value)
            chosen = i;
    return chosen == nth;
}

static bool leads_to_retried(struct retry *retry, LLVMBasicBlockRef block);

static bool edge_leads_to_retried(struct retry *retry, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    if (!sm_is_in_loop(retry->loop, to) || to == retry->loop->header)
        return false;
    if (sm_map_get(&retry->visited, to) || ++retry->steps > LONGEST_WALK)
        return true; /* perhaps */
    *sm_map_at(&retry->visited, to) = 1;
    pass_phis(retry, to, from);
    bool leads = leads_to_retried(retry, to);
    *sm_map_at(&retry->visited, to) = 0;
    return leads;
}

static bool leads_to_retried(struct retry *retry, LLVMBasicBlockRef block)
{
    LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
    if (block == LLVMGetInstructionParent(retry->retried))
        return true;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++)
        if (is_taken(retry, terminator, i) &&
            edge_leads_to_retried(retry, block, LLVMGetSuccessor(terminator, i)))
            return true;
    return false;
}

/* The loop comes to the instruction only if its phi has that value (`while (!done && !error)`). */
static bool is_needed(const struct retry *retry, LLVMValueRef phi, LLVMValueRef value)
{
    struct retry other = {.pass = retry->pass, .loop = retry->loop, .retried = retry->retried};
    other.unlike = phi;
    other.number = value;
    bool needed = is_number(value) && !leads_to_retried(&other, retry->loop->header);
    sm_map_free(&other.values);
    sm_map_free(&other.visited);
    return needed;
}

/* Reached from that block, the header's phis have the values they had. */
static bool is_same_again(struct retry *retry, LLVMBasicBlockRef from)
{
    for (LLVMValueRef phi = LLVMGetFirstInstruction(retry->loop->header); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef value = value_of(retry, incoming(phi, from));
        if (value != phi && !(LLVMIsAConstant(value) && is_always(phi, value)) &&
            !is_needed(retry, phi, value))
            return false;
    }
    return true;
}

static bool goes_back(struct retry *retry, LLVMValueRef instruction);

/* A block that is entered again, in a loop of its own, does the same again if it has no phis. */
static bool edge_goes_back(struct retry *retry, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMValueRef first = LLVMGetFirstInstruction(to);
    if (to == retry->loop->header)
        return is_same_again(retry, from);
    if (!sm_is_in_loop(retry->loop, to) || to == LLVMGetInstructionParent(retry->retried))
        return false;
    if (sm_map_get(&retry->visited, to))
        return !LLVMIsAPHINode(first);
    *sm_map_at(&retry->visited, to) = 1;
    pass_phis(retry, to, from);
    bool back = goes_back(retry, first);
    *sm_map_at(&retry->visited, to) = 0;
    return back;
}

static bool terminator_goes_back(struct retry *retry, LLVMValueRef terminator)
{
    LLVMBasicBlockRef from = LLVMGetInstructionParent(terminator);
    if (LLVMIsAInvokeInst(terminator))
        return edge_goes_back(retry, from, LLVMGetNormalDest(terminator));
    for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++)
        if (is_taken(retry, terminator, i) &&
            !edge_goes_back(retry, from, LLVMGetSuccessor(terminator, i)))
            return false;
    return LLVMGetNumSuccessors(terminator) > 0;
}

/* compare_exchange_weak(&top, &node->next, node) stores what it finds to node->next, where it has
   loaded that value from. */
static bool puts_back(struct retry *retry, LLVMValueRef store)
{
    LLVMValueRef expected =
        LLVMIsAAtomicCmpXchgInst(retry->retried) ? LLVMGetOperand(retry->retried, 1) : NULL;
    if (!expected || !LLVMIsAStoreInst(store) || !LLVMIsALoadInst(expected) ||
        LLVMGetOperand(expected, 0) != LLVMGetOperand(store, 1) || LLVMGetVolatile(store) ||
        LLVMGetOrdering(store) != LLVMAtomicOrderingNotAtomic ||
        value_of(retry, LLVMGetOperand(store, 0)) != expected ||
        LLVMTypeOf(LLVMGetOperand(store, 0)) != LLVMTypeOf(expected))
        return false;
    retry->put_back = store;
    return true;
}

/* Every path from the instruction on leads to the header, as it was, and does nothing on its way.
 */
static bool goes_back(struct retry *retry, LLVMValueRef instruction)
{
    for (; ++retry->steps < LONGEST_WALK; instruction = LLVMGetNextInstruction(instruction)) {
        if (instruction != retry->retried && !LLVMIsAPHINode(instruction) &&
            sm_deed_of(retry->pass, instruction) > retry->allowed && !puts_back(retry, instruction))
            return false;
        if (LLVMIsATerminatorInst(instruction))
            return terminator_goes_back(retry, instruction);
    }
    return false;
}

static bool fails_back(struct retry *retry)
{
    LLVMValueRef retried = retry->retried;
    bool back = LLVMIsATerminatorInst(retried) ? terminator_goes_back(retry, retried)
                                               : goes_back(retry, LLVMGetNextInstruction(retried));
    sm_map_free(&retry->values);
    sm_map_free(&retry->visited);
    return back;
}

/* ---- from the header to the instruction ---- */

enum { FROM_HEADER = 1, TO_RETRIED = 2, ON_THE_WAY = FROM_HEADER | TO_RETRIED };

static void mark_from(struct sm_map *marks, const struct retry *retry, LLVMBasicBlockRef block)
{
    LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
    bool target = block == LLVMGetInstructionParent(retry->retried);
    if (sm_map_get(marks, block) || !sm_is_in_loop(retry->loop, block))
        return;
    *sm_map_at(marks, block) = FROM_HEADER;
    for (unsigned i = 0; !target && i < LLVMGetNumSuccessors(terminator); i++)
        if (LLVMGetSuccessor(terminator, i) != retry->loop->header)
            mark_from(marks, retry, LLVMGetSuccessor(terminator, i));
}

/* A successor in the same iteration leads to the instruction. */
static bool leads_on(const struct sm_map *marks, const struct retry *retry, LLVMBasicBlockRef block)
{
    LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(terminator, i);
        if (next != retry->loop->header && (sm_map_get(marks, next) & TO_RETRIED))
            return true;
    }
    return false;
}

static void mark_to(struct sm_map *marks, const struct retry *retry)
{
    bool more = true;
    *sm_map_at(marks, LLVMGetInstructionParent(retry->retried)) |= TO_RETRIED;
    while (more) {
        more = false;
        for (size_t i = 0; i < retry->loop->n_body; i++) {
            uintptr_t *mark = sm_map_at(marks, retry->loop->body[i]);
            bool leads = !(*mark & TO_RETRIED) && leads_on(marks, retry, retry->loop->body[i]);
            *mark |= leads ? TO_RETRIED : 0;
            more |= leads;
        }
    }
}

struct approach {
    enum sm_deed deed;    /* the worst but stores */
    LLVMValueRef *stores; /* to be freed */
    size_t n_stores, room;
};

static void add_deeds(const struct retry *retry, struct approach *approach, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && i != retry->retried;
         i = LLVMGetNextInstruction(i)) {
        enum sm_deed deed = LLVMIsAPHINode(i) ? SM_DEED_NONE : sm_deed_of(retry->pass, i);
        if (deed == SM_DEED_STORE) {
            approach->stores = sm_grow(approach->stores, approach->n_stores, &approach->room,
                                       sizeof *approach->stores);
            approach->stores[approach->n_stores++] = i;
        } else if (deed > approach->deed) {
            approach->deed = deed;
        }
    }
}

/* All blocks on some way from the header to the instruction. */
static struct approach read_approach(const struct retry *retry)
{
    struct approach approach = {0};
    struct sm_map marks = {0};
    mark_from(&marks, retry, retry->loop->header);
    mark_to(&marks, retry);
    for (size_t i = 0; i < retry->loop->n_body; i++)
        if (sm_map_get(&marks, retry->loop->body[i]) == ON_THE_WAY)
            add_deeds(retry, &approach, retry->loop->body[i]);
    sm_map_free(&marks);
    return approach;
}

/* The same in each iteration that begins with the same phis. */
static bool is_steady(const struct retry *retry, LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value) || !sm_is_in_loop(retry->loop, LLVMGetInstructionParent(value)))
        return true;
    if (LLVMIsAPHINode(value))
        return LLVMGetInstructionParent(value) == retry->loop->header;
    if (sm_touches_memory(value))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        if (!is_steady(retry, LLVMGetOperand(value, (unsigned)i)))
            return false;
    return true;
}

/* There is one way from the header to the instruction. */
static bool is_straight(const struct retry *retry)
{
    LLVMBasicBlockRef block = retry->loop->header;
    for (size_t i = 0; i <= retry->loop->n_body; i++) {
        LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
        if (block == LLVMGetInstructionParent(retry->retried))
            return true;
        if (!LLVMIsABranchInst(terminator) || LLVMIsConditional(terminator))
            return false;
        block = LLVMGetSuccessor(terminator, 0);
    }
    return false;
}

static bool are_overwritten(const struct retry *retry, const struct approach *approach)
{
    for (size_t i = 0; i < approach->n_stores; i++)
        if (!is_steady(retry, LLVMGetOperand(approach->stores[i], 1)))
            return false;
    return approach->n_stores == 0 || (approach->deed < SM_DEED_LOOK && is_straight(retry));
}

/* ---- compare-exchanges ---- */

static struct sm_row *row_of(struct sm_pass *pass, const struct sm_unit *unit,
                             LLVMValueRef instruction)
{
    for (uint32_t i = unit->first_row; i < unit->first_row + unit->n_rows; i++)
        if (pass->rows[i].instruction == instruction)
            return &pass->rows[i];
    return NULL;
}

static bool is_atomic(LLVMValueRef store)
{
    return LLVMGetOrdering(store) != LLVMAtomicOrderingNotAtomic;
}

static uint16_t mark_store(struct retry *retry, const struct sm_unit *unit, LLVMValueRef store)
{
    struct sm_row *row = row_of(retry->pass, unit, store);
    if (row)
        row->use |= SM_VALUE_RETRIED;
    return is_atomic(store) ? SM_VALUE_RESTORED : 0;
}

/* What is said of the exchange; 0: nothing. */
static uint16_t mark_stores(struct retry *retry, const struct sm_unit *unit)
{
    struct approach approach = read_approach(retry);
    bool overwritten = approach.deed < SM_DEED_STORE && are_overwritten(retry, &approach) &&
                       !(retry->put_back && approach.n_stores);
    uint16_t use = overwritten ? SM_VALUE_RETRIED : 0;
    for (size_t i = 0; overwritten && i < approach.n_stores; i++)
        use |= mark_store(retry, unit, approach.stores[i]);
    if (overwritten && retry->put_back)
        mark_store(retry, unit, retry->put_back);
    free(approach.stores);
    return use;
}

static void mark_exchange(struct sm_pass *pass, const struct sm_unit *unit, struct sm_row *row)
{
    struct sm_waiting_loop *loops;
    size_t n = sm_find_waiting_loops(unit->function, &loops);
    for (size_t i = 0; i < n; i++) {
        struct retry retry = {
            .pass = pass, .loop = &loops[i], .retried = row->instruction, .allowed = SM_DEED_READ};
        if (!(row->use & SM_VALUE_RETRIED) &&
            sm_is_in_loop(&loops[i], LLVMGetInstructionParent(row->instruction)) &&
            fails_back(&retry))
            row->use |= mark_stores(&retry, unit);
    }
    sm_free_waiting_loops(loops, n);
}

void sm_mark_retried(struct sm_pass *pass, const struct sm_unit *unit)
{
    for (uint32_t i = unit->first_row; i < unit->first_row + unit->n_rows; i++)
        if ((pass->rows[i].flags & SM_SITE_WEAK_CAS) &&
            LLVMIsAAtomicCmpXchgInst(pass->rows[i].instruction))
            mark_exchange(pass, unit, &pass->rows[i]);
}

/* ---- waits ---- */

/* Ends with 0 if it was not the time limit that ended it. Those of C++ without a predicate. */
static bool is_wait(const char *name)
{
    static const char *const waits[] = {
        "pthread_cond_wait",
        "pthread_cond_timedwait",
        "pthread_cond_clockwait",
        "cnd_wait",
        "cnd_timedwait",
        "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE",
        "_ZNSt3__118condition_variable4waitERNS_11unique_lockINS_5mutexEEE",
    };
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        if (strcmp(name, waits[i]) == 0)
            return true;
    return sm_starts_with(name, "_ZNSt18condition_variable") && strstr(name, "St9cv_status");
}

static bool hides(struct sm_pass *pass, const struct sm_waiting_loop *loop, LLVMValueRef wait)
{
    struct retry retry = {.pass = pass, .loop = loop, .retried = wait, .allowed = SM_DEED_LOOK};
    if (!sm_is_in_loop(loop, LLVMGetInstructionParent(wait)) || !fails_back(&retry))
        return false;
    struct approach approach = read_approach(&retry);
    bool only_looks = approach.deed <= SM_DEED_LOOK && !approach.n_stores;
    free(approach.stores);
    return only_looks;
}

/* The header of the loop that hides it, or NULL. */
static LLVMBasicBlockRef hidden_by(struct sm_pass *pass, LLVMValueRef wait)
{
    struct sm_waiting_loop *loops;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(wait), header = NULL;
    size_t n = sm_find_waiting_loops(LLVMGetBasicBlockParent(block), &loops);
    for (size_t i = 0; i < n && !header; i++)
        if (hides(pass, &loops[i], wait))
            header = loops[i].header;
    sm_free_waiting_loops(loops, n);
    return header;
}

static void mark_wait(struct sm_pass *pass, LLVMValueRef wait, LLVMBasicBlockRef header)
{
    LLVMValueRef first = LLVMGetFirstInstruction(header);
    while (LLVMIsAPHINode(first))
        first = LLVMGetNextInstruction(first);
    LLVMPositionBuilderBefore(pass->builder, first);
    LLVMSetCurrentDebugLocation2(pass->builder, LLVMInstructionGetDebugLoc(wait));
    sm_hook_call(pass, SM_HOOK_sm_wait_loop, NULL);
    LLVMPositionBuilderBefore(pass->builder, wait);
    LLVMSetCurrentDebugLocation2(pass->builder, LLVMInstructionGetDebugLoc(wait));
    sm_hook_call(pass, SM_HOOK_sm_wait_retried, NULL);
}

void sm_mark_waits(struct sm_pass *pass, LLVMValueRef function)
{
    struct {
        LLVMValueRef wait;
        LLVMBasicBlockRef header;
    } *found = NULL;
    size_t n = 0, room = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef callee = sm_is_real_call(i) ? sm_direct_callee(i) : NULL;
            LLVMBasicBlockRef header =
                callee && is_wait(sm_value_name(callee)) ? hidden_by(pass, i) : NULL;
            if (!header)
                continue;
            found = sm_grow(found, n, &room, sizeof *found);
            found[n].wait = i;
            found[n++].header = header;
        }
    for (size_t i = 0; i < n; i++)
        mark_wait(pass, found[i].wait, found[i].header);
    free(found);
}
