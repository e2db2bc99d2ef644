/* reading.c - reads a header with libclang. See library.h. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/library.h"
#include "syntax/clang.h"

/* ---- types ---- */

static bool is_number(CXType type)
{
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return kind == CXType_Enum || (kind >= CXType_Bool && kind <= CXType_ULongLong) ||
           (kind >= CXType_Char_S && kind <= CXType_LongLong);
}

static bool is_boolean(CXType type)
{
    return clang_getCanonicalType(type).kind == CXType_Bool;
}

static bool is_character(CXType type)
{
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return kind == CXType_Char_S || kind == CXType_Char_U;
}

static bool is_record(CXType type)
{
    CXType canonical = clang_getCanonicalType(type);
    enum CXCursorKind kind = clang_getCursorKind(clang_getTypeDeclaration(canonical));
    return canonical.kind == CXType_Record && kind != CXCursor_UnionDecl;
}

static bool is_void(CXType type)
{
    return clang_getCanonicalType(type).kind == CXType_Void;
}

static bool is_pointer(CXType type)
{
    return clang_getCanonicalType(type).kind == CXType_Pointer;
}

static CXType pointee_of(CXType type)
{
    return clang_getPointeeType(clang_getCanonicalType(type));
}

static bool points_to_function(CXType type)
{
    enum CXTypeKind kind = clang_getCanonicalType(pointee_of(type)).kind;
    return kind == CXType_FunctionProto || kind == CXType_FunctionNoProto;
}

/* The spelling without leading const and volatile, if they qualify the type itself. */
static char *unqualified(CXType type)
{
    static const char *const words[] = {"const ", "volatile "};
    char *text = sm_clang_text(clang_getTypeSpelling(type)), *at = text;
    for (size_t i = 0; !is_pointer(type) && i < sizeof words / sizeof *words; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            at += strlen(words[i]);
    memmove(text, at, strlen(at) + 1);
    return text;
}

/* ---- records ---- */

struct fields {
    struct sm_list *names;
    bool all; /* are numbers or pointers */
};

static enum CXVisitorResult add_field(CXCursor cursor, CXClientData data)
{
    struct fields *fields = data;
    char *name = sm_clang_text(clang_getCursorSpelling(cursor));
    if (is_number(clang_getCursorType(cursor)))
        sm_list_add(fields->names, name);
    else
        fields->all = false;
    free(name);
    return CXVisit_Continue;
}

/* True if each field is a number, and there are not too many. */
static bool read_fields(CXType record, struct sm_list *names)
{
    struct fields fields = {names, true};
    clang_Type_visitFields(clang_getCanonicalType(record), add_field, &fields);
    return fields.all && names->n && names->n < SM_HARNESS_VALUES;
}

/* ---- parameters and results ---- */

static enum sm_parameter_kind kind_of_record_pointer(struct sm_parameter *parameter, CXType pointee)
{
    parameter->complete = clang_Type_getSizeOf(pointee) > 0;
    if (parameter->complete && read_fields(pointee, &parameter->fields))
        return parameter->constant ? SM_PARAMETER_RECORD_IN : SM_PARAMETER_RECORD_OUT;
    return SM_PARAMETER_RESOURCE; /* or a node, or the object: roles.c */
}

static enum sm_parameter_kind kind_of_pointer(struct sm_parameter *parameter, CXType type)
{
    CXType pointee = pointee_of(type);
    parameter->constant = clang_isConstQualifiedType(pointee);
    parameter->boolean = is_boolean(pointee);
    free(parameter->pointee);
    parameter->pointee = unqualified(pointee);
    if (points_to_function(type))
        return SM_PARAMETER_UNKNOWN;
    if (is_void(pointee))
        return SM_PARAMETER_PAYLOAD;
    if (is_character(pointee))
        return parameter->constant ? SM_PARAMETER_STRING : SM_PARAMETER_UNKNOWN;
    if (is_number(pointee))
        return parameter->constant ? SM_PARAMETER_IN : SM_PARAMETER_OUT;
    if (is_pointer(pointee) && !points_to_function(pointee))
        return SM_PARAMETER_OUT_POINTER;
    return is_record(pointee) ? kind_of_record_pointer(parameter, pointee) : SM_PARAMETER_UNKNOWN;
}

static void read_parameter(struct sm_parameter *parameter, CXType type, char *name)
{
    *parameter = (struct sm_parameter){.name = name,
                                       .type = unqualified(type),
                                       .pointee = sm_copy_text(""),
                                       .boolean = is_boolean(type)};
    if (is_number(type))
        parameter->kind = SM_PARAMETER_NUMBER;
    else if (is_pointer(type))
        parameter->kind = kind_of_pointer(parameter, type);
    else if (is_record(type) && read_fields(type, &parameter->fields))
        parameter->kind = SM_PARAMETER_RECORD;
}

/* ---- functions ---- */

static char *declaration_of(CXCursor cursor, const struct sm_callable *function)
{
    struct sm_buffer text = {0};
    char *result = sm_clang_text(clang_getTypeSpelling(clang_getCursorResultType(cursor)));
    sm_buffer_print(&text, "%s%s%s(", result, result[strlen(result) - 1] == '*' ? "" : " ",
                    function->name);
    for (size_t i = 0; i < function->n; i++) {
        CXCursor argument = clang_Cursor_getArgument(cursor, (unsigned)i);
        char *type = sm_clang_text(clang_getTypeSpelling(clang_getCursorType(argument)));
        const char *name = function->parameters[i].name;
        sm_buffer_print(&text, "%s%s%s%s", i ? ", " : "", type,
                        *name && type[strlen(type) - 1] != '*' ? " " : "", name);
        free(type);
    }
    sm_buffer_text(&text, function->variadic ? ", ...)" : function->n ? ")" : "void)");
    free(result);
    return text.data;
}

static void read_function(struct sm_library *library, CXCursor cursor)
{
    int n = clang_Cursor_getNumArguments(cursor);
    struct sm_callable function = {.name = sm_clang_text(clang_getCursorSpelling(cursor)),
                                   .n = n > 0 ? (size_t)n : 0,
                                   .variadic = clang_Cursor_isVariadic(cursor),
                                   .needs = SM_NO_FUNCTION,
                                   .reuses = SM_NO_FUNCTION,
                                   .waits_for = SM_NO_FUNCTION};
    if (sm_library_find(library, function.name) != SM_NO_FUNCTION) {
        free(function.name);
        return;
    }
    read_parameter(&function.result, clang_getCursorResultType(cursor), sm_copy_text(""));
    function.parameters = sm_new((function.n + 1) * sizeof *function.parameters);
    for (size_t i = 0; i < function.n; i++) {
        CXCursor argument = clang_Cursor_getArgument(cursor, (unsigned)i);
        read_parameter(&function.parameters[i], clang_getCursorType(argument),
                       sm_clang_text(clang_getCursorSpelling(argument)));
    }
    function.declaration = declaration_of(cursor, &function);
    library->functions =
        sm_resize(library->functions, (library->n + 1) * sizeof *library->functions);
    library->functions[library->n++] = function;
}

/* Declarations of the header itself, also inside extern "C" { ... }. */
static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (!clang_Location_isFromMainFile(clang_getCursorLocation(cursor)))
        return CXChildVisit_Continue;
    if (kind == CXCursor_LinkageSpec || kind == CXCursor_UnexposedDecl)
        return CXChildVisit_Recurse;
    if (kind == CXCursor_FunctionDecl)
        read_function(data, cursor);
    return CXChildVisit_Continue;
}

