/*
 * collect.c - see collect.h.
 */
#include "plugin/collect.h"

#include "plugin/asm.h"
#include "plugin/calls.h"
#include "plugin/escape.h"
#include "plugin/llvm_gaps.h"
#include "plugin/loops.h"
#include "plugin/name.h"
#include "plugin/retried.h"
#include "plugin/source.h"
#include "plugin/use.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

static uint8_t order_of(LLVMAtomicOrdering ordering)
{
    switch (ordering) {
    case LLVMAtomicOrderingNotAtomic:
        return SM_ORDER_PLAIN;
    case LLVMAtomicOrderingAcquire:
        return SM_ORDER_ACQUIRE;
    case LLVMAtomicOrderingRelease:
        return SM_ORDER_RELEASE;
    case LLVMAtomicOrderingAcquireRelease:
        return SM_ORDER_ACQ_REL;
    case LLVMAtomicOrderingSequentiallyConsistent:
        return SM_ORDER_SEQ_CST;
    default: /* unordered, monotonic */
        return SM_ORDER_RELAXED;
    }
}

/* Floating-point arithmetic on other than 4 or 8 bytes (_Float16)? core/rmw.h has none. */
static bool is_odd_float(LLVMAtomicRMWBinOp op, LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return (unsigned)op >= SM_RMW_FADD && (unsigned)op <= SM_RMW_FMIN &&
           kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind;
}

/* A number of rmw_ops.def; SM_RMW_OPS if no hook supports it. */
static uint8_t rmw_op(LLVMValueRef instruction)
{
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(instruction);
    bool known =
        (unsigned)op < SM_RMW_OPS && !is_odd_float(op, LLVMTypeOf(LLVMGetOperand(instruction, 1)));
    return known ? (uint8_t)op : SM_RMW_OPS;
}

/* Size and name of an access to `address`; false if no other thread can see it, or if its size is
 * not known to the compiler (scalable vectors, opaque types of a target). */
static bool fill_access(struct sm_pass *pass, struct sm_row *row, LLVMValueRef address,
                        LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMScalableVectorTypeKind || kind == LLVMTargetExtTypeKind ||
        kind == LLVMX86_AMXTypeKind || sm_is_private(pass, address))
        return false;
    row->size = (uint32_t)sm_store_size(pass, type);
    sm_name_access(pass, row, address, type, row->size);
    return row->size != 0;
}

static bool read_load_or_store(struct sm_pass *pass, struct sm_row *row)
{
    LLVMValueRef instruction = row->instruction;
    bool load = LLVMIsALoadInst(instruction);
    row->order = order_of(LLVMGetOrdering(instruction));
    row->plain = row->order == SM_ORDER_PLAIN;
    if (row->plain)
        row->kind = load ? SM_SITE_LOAD : SM_SITE_STORE;
    else
        row->kind = load ? SM_SITE_ATOMIC_LOAD : SM_SITE_ATOMIC_STORE;
    if (LLVMGetVolatile(instruction))
        row->flags |= SM_SITE_VOLATILE;
    if (row->plain && sm_asm_has_barriers(instruction))
        row->flags |= SM_SITE_KEPT;
    LLVMTypeRef type = LLVMTypeOf(load ? instruction : LLVMGetOperand(instruction, 0));
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        row->flags |= SM_SITE_POINTER;
    return fill_access(pass, row, LLVMGetOperand(instruction, load ? 0 : 1), type);
}

static bool read_rmw(struct sm_pass *pass, struct sm_row *row)
{
    row->kind = SM_SITE_RMW;
    row->order = order_of(LLVMGetOrdering(row->instruction));
    row->op = rmw_op(row->instruction);
    if (LLVMGetVolatile(row->instruction))
        row->flags |= SM_SITE_VOLATILE;
    if (row->op == SM_RMW_OPS) { /* no hook supports it: a full fence of unknown effect */
        row->op = 0;
        row->kind = SM_SITE_ASM;
    }
    return fill_access(pass, row, LLVMGetOperand(row->instruction, 0),
                       LLVMTypeOf(LLVMGetOperand(row->instruction, 1)));
}

