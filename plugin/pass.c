/*
 * pass.c - one run over one module, from collection to instrumented code. See pass.h.
 */
#include "plugin/pass.h"

#include "plugin/access.h"
#include "plugin/atomic.h"
#include "plugin/calls.h"
#include "plugin/clone.h"
#include "plugin/collect.h"
#include "plugin/guard.h"
#include "plugin/iterations.h"
#include "plugin/llvm_gaps.h"
#include "plugin/requests.h"
#include "plugin/results.h"
#include "plugin/tables.h"
#include "plugin/tsan_calls.h"

#include <stdlib.h>
#include <string.h>

/* Helpers for all files. */

LLVMValueRef sm_constant(struct sm_pass *pass, uint64_t value)
{
    return LLVMConstInt(pass->i64, value, false);
}

uint64_t sm_store_size(struct sm_pass *pass, LLVMTypeRef type)
{
    return LLVMStoreSizeOfType(pass->layout, type);
}

static unsigned attribute_kind(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static bool has_attribute_at(LLVMValueRef function, LLVMAttributeIndex index, const char *name)
{
    unsigned kind = attribute_kind(name); /* 0: an attribute this LLVM does not have */
    return kind && LLVMGetEnumAttributeAtIndex(function, index, kind);
}

bool sm_has_attribute(LLVMValueRef function, const char *name)
{
    return has_attribute_at(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name);
}

bool sm_parameter_has_attribute(LLVMValueRef function, unsigned parameter, const char *name)
{
    return has_attribute_at(function, parameter + 1, name);
}

void sm_remove_attribute(LLVMValueRef function, const char *name)
{
    LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                   attribute_kind(name));
}

LLVMValueRef sm_direct_callee(LLVMValueRef call)
{
    return LLVMIsAFunction(LLVMGetCalledValue(call));
}

const char *sm_value_name(LLVMValueRef value)
{
    size_t length;
    return LLVMGetValueName2(value, &length);
}

/* Instrumentation. */

void sm_emit_site(struct sm_emit *emit)
{
    bool call = LLVMIsACallInst(emit->instruction) != NULL;
    switch ((enum sm_site_kind)emit->row->kind) {
    case SM_SITE_LOAD:
        sm_emit_load(emit, false);
        break;
    case SM_SITE_STORE:
        sm_emit_store(emit, false);
        break;
    case SM_SITE_ATOMIC_LOAD:
        call ? sm_emit_atomic_call(emit) : sm_emit_load(emit, true);
        break;
    case SM_SITE_ATOMIC_STORE:
        call ? sm_emit_atomic_call(emit) : sm_emit_store(emit, true);
        break;
    case SM_SITE_RMW:
        call ? sm_emit_atomic_call(emit) : sm_emit_rmw(emit);
        break;
    case SM_SITE_CAS:
        call ? sm_emit_atomic_call(emit) : sm_emit_cas(emit);
        break;
    case SM_SITE_FENCE:
        sm_emit_fence(emit);
        break;
    case SM_SITE_COPY:
        sm_emit_copy(emit);
        break;
    case SM_SITE_FILL:
        sm_emit_fill(emit);
        break;
    case SM_SITE_CALL:
        sm_emit_library_call(emit);
        break;
    case SM_SITE_ASM:
        sm_emit_asm(emit);
        break;
    case SM_SITE_LINE:
        sm_emit_line(emit);
        break;
    case SM_SITE_KINDS:
        break;
    }
}

static bool has_value(const struct sm_row *row)
{
    return row->kind != SM_SITE_COPY && row->kind != SM_SITE_FILL;
}

static uint64_t widest_value(struct sm_pass *pass, const struct sm_unit *unit)
{
    uint64_t widest = 8;
    for (uint32_t i = unit->first_row; i < unit->first_row + unit->n_rows; i++)
        if (has_value(&pass->rows[i]) && pass->rows[i].size > widest)
            widest = pass->rows[i].size;
    return widest;
}

/* `instructions` are the unit's sites, its latches and its locals, in this copy of it. From the
 * last to the first: a block is split after each site, so the part that moves is short. */
static void instrument_copy(struct sm_pass *pass, const struct sm_unit *unit, LLVMValueRef function,
                            LLVMValueRef *instructions, bool plain_too)
{
    struct sm_frame frame = {.function = function,
                             .watched = function != unit->function,
                             .scratch_size = widest_value(pass, unit)};
    sm_emit_effects(pass, function);
    if (plain_too)
        sm_emit_iterations(pass, function);
    for (uint32_t i = unit->n_rows; i-- > 0;) {
        struct sm_emit emit = {.pass = pass, .frame = &frame, .index = unit->first_row + i};
        emit.row = &pass->rows[emit.index];
        emit.instruction = instructions[i];
        if (plain_too || !emit.row->plain)
            sm_emit_site(&emit);
    }
    for (size_t i = 0; i < unit->n_latches; i++)
        sm_guard_back_edge(pass, instructions[unit->n_rows + i]);
}

