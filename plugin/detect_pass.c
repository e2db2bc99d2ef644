/*
 * detect_pass.c - one run of the detect flavour's pass over one module. See detect_pass.h.
 */
#include "plugin/detect_pass.h"

#include "abi/library_name.h"
#include "plugin/access.h"
#include "plugin/collect.h"
#include "plugin/detect_run.h"
#include "plugin/hook.h"
#include "plugin/llvm_gaps.h"
#include "plugin/requests.h"
#include "plugin/tables.h"
#include "plugin/tsan_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- plain loads and stores ---- */

/* An access whose size is a power of two, and which is aligned to it, has its own path. */
static bool is_aligned(const struct sm_row *row)
{
    bool power = row->size && row->size <= 16 && (row->size & (row->size - 1)) == 0;
    unsigned needed = row->size > 8 ? 8 : row->size;
    return power && LLVMGetAlignment(row->instruction) >= needed;
}

void sm_emit_check_at(struct sm_pass *pass, uint32_t index, LLVMValueRef before,
                      LLVMValueRef address)
{
    char name[32];
    const struct sm_row *row = &pass->rows[index];
    const char *verb = row->kind == SM_SITE_STORE ? "write" : "read";
    LLVMPositionBuilderBefore(pass->builder, before);
    LLVMSetCurrentDebugLocation2(pass->builder, NULL);
    LLVMValueRef site = sm_hook_site(pass, index);
    if (is_aligned(row)) {
        LLVMValueRef arguments[] = {address, site};
        snprintf(name, sizeof name, "%s%u", verb, row->size);
        sm_path_call(pass, name, arguments, 2);
    } else {
        LLVMValueRef arguments[] = {address, sm_constant(pass, row->size), site};
        snprintf(name, sizeof name, "%s_any", verb);
        sm_path_call(pass, name, arguments, 3);
    }
}

/* A load is checked after it, in the same epoch: so that the two cache misses on cold data, the
   program's and the shadow's, overlap. */
LLVMValueRef sm_check_place(const struct sm_row *row)
{
    return row->kind == SM_SITE_LOAD ? LLVMGetNextInstruction(row->instruction) : row->instruction;
}

static void emit_check(struct sm_pass *pass, uint32_t index)
{
    const struct sm_row *row = &pass->rows[index];
    LLVMValueRef place = sm_check_place(row);
    LLVMPositionBuilderBefore(pass->builder, place);
    sm_emit_check_at(pass, index, place,
                     LLVMBuildPtrToInt(pass->builder, sm_row_address(row), pass->i64, ""));
}

/* ---- one function ---- */

static bool is_plain(const struct sm_row *row)
{
    return row->kind == SM_SITE_LOAD || row->kind == SM_SITE_STORE;
}

/* A compiler-only fence, like an empty assembly statement: natively there is nothing to do. */
static bool orders_nothing(const struct sm_row *row)
{
    return row->kind == SM_SITE_FENCE && (row->flags & SM_SITE_SINGLE_THREAD);
}

/* From the last to the first: a hook splits the block after its instruction. Everything but plain
   accesses has the hooks of the controlled flavour. */
static void instrument(struct sm_pass *pass, const struct sm_unit *unit)
{
    struct sm_frame frame = {.function = unit->function, .scratch_size = 64};
    for (uint32_t i = unit->first_row + unit->n_rows; i-- > unit->first_row;) {
        struct sm_row *row = &pass->rows[i];
        struct sm_emit emit = {pass, &frame, i, row, row->instruction};
        if (orders_nothing(row))
            continue;
        if (!is_plain(row))
            sm_emit_site(&emit);
        else if (row->size)
            emit_check(pass, i);
    }
}

/* Reports are made inside the program, which has no demangler. */
static void demangle_functions(struct sm_pass *pass)
{
    for (size_t i = 0; i < pass->n_rows; i++) {
        char *readable = sm_demangle(pass->rows[i].function);
        if (!readable)
            continue;
        sm_library_name(readable);
        pass->rows[i].function = sm_intern(&pass->strings, readable);
        free(readable);
    }
}

bool sm_detect_run(LLVMModuleRef module)
{
    struct sm_pass pass;
    if (LLVMGetNamedGlobal(module, "sm.module"))
        return false;
    sm_pass_init(&pass, module);
    sm_replace_requests(&pass);
    sm_replace_tsan_calls(&pass);
    sm_collect(&pass);
    uint32_t n_units = (uint32_t)pass.n_units;
    if (n_units) {
        sm_calls_collect(&pass);
        demangle_functions(&pass);
        sm_tables_emit(&pass);
        sm_paths_link(module);
        /* for all units before the first function loses its attributes, which help with its
           callers */
        for (uint32_t i = 0; i < n_units; i++)
            sm_skip_needless(&pass, &pass.units[i]);
        for (uint32_t i = 0; i < n_units; i++) {
            sm_drop_promises(pass.units[i].function);
            instrument(&pass, &pass.units[i]);
        }
        sm_calls_emit(&pass);
    }
    sm_pass_free(&pass);
    return n_units != 0;
}