static bool read_cas(struct sm_pass *pass, struct sm_row *row)
{
    row->kind = SM_SITE_CAS;
    row->order = order_of(LLVMGetCmpXchgSuccessOrdering(row->instruction));
    row->order_fail = order_of(LLVMGetCmpXchgFailureOrdering(row->instruction));
    if (LLVMGetVolatile(row->instruction))
        row->flags |= SM_SITE_VOLATILE;
    if (LLVMGetWeak(row->instruction))
        row->flags |= SM_SITE_WEAK_CAS;
    return fill_access(pass, row, LLVMGetOperand(row->instruction, 0),
                       LLVMTypeOf(LLVMGetOperand(row->instruction, 1)));
}

static bool read_fence(struct sm_row *row)
{
    row->kind = SM_SITE_FENCE;
    row->order = order_of(LLVMGetOrdering(row->instruction));
    return true;
}

static uint64_t constant_or_zero(LLVMValueRef value)
{
    return LLVMIsAConstantInt(value) ? LLVMConstIntGetZExtValue(value) : 0;
}

/* A copy has two sides and one name: the destination's, unless that is private. */
static bool read_copy_or_fill(struct sm_pass *pass, struct sm_row *row, bool copy)
{
    LLVMValueRef to = LLVMGetOperand(row->instruction, 0), named = to;
    LLVMValueRef size = LLVMGetOperand(row->instruction, 2);
    row->plain = true;
    row->order = SM_ORDER_PLAIN;
    row->kind = copy ? SM_SITE_COPY : SM_SITE_FILL;
    if (sm_is_private(pass, to))
        named = copy ? LLVMGetOperand(row->instruction, 1) : NULL;
    if (!named || sm_is_private(pass, named))
        return false;
    if (LLVMIsAConstantInt(size) && !constant_or_zero(size))
        return false;
    row->size = (uint32_t)constant_or_zero(size);
    sm_name_access(pass, row, named, NULL, row->size);
    return true;
}

/* The argument as a pointer, even if it was cast to an integer; NULL if it is not one. */
static LLVMValueRef pointer_of(LLVMValueRef argument)
{
    bool number = LLVMIsAPtrToIntInst(argument) ||
                  (LLVMIsAConstantExpr(argument) && LLVMGetConstOpcode(argument) == LLVMPtrToInt);
    if (number)
        argument = LLVMGetOperand(argument, 0);
    return LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind ? argument : NULL;
}

/* A stream belongs to libc. Its place among the arguments; -1: the call has none. */
static int stream_of(const char *name, int n)
{
    static const char *const first[] = {"fprintf",        "vfprintf",        "__fprintf_chk",
                                        "__vfprintf_chk", "__isoc99_fscanf", "__isoc99_vfscanf"};
    static const char *const last[] = {"fputs", "getdelim", "__getdelim", "getline"};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (strcmp(name, first[i]) == 0)
            return 0;
    for (size_t i = 0; i < sizeof last / sizeof *last; i++)
        if (strcmp(name, last[i]) == 0)
            return n - 1;
    return -1;
}

/* Named after the first pointer that is neither a local nor a constant string. */
static bool read_library_call(struct sm_pass *pass, struct sm_row *row)
{
    int n = (int)LLVMGetNumArgOperands(row->instruction);
    int stream = stream_of(sm_call_read(row->instruction).name, n);
    row->plain = true;
    row->order = SM_ORDER_PLAIN;
    row->kind = SM_SITE_CALL;
    for (int i = 0; i < n; i++) {
        LLVMValueRef argument = pointer_of(LLVMGetOperand(row->instruction, (unsigned)i));
        if (i == stream || !argument || LLVMIsNull(argument) || sm_is_private(pass, argument))
            continue;
        sm_name_access(pass, row, argument, NULL, 0);
        return true;
    }
    return false;
}