/* ---- the header ---- */

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static bool is_cxx(const char *path)
{
    static const char *const ends[] = {".hpp", ".hh", ".hxx", ".H"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends_with(path, ends[i]))
            return true;
    return false;
}

static CXTranslationUnit parse(CXIndex index, const struct sm_library *library,
                               const struct sm_list *operands)
{
    const char **words = sm_new((operands->n + 4) * sizeof *words);
    int n = 0;
    words[n++] = "-x";
    words[n++] = library->cxx ? "c++" : "c";
    words[n++] = library->cxx ? "-std=gnu++17" : "-std=gnu17";
    for (size_t i = 1; i < operands->n; i++)
        words[n++] = operands->items[i];
    CXTranslationUnit parsed =
        clang_parseTranslationUnit(index, library->header, words, n, NULL, 0, 0);
    free(words);
    return parsed;
}

static bool read_unit(struct sm_library *library, CXTranslationUnit parsed, struct sm_error *error)
{
    char *why = NULL;
    if (!parsed)
        return sm_fail(error, SM_STATUS_USAGE, "harness: libclang cannot read %s", library->header);
    sm_clang_diagnostics(parsed, CXDiagnostic_Error, &why);
    if (why) {
        sm_fail(error, SM_STATUS_USAGE,
                "harness: %s does not compile: %s; options for the compiler follow two dashes: "
                "stalemate harness %s -- -I DIR",
                library->header, why, library->header);
        free(why);
        return false;
    }
    clang_visitChildren(clang_getTranslationUnitCursor(parsed), visit, library);
    return true;
}

bool sm_library_read(struct sm_library *library, const struct sm_settings *settings,
                     struct sm_error *error)
{
    char *why = NULL;
    library->header = settings->operands.items[0];
    library->cxx = is_cxx(library->header);
    library->create = library->destroy = SM_NO_FUNCTION;
    if (access(library->header, R_OK) != 0)
        return sm_fail(error, SM_STATUS_USAGE, "harness: cannot read the header %s",
                       library->header);
    if (!sm_clang_load(&why)) {
        sm_fail(error, SM_STATUS_USAGE, "harness: %s", why);
        free(why);
        return false;
    }
    CXIndex index = clang_createIndex(0, 0);
    CXTranslationUnit parsed = parse(index, library, &settings->operands);
    bool ok = read_unit(library, parsed, error);
    if (parsed)
        clang_disposeTranslationUnit(parsed);
    clang_disposeIndex(index);
    return ok;
}

/* ---- the list ---- */

int sm_library_find(const struct sm_library *library, const char *name)
{
    for (size_t i = 0; i < library->n; i++)
        if (strcmp(library->functions[i].name, name) == 0)
            return (int)i;
    return SM_NO_FUNCTION;
}

static void free_parameter(struct sm_parameter *parameter)
{
    free(parameter->name);
    free(parameter->type);
    free(parameter->pointee);
    sm_list_free(&parameter->fields);
}

void sm_library_free(struct sm_library *library)
{
    for (size_t i = 0; i < library->n; i++) {
        struct sm_callable *function = &library->functions[i];
        for (size_t k = 0; k < function->n; k++)
            free_parameter(&function->parameters[k]);
        free_parameter(&function->result);
        free(function->parameters);
        free(function->name);
        free(function->declaration);
        free(function->why_not);
    }
    free(library->functions);
    free(library->object);
}
