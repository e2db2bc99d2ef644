/*
 * tables.c - see tables.h. The field order below is the layout of abi/site.h.
 */
#include "plugin/tables.h"

#include "plugin/hook.h"
#include "plugin/llvm_gaps.h"
#include "plugin/outline.h"
#include "plugin/type_path.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

static LLVMValueRef add_global(struct sm_pass *pass, const char *name, LLVMTypeRef type,
                               bool constant)
{
    LLVMValueRef global = LLVMAddGlobal(pass->module, type, "");
    LLVMValueRef declared = LLVMGetNamedGlobal(pass->module, name);
    if (declared && LLVMIsDeclaration(declared)) {
        LLVMReplaceAllUsesWith(declared, global);
        LLVMDeleteGlobal(declared);
    }
    LLVMSetValueName2(global, name, strlen(name));
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMSetGlobalConstant(global, constant);
    return global;
}

static LLVMValueRef add_array(struct sm_pass *pass, const char *name, LLVMValueRef initializer,
                              bool constant)
{
    LLVMValueRef global = add_global(pass, name, LLVMTypeOf(initializer), constant);
    LLVMSetInitializer(global, initializer);
    return global;
}

/* If rows and their strings are in one section the assembler computes the distances; otherwise each
   needs a relocation, which made up a fifth of SQLite's object. */
static const char one_section[] = ".rodata.stalemate";

/* One private constant for each distinct string; `globals` maps the interned pointer. */
static LLVMValueRef string(struct sm_pass *pass, struct sm_map *globals, const char *chars)
{
    if (!chars)
        return LLVMConstNull(pass->pointer);
    uintptr_t *slot = sm_map_at(globals, chars);
    if (!*slot) {
        LLVMValueRef bytes =
            LLVMConstStringInContext(pass->context, chars, (unsigned)strlen(chars), false);
        LLVMValueRef global = add_array(pass, "sm.string", bytes, true);
        LLVMSetLinkage(global, LLVMPrivateLinkage);
        LLVMSetSection(global, one_section);
        LLVMSetAlignment(global, 1);
        *slot = (uintptr_t)global;
    }
    return (LLVMValueRef)*slot;
}

static LLVMValueRef number(LLVMTypeRef type, uint64_t value)
{
    return LLVMConstInt(type, value, false);
}

#define COUNT(array) (unsigned)(sizeof(array) / sizeof *(array))

static LLVMValueRef record(struct sm_pass *pass, LLVMValueRef *fields, unsigned n)
{
    return LLVMConstStructInContext(pass->context, fields, n, false);
}

/* Distance from row number `index` to its caller's row. */
static uint64_t distance(const struct sm_row *row, uint32_t index)
{
    return row->caller ? (uint64_t)row->caller - 1 - index : 0;
}

/* A string of row number `index`, located by field number `field`. */
static LLVMValueRef row_string(struct sm_pass *pass, struct sm_map *strings, const char *chars,
                               uint32_t index, unsigned field)
{
    LLVMValueRef target = string(pass, strings, chars);
    if (!chars)
        return number(pass->i64, 0);
    LLVMValueRef at = number(pass->i64, sizeof(struct sm_site) * index + field * sizeof(char *));
    LLVMValueRef here = LLVMConstInBoundsGEP2(pass->i8, pass->sites, &at, 1);
    return LLVMConstSub(LLVMConstPtrToInt(target, pass->i64), LLVMConstPtrToInt(here, pass->i64));
}

static LLVMValueRef site_record(struct sm_pass *pass, struct sm_map *strings,
                                const struct sm_row *row, uint32_t index, uint32_t unit)
{
    LLVMTypeRef i16 = LLVMInt16TypeInContext(pass->context);
    LLVMValueRef fields[] = {
        row_string(pass, strings, row->file, index, 0),
        row_string(pass, strings, row->function, index, 1),
        row_string(pass, strings, row->variable, index, 2),
        row_string(pass, strings, row->object, index, 3),
        number(pass->i32, row->line),
        number(pass->i32, row->size),
        number(pass->i32, row->offset),
        number(pass->i32, unit),
        number(i16, row->column),
        number(pass->i8, row->kind),
        number(pass->i8, row->order),
        number(pass->i8, row->order_fail),
        number(pass->i8, row->op),
        number(pass->i8, row->flags),
        number(pass->i8, 1),
        number(pass->i32, row->object_size),
        number(pass->i32, distance(row, index)),
        number(pass->i32, row->stride),
        number(pass->i32, row->length),
        number(pass->i32, row->origin),
        number(pass->i32, row->element),
        number(pass->i32, (uint32_t)row->operand),
        number(pass->i32, row->use),
    };
    return record(pass, fields, COUNT(fields));
}