static bool read_atomic_call(struct sm_pass *pass, struct sm_row *row, struct sm_call call)
{
    LLVMValueRef instruction = row->instruction;
    unsigned last = LLVMGetNumArgOperands(instruction) - 1;
    LLVMValueRef address = LLVMGetOperand(instruction, call.generic ? 1 : 0);
    bool cas = call.kind == SM_SITE_CAS;
    row->kind = call.kind;
    row->op = call.op;
    row->size = call.size;
    if (call.size > 16 || (call.size & (call.size - 1))) /* under a lock of libatomic's */
        row->kind = SM_SITE_ASM;
    row->order = sm_call_order(LLVMGetOperand(instruction, cas ? last - 1 : last));
    row->order_fail = cas ? sm_call_order(LLVMGetOperand(instruction, last)) : 0;
    sm_name_access(pass, row, address, NULL, call.size);
    return true;
}

/* Named after its first memory operand. */
static bool read_asm(struct sm_pass *pass, struct sm_row *row)
{
    LLVMValueRef address;
    uint64_t size;
    bool write;
    row->kind = SM_SITE_ASM;
    row->order = SM_ORDER_SEQ_CST;
    if (!sm_asm_clobbers_memory(LLVMGetCalledValue(row->instruction)))
        row->flags |= SM_SITE_SINGLE_THREAD;
    if (sm_asm_memory_operand(row->instruction, 0, &address, &size, &write))
        sm_name_access(pass, row, address, NULL, (uint32_t)size);
    return true;
}

static bool read_call(struct sm_pass *pass, struct sm_row *row)
{
    struct sm_call call = sm_call_read(row->instruction);
    switch (call.role) {
    case SM_CALL_COPY:
    case SM_CALL_FILL:
        return read_copy_or_fill(pass, row, call.role == SM_CALL_COPY);
    case SM_CALL_LIBRARY:
        return read_library_call(pass, row);
    case SM_CALL_ATOMIC:
        return read_atomic_call(pass, row, call);
    case SM_CALL_FENCE:
        row->kind = SM_SITE_FENCE;
        row->order = call.order;
        return true;
    case SM_CALL_ASM:
        return read_asm(pass, row);
    case SM_CALL_OTHER:
        break;
    }
    return false;
}

/* Fills a row for the instruction; false if it is not a site. */
static bool read_instruction(struct sm_pass *pass, struct sm_row *row)
{
    switch (LLVMGetInstructionOpcode(row->instruction)) {
    case LLVMLoad:
    case LLVMStore:
        return read_load_or_store(pass, row);
    case LLVMAtomicRMW:
        return read_rmw(pass, row);
    case LLVMAtomicCmpXchg:
        return read_cas(pass, row);
    case LLVMFence:
        return read_fence(row);
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
        return read_call(pass, row);
    default:
        return false;
    }
}

static bool is_single_thread(LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMFence:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return LLVMIsAtomicSingleThread(instruction);
    case LLVMLoad:
    case LLVMStore:
        return LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic &&
               LLVMIsAtomicSingleThread(instruction);
    default:
        return false;
    }
}

static bool is_marked(LLVMValueRef instruction, const char *kind)
{
    return LLVMHasMetadata(instruction) &&
           LLVMGetMetadata(instruction, LLVMGetMDKindID(kind, (unsigned)strlen(kind)));
}

static void add_row(struct sm_pass *pass, struct sm_unit *unit, struct sm_row *row)
{
    sm_source_of_instruction(pass, row);
    pass->rows = sm_grow(pass->rows, pass->n_rows, &pass->room_rows, sizeof *pass->rows);
    pass->rows[pass->n_rows++] = *row;
    unit->n_rows++;
}

static void collect_instruction(struct sm_pass *pass, struct sm_unit *unit,
                                LLVMValueRef instruction, bool plain_wanted)
{
    struct sm_row row = {.instruction = instruction, .variable = ""};
    if (is_marked(instruction, "nosanitize") || !read_instruction(pass, &row) ||
        (row.plain && !plain_wanted))
        return;
    if (is_single_thread(instruction))
        row.flags |= SM_SITE_SINGLE_THREAD;
    sm_read_use(&row);
    add_row(pass, unit, &row);
    unit->needs_watched_copy |= plain_wanted;
}

bool sm_is_real_call(LLVMValueRef instruction)
{
    if (!LLVMIsACallInst(instruction) && !LLVMIsAInvokeInst(instruction))
        return false;
    LLVMValueRef callee = sm_direct_callee(instruction);
    return !LLVMIsAInlineAsm(LLVMGetCalledValue(instruction)) &&
           !(callee && LLVMGetIntrinsicID(callee));
}

