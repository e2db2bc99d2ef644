/*
 * source.c - see source.h.
 */
#include "plugin/source.h"

#include "plugin/llvm_gaps.h"

#include <limits.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* clang writes an absolute name relative to the nearest directory that also contains the working
 * directory: if that is not the working directory itself, it belongs to the name. */
static void add_directory(struct sm_text *text, LLVMMetadataRef file, const char *name)
{
    char working[PATH_MAX];
    unsigned length = 0;
    const char *directory = LLVMDIFileGetDirectory(file, &length);
    if (!length || *name == '/' || !getcwd(working, sizeof working) ||
        (strlen(working) == length && strncmp(working, directory, length) == 0))
        return;
    sm_text_add_n(text, directory, length);
    sm_text_add(text, "/");
}

static const char *spell_file(struct sm_pass *pass, LLVMMetadataRef file)
{
    unsigned length = 0;
    const char *name = LLVMDIFileGetFilename(file, &length);
    struct sm_text text = {0};
    if (length)
        add_directory(&text, file, name);
    sm_text_add_n(&text, length ? name : "?", length ? length : 1);
    /* /usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/vector */
    name = sm_text_get(&text);
    char *shorter = *name == '/' && strstr(name, "/../") ? realpath(name, NULL) : NULL;
    name = sm_intern(&pass->strings, shorter ? shorter : name);
    free(shorter);
    sm_text_free(&text);
    return name;
}

/* Cached for each file: every access asks, and a name takes system calls (11,652 of them fell to
   553 for a small C++ file). */
static const char *file_name(struct sm_pass *pass, LLVMMetadataRef scope)
{
    LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    if (!file)
        return sm_intern(&pass->strings, "?");
    uintptr_t *name = sm_map_at(&pass->files, file);
    if (!*name)
        *name = (uintptr_t)spell_file(pass, file);
    return (const char *)*name;
}

bool sm_is_system_file(const char *file)
{
    return sm_starts_with(file, "/usr/include/") || sm_starts_with(file, "/usr/lib") ||
           strstr(file, "/include/c++/");
}

/* The linkage name; `otherwise` if the debug information has none. */
static const char *function_name(struct sm_pass *pass, LLVMMetadataRef subprogram,
                                 const char *otherwise)
{
    const char *name = sm_di_linkage_name(subprogram);
    if (!*name)
        name = sm_di_name(subprogram);
    return sm_intern(&pass->strings, *name ? name : otherwise);
}

static bool has_line(LLVMMetadataRef location)
{
    return location && LLVMDILocationGetLine(location);
}

/* A load that the optimiser moved or merged has lost its line: use that of the test or computation
   that uses its value, where a programmer sees the load. */
static LLVMMetadataRef nearest_location(LLVMValueRef instruction)
{
    enum { FAR = 4 }; /* a truncation, a comparison, the branch */
    LLVMMetadataRef own = LLVMInstructionGetDebugLoc(instruction), location = own;
    for (int i = 0; i < FAR && !has_line(location); i++) {
        LLVMUseRef use = LLVMGetFirstUse(instruction);
        instruction = use ? LLVMIsAInstruction(LLVMGetUser(use)) : NULL;
        if (!instruction)
            break;
        location = LLVMInstructionGetDebugLoc(instruction);
    }
    return has_line(location) ? location : own;
}

/* The innermost location that is the program's own; the outermost if none is. */
static LLVMMetadataRef programs_location(struct sm_pass *pass, LLVMValueRef instruction)
{
    LLVMMetadataRef location = nearest_location(instruction);
    while (location && sm_is_system_file(file_name(pass, LLVMDILocationGetScope(location)))) {
        LLVMMetadataRef caller = LLVMDILocationGetInlinedAt(location);
        if (!caller)
            break;
        location = caller;
    }
    return location;
}

void sm_source_of_location(struct sm_pass *pass, struct sm_row *row, LLVMMetadataRef location)
{
    LLVMMetadataRef scope = LLVMDILocationGetScope(location);
    LLVMMetadataRef subprogram = sm_di_subprogram_of_scope(scope);
    unsigned column = LLVMDILocationGetColumn(location);
    row->file = file_name(pass, scope);
    row->function = function_name(pass, subprogram, "?");
    row->line = LLVMDILocationGetLine(location);
    row->column = (uint16_t)(column > UINT16_MAX ? UINT16_MAX : column);
    row->inlined = LLVMDILocationGetInlinedAt(location);
    if (sm_di_is_artificial(subprogram))
        row->flags |= SM_SITE_IMPLICIT;
    if (!row->line && subprogram) /* no line: at least that of the function */
        row->line = LLVMDISubprogramGetLine(subprogram);
}

void sm_source_of_instruction(struct sm_pass *pass, struct sm_row *row)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(row->instruction);
    LLVMValueRef function = LLVMGetBasicBlockParent(block);
    LLVMMetadataRef location = programs_location(pass, row->instruction);
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    if (location) {
        sm_source_of_location(pass, row, location);
        return;
    }
    row->file = file_name(pass, subprogram);
    row->function = function_name(pass, subprogram, sm_value_name(function));
    row->line = subprogram ? LLVMDISubprogramGetLine(subprogram) : 0;
}

void sm_source_of_function(struct sm_pass *pass, struct sm_unit *unit)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(unit->function);
    unit->name = function_name(pass, subprogram, sm_value_name(unit->function));
    unit->file = file_name(pass, subprogram);
    unit->line = subprogram ? LLVMDISubprogramGetLine(subprogram) : 0;
}