static LLVMValueRef function_record(struct sm_pass *pass, struct sm_map *strings,
                                    const struct sm_unit *unit)
{
    LLVMValueRef fields[] = {
        string(pass, strings, unit->name), string(pass, strings, unit->file),
        number(pass->i32, unit->line),     number(pass->i32, unit->first_row),
        number(pass->i32, unit->n_rows),   number(pass->i32, unit->external | unit->wraps << 1),
    };
    return record(pass, fields, COUNT(fields));
}

static LLVMValueRef record_array(LLVMValueRef *records, size_t n)
{
    return LLVMConstArray2(LLVMTypeOf(records[0]), records, n);
}

static void emit_sites(struct sm_pass *pass, struct sm_map *strings)
{
    LLVMValueRef *records = sm_allocate((pass->n_rows + 1) * sizeof *records);
    size_t n = pass->n_rows + !pass->n_rows; /* an empty array needs its element's type, too */
    records[0] = site_record(pass, strings, &(struct sm_row){.variable = NULL}, 0, 0);
    pass->sites = add_global(pass, "sm.sites", LLVMArrayType2(LLVMTypeOf(records[0]), n), true);
    LLVMSetSection(pass->sites, one_section);
    for (uint32_t u = 0; u < pass->n_units; u++) {
        const struct sm_unit *unit = &pass->units[u];
        for (uint32_t i = unit->first_row; i < unit->first_row + unit->n_rows; i++)
            records[i] = site_record(pass, strings, &pass->rows[i], i, u);
    }
    LLVMSetInitializer(pass->sites, record_array(records, n));
    free(records);
}

static void emit_functions(struct sm_pass *pass, struct sm_map *strings)
{
    LLVMValueRef *records = sm_allocate(pass->n_units * sizeof *records);
    for (size_t u = 0; u < pass->n_units; u++)
        records[u] = function_record(pass, strings, &pass->units[u]);
    pass->functions = add_array(pass, "sm.functions", record_array(records, pass->n_units), true);
    free(records);
}

/* Constants, thread-local variables and compiler-generated variables are not shared. */
static bool is_shared_variable(LLVMValueRef global)
{
    LLVMMetadataRef variable = sm_di_global_variable(global);
    return !LLVMIsDeclaration(global) && !LLVMIsGlobalConstant(global) &&
           !LLVMIsThreadLocal(global) && LLVMGetLinkage(global) != LLVMAvailableExternallyLinkage &&
           variable && *sm_di_name(variable);
}

static LLVMMetadataRef element_type(LLVMMetadataRef type)
{
    LLVMMetadataRef stripped = sm_type_strip(type);
    while (stripped && LLVMGetDINodeTag(stripped) == SM_TAG_ARRAY) {
        type = sm_di_base_type(stripped);
        stripped = sm_type_strip(type);
    }
    return type;
}

static LLVMValueRef global_record(struct sm_pass *pass, struct sm_map *strings, LLVMValueRef global)
{
    LLVMMetadataRef variable = sm_di_global_variable(global);
    LLVMMetadataRef element = element_type(sm_di_base_type(variable));
    LLVMMetadataRef stripped = sm_type_strip(element);
    bool composite = stripped && sm_type_is_composite(stripped);
    struct sm_text name = {0}, type = {0};
    sm_qualified_name(&name, variable);
    if (composite)
        sm_qualified_name(&type, *sm_di_name(stripped) ? stripped : element);
    LLVMValueRef fields[] = {
        string(pass, strings, sm_intern(&pass->strings, sm_text_get(&name))),
        string(pass, strings, composite ? sm_intern(&pass->strings, sm_text_get(&type)) : NULL),
        global,
        number(pass->i64, LLVMABISizeOfType(pass->layout, LLVMGlobalGetValueType(global))),
        number(pass->i32, composite ? sm_type_size(stripped) : 0),
        number(pass->i32, sm_di_subprogram_of_scope(sm_di_scope(variable)) != NULL),
    };
    sm_text_free(&name);
    sm_text_free(&type);
    return record(pass, fields, COUNT(fields));
}