static size_t instruction_count(const struct sm_unit *unit)
{
    return unit->n_rows + unit->n_latches + unit->n_locals;
}

static LLVMValueRef *unit_instructions(struct sm_pass *pass, const struct sm_unit *unit)
{
    LLVMValueRef *list = sm_allocate(instruction_count(unit) * sizeof *list);
    for (uint32_t i = 0; i < unit->n_rows; i++)
        list[i] = pass->rows[unit->first_row + i].instruction;
    if (unit->n_latches)
        memcpy(list + unit->n_rows, unit->latches, unit->n_latches * sizeof *list);
    if (unit->n_locals)
        memcpy(list + unit->n_rows + unit->n_latches, unit->locals, unit->n_locals * sizeof *list);
    return list;
}

/* Attributes ("reads no memory") that hooks and counters violate. */
void sm_drop_promises(LLVMValueRef function)
{
    static const char *const promises[] = {"memory",       "nosync",    "nofree",
                                           "speculatable", "norecurse", "willreturn"};
    for (size_t i = 0; i < sizeof promises / sizeof *promises; i++)
        if (sm_has_attribute(function, promises[i]))
            sm_remove_attribute(function, promises[i]);
}

static void instrument_unit(struct sm_pass *pass, uint32_t index)
{
    struct sm_unit *unit = &pass->units[index];
    LLVMValueRef *plain = unit_instructions(pass, unit), watched = NULL;
    sm_drop_promises(unit->function);
    if (unit->needs_watched_copy && !sm_must_stay_single(unit->function)) {
        LLVMValueRef *copied = unit_instructions(pass, unit);
        watched = sm_make_watched_copy(unit->function, copied, instruction_count(unit));
        instrument_copy(pass, unit, watched, copied, true);
        sm_trace_calls(pass, index, watched, copied + unit->n_rows + unit->n_latches);
        free(copied);
    }
    instrument_copy(pass, unit, unit->function, plain, !watched);
    if (watched)
        sm_dispatch(pass, index, unit->function, watched);
    else if (unit->needs_watched_copy)
        sm_trace_single(pass, index, unit->function);
    free(plain);
}

void sm_pass_init(struct sm_pass *pass, LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    *pass = (struct sm_pass){
        .module = module,
        .context = context,
        .layout = LLVMGetModuleDataLayout(module),
        .builder = LLVMCreateBuilderInContext(context),
        .void_type = LLVMVoidTypeInContext(context),
        .i1 = LLVMInt1TypeInContext(context),
        .i8 = LLVMInt8TypeInContext(context),
        .i32 = LLVMInt32TypeInContext(context),
        .i64 = LLVMInt64TypeInContext(context),
        .pointer = LLVMPointerTypeInContext(context, 0),
    };
}

void sm_pass_free(struct sm_pass *pass)
{
    for (size_t i = 0; i < pass->n_units; i++) {
        free(pass->units[i].latches);
        free(pass->units[i].locals);
    }
    free(pass->units);
    free(pass->rows);
    sm_map_free(&pass->locals);
    sm_map_free(&pass->types_by_name);
    sm_map_free(&pass->files);
    sm_pool_free(&pass->strings);
    LLVMDisposeBuilder(pass->builder);
}

struct sm_pass *sm_pass_start(LLVMModuleRef module)
{
    if (LLVMGetNamedGlobal(module, "sm.module"))
        return NULL; /* bitcode that this pass has written */
    struct sm_pass *pass = sm_allocate(sizeof *pass);
    sm_pass_init(pass, module);
    pass->spurious = true;
    pass->lines = true;
    sm_replace_requests(pass);
    sm_replace_tsan_calls(pass);
    sm_collect(pass);
    if (pass->n_units)
        sm_tables_declare(pass);
    for (uint32_t i = 0; i < pass->n_units; i++)
        instrument_unit(pass, i);
    sm_results_check(module);
    return pass;
}

void sm_pass_finish(struct sm_pass *pass)
{
    if (pass->n_units)
        sm_tables_emit(pass);
    sm_repair_jumps(pass->module);
    sm_pass_free(pass);
    free(pass);
}