static bool is_line_call(LLVMValueRef call)
{
    switch (sm_call_read(call).role) {
    case SM_CALL_COPY:
    case SM_CALL_FILL:
    case SM_CALL_LIBRARY:
        return true;
    case SM_CALL_OTHER:
        return sm_is_real_call(call) &&
               !sm_starts_with(sm_value_name(LLVMGetCalledValue(call)), "sm_");
    default:
        return false;
    }
}

/* A call that is not a single access, or the end of a back edge. */
static bool is_line(LLVMValueRef instruction, LLVMValueRef *back_edges, size_t n)
{
    if (LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction))
        return is_line_call(instruction);
    for (size_t i = 0; i < n; i++)
        if (back_edges[i] == instruction)
            return true;
    return false;
}

/* After the sites of the function: rows that locate a thread between them. */
static void collect_lines(struct sm_pass *pass, struct sm_unit *unit)
{
    LLVMValueRef *back_edges;
    size_t n = sm_find_back_edges(unit->function, &back_edges);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(unit->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction)) {
            struct sm_row row = {.instruction = instruction,
                                 .variable = "",
                                 .kind = SM_SITE_LINE,
                                 .order = SM_ORDER_PLAIN,
                                 .plain = true};
            if (is_line(instruction, back_edges, n))
                add_row(pass, unit, &row);
        }
    free(back_edges);
}

static void collect_instructions(struct sm_pass *pass, struct sm_unit *unit, bool plain_wanted)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(unit->function); block;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction)) {
            collect_instruction(pass, unit, instruction, plain_wanted);
            unit->needs_watched_copy |= plain_wanted && sm_is_real_call(instruction);
        }
    }
}

/* Can other code call it: by its name, or by its address? */
static bool is_external(LLVMValueRef function)
{
    LLVMLinkage linkage = LLVMGetLinkage(function);
    if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage)
        return true;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool call = LLVMIsACallInst(user) || LLVMIsAInvokeInst(user);
        if (!call || LLVMGetCalledValue(user) != function)
            return true;
    }
    return false;
}

static bool is_programs_call(LLVMValueRef instruction)
{
    return sm_is_real_call(instruction) &&
           !sm_starts_with(sm_value_name(LLVMGetCalledValue(instruction)), "sm_");
}

static bool is_wait(LLVMValueRef instruction)
{
    static const char *const waits[] = {
        "pthread_cond_wait",
        "pthread_cond_timedwait",
        "pthread_cond_clockwait",
        "cnd_wait",
        "cnd_timedwait",
        "_ZNSt18condition_variable4wait",
        "_ZNSt18condition_variable8wait_for",
        "_ZNSt18condition_variable10wait_until",
        "_ZNSt22condition_variable_any4wait",
        "_ZNSt22condition_variable_any8wait_for",
        "_ZNSt22condition_variable_any10wait_until",
    };
    const char *name =
        sm_is_real_call(instruction) ? sm_value_name(LLVMGetCalledValue(instruction)) : "";
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        if (sm_starts_with(name, waits[i]))
            return true;
    return false;
}

static size_t count_in(LLVMBasicBlockRef block, bool (*is_counted)(LLVMValueRef instruction))
{
    size_t n = 0;
    for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
         instruction = LLVMGetNextInstruction(instruction))
        n += is_counted(instruction);
    return n;
}

static size_t count(LLVMValueRef function, bool (*is_counted)(LLVMValueRef instruction))
{
    size_t n = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        n += count_in(block, is_counted);
    return n;
}

/* Its one call is in the entry block, to which no loop goes back, and is of a function that waits
   for a condition itself. */
static bool wraps(LLVMValueRef function)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    if (count(function, is_programs_call) != 1 || count_in(entry, is_programs_call) != 1)
        return false;
    LLVMValueRef instruction = LLVMGetFirstInstruction(entry);
    while (!is_programs_call(instruction))
        instruction = LLVMGetNextInstruction(instruction);
    LLVMValueRef callee = sm_direct_callee(instruction);
    return callee && LLVMCountBasicBlocks(callee) && count(callee, is_wait);
}