/* After the optimiser: variables that it has removed are not accessed, and a reference from here
 * would have kept it from removing them. */
static size_t emit_globals(struct sm_pass *pass, struct sm_map *strings)
{
    LLVMValueRef *records = NULL;
    size_t n = 0, room = 0;
    for (LLVMValueRef global = LLVMGetFirstGlobal(pass->module); global;
         global = LLVMGetNextGlobal(global)) {
        if (!is_shared_variable(global))
            continue;
        records = sm_grow(records, n, &room, sizeof *records);
        records[n++] = global_record(pass, strings, global);
    }
    pass->globals = n ? add_array(pass, "sm.globals", record_array(records, n), true)
                      : LLVMConstNull(pass->pointer);
    free(records);
    return n;
}

static LLVMValueRef emit_bytes(struct sm_pass *pass, const char *name, size_t n)
{
    return add_array(pass, name, LLVMConstNull(LLVMArrayType2(pass->i8, n)), false);
}

static void emit_module(struct sm_pass *pass, struct sm_map *strings, size_t n_globals)
{
    size_t length;
    const char *source = LLVMGetSourceFileName(pass->module, &length);
    LLVMValueRef fields[] = {
        number(pass->i32, SM_SITE_VERSION),
        number(pass->i32, pass->n_rows),
        number(pass->i32, pass->n_units),
        number(pass->i32, 0),
        pass->sites,
        pass->functions,
        pass->watch,
        pass->function_watch,
        string(pass, strings, sm_intern(&pass->strings, source)),
        LLVMConstNull(pass->pointer),
        pass->globals,
        number(pass->i64, n_globals),
        NULL,
        NULL,
    };
    sm_outlined_range(pass, &fields[COUNT(fields) - 2], &fields[COUNT(fields) - 1]);
    pass->module_row = add_array(pass, "sm.module", record(pass, fields, COUNT(fields)), false);
}

/* void name(void) { hook(&sm.module); } */
static LLVMValueRef emit_caller(struct sm_pass *pass, const char *name, enum sm_hook hook)
{
    LLVMTypeRef type = LLVMFunctionType(pass->void_type, NULL, 0, false);
    LLVMValueRef function = LLVMAddFunction(pass->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    LLVMPositionBuilderAtEnd(pass->builder,
                             LLVMAppendBasicBlockInContext(pass->context, function, ""));
    LLVMSetCurrentDebugLocation2(pass->builder, NULL);
    sm_hook_call(pass, hook, &pass->module_row);
    LLVMBuildRetVoid(pass->builder);
    return function;
}

static LLVMValueRef declare(struct sm_pass *pass, const char *name)
{
    LLVMValueRef global = LLVMAddGlobal(pass->module, LLVMArrayType2(pass->i8, 0), name);
    LLVMSetVisibility(global, LLVMHiddenVisibility);
    return global;
}

void sm_tables_declare(struct sm_pass *pass)
{
    pass->sites = declare(pass, "sm.sites");
    pass->functions = declare(pass, "sm.functions");
    pass->watch = declare(pass, "sm.watch");
    pass->function_watch = declare(pass, "sm.function_watch");
}

void sm_tables_emit(struct sm_pass *pass)
{
    struct sm_map strings = {0};
    emit_sites(pass, &strings);
    emit_functions(pass, &strings);
    pass->watch = emit_bytes(pass, "sm.watch", pass->n_rows + !pass->n_rows);
    pass->function_watch = emit_bytes(pass, "sm.function_watch", pass->n_units);
    emit_module(pass, &strings, emit_globals(pass, &strings));
    sm_add_constructor(pass->module, emit_caller(pass, "sm.add_module", SM_HOOK_sm_module_add));
    sm_add_destructor(pass->module,
                      emit_caller(pass, "sm.remove_module", SM_HOOK_sm_module_remove));
    sm_map_free(&strings);
}