/* An ifunc resolver runs while the program is still being relocated: it cannot call hooks. */
static bool is_resolver(LLVMModuleRef module, LLVMValueRef function)
{
    for (LLVMValueRef ifunc = LLVMGetFirstGlobalIFunc(module); ifunc;
         ifunc = LLVMGetNextGlobalIFunc(ifunc))
        if (LLVMGetGlobalIFuncResolver(ifunc) == function)
            return true;
    return false;
}

/* None of the calls that are accesses throws; as calls they have one successor. */
static void make_calls(LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
        if (!LLVMIsAInvokeInst(terminator))
            continue;
        enum sm_call_role role = sm_call_read(terminator).role;
        if (role != SM_CALL_OTHER && role != SM_CALL_ASM)
            sm_invoke_to_call(terminator);
    }
}

/* Code of the program that was inlined into a function of the system's headers (what a std::thread
 * runs, for example) makes that function part of the program. */
static bool has_programs_calls(struct sm_pass *pass, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction)) {
            struct sm_row row = {.instruction = instruction};
            if (!sm_is_real_call(instruction))
                continue;
            sm_source_of_instruction(pass, &row);
            if (!sm_is_system_file(row.file))
                return true;
        }
    return false;
}

static bool is_wrapper(struct sm_pass *pass, const struct sm_unit *unit)
{
    return sm_is_system_file(unit->file) && !has_programs_calls(pass, unit->function);
}

/* Its size is known, and the same for each call. */
static bool is_escaping_local(struct sm_pass *pass, LLVMValueRef instruction)
{
    return LLVMIsAAllocaInst(instruction) && LLVMIsAConstantInt(LLVMGetOperand(instruction, 0)) &&
           LLVMConstIntGetZExtValue(LLVMGetOperand(instruction, 0)) == 1 &&
           !sm_is_private(pass, instruction);
}

/* The locals of a coroutine are in its heap frame, which outlives the call. */
static void collect_locals(struct sm_pass *pass, struct sm_unit *unit)
{
    size_t room = 0;
    if (sm_has_attribute(unit->function, "presplitcoroutine"))
        return;
    for (LLVMValueRef instruction = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(unit->function));
         instruction; instruction = LLVMGetNextInstruction(instruction)) {
        if (!is_escaping_local(pass, instruction))
            continue;
        unit->locals = sm_grow(unit->locals, unit->n_locals, &room, sizeof *unit->locals);
        unit->locals[unit->n_locals++] = instruction;
    }
}

static void collect_function(struct sm_pass *pass, LLVMValueRef function)
{
    make_calls(function);
    if (pass->spurious)
        sm_mark_waits(pass, function);
    struct sm_unit unit = {.function = function, .first_row = (uint32_t)pass->n_rows};
    bool plain_wanted = !sm_has_attribute(function, "disable_sanitizer_instrumentation");
    collect_instructions(pass, &unit, plain_wanted);
    unit.n_latches = sm_find_latches(function, &unit.latches);
    sm_source_of_function(pass, &unit);
    bool silent = !unit.n_rows && !unit.n_latches;
    if (silent && (!unit.needs_watched_copy || is_wrapper(pass, &unit)))
        return;
    if (pass->lines && plain_wanted)
        collect_lines(pass, &unit);
    if (pass->lines && plain_wanted)
        collect_locals(pass, &unit);
    if (pass->spurious)
        sm_mark_retried(pass, &unit);
    unit.external = is_external(function);
    unit.wraps = wraps(function);
    pass->units = sm_grow(pass->units, pass->n_units, &pass->room_units, sizeof *pass->units);
    pass->units[pass->n_units++] = unit;
}

void sm_collect(struct sm_pass *pass)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(pass->module); function;
         function = LLVMGetNextFunction(function))
        if (LLVMCountBasicBlocks(function) && !sm_has_attribute(function, "naked") &&
            !sm_starts_with(sm_value_name(function), "sm.") && !is_resolver(pass->module, function))
            collect_function(pass, function);
}
