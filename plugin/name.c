/*
 * name.c - see name.h.
 */
#include "plugin/name.h"

#include "abi/library_name.h"
#include "plugin/llvm_gaps.h"
#include "plugin/type_path.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A pointer loaded from a pointer loaded from ... : a longer name is not useful. */
enum { MAX_DEPTH = 4, MAX_VARIABLES = 64 };

struct address_parts { /* an address, taken apart */
    LLVMValueRef base;
    int64_t offset;      /* from base, every variable index taken as 0 */
    bool indexed;        /* base itself is used as an array: p[i] */
    LLVMTypeRef hint;    /* the struct that the getelementptr nearest the base enters */
    int64_t hint_offset; /* of the address within it */
    uint64_t stride;     /* of the innermost array that is indexed, or 0 */
    uint64_t length;     /* its elements, or 0 */
    int64_t beyond;      /* part of offset that comes from its index, and from behind it */
};

struct pointer { /* what is known of a pointer value */
    LLVMMetadataRef pointee;
    struct sm_text spelled;
    bool reference;
};

/* Decomposing an address. */

static LLVMOpcode opcode_of(LLVMValueRef value)
{
    if (LLVMIsAInstruction(value))
        return LLVMGetInstructionOpcode(value);
    return LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value) : (LLVMOpcode)0;
}

static bool is_pass_through_call(LLVMValueRef value)
{
    LLVMValueRef callee = LLVMIsACallInst(value) ? sm_direct_callee(value) : NULL;
    const char *name = callee ? sm_value_name(callee) : "";
    return sm_starts_with(name, "llvm.threadlocal.address") ||
           sm_starts_with(name, "llvm.launder.invariant.group") ||
           sm_starts_with(name, "llvm.strip.invariant.group");
}

/* The operand an address is derived from, or NULL at the base. */
static LLVMValueRef derived_from(LLVMValueRef value)
{
    LLVMOpcode opcode = opcode_of(value);
    if (opcode == LLVMGetElementPtr || opcode == LLVMBitCast || opcode == LLVMAddrSpaceCast)
        return LLVMGetOperand(value, 0);
    return is_pass_through_call(value) ? LLVMGetOperand(value, 0) : NULL;
}

LLVMValueRef sm_base_of(LLVMValueRef address)
{
    for (LLVMValueRef next; (next = derived_from(address)) != NULL;)
        address = next;
    return address;
}

static int64_t index_value(LLVMValueRef index)
{
    return LLVMIsAConstantInt(index) ? LLVMConstIntGetSExtValue(index) : 0;
}

/* Bytes from the second index on, that is, within the source element type. */
static int64_t offset_within(struct sm_pass *pass, LLVMValueRef gep)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    int64_t offset = 0;
    for (int i = 2; i < LLVMGetNumOperands(gep); i++) {
        int64_t index = index_value(LLVMGetOperand(gep, (unsigned)i));
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            offset += (int64_t)LLVMOffsetOfElement(pass->layout, type, (unsigned)index);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)index);
        } else {
            type = LLVMGetElementType(type);
            offset += index * (int64_t)LLVMABISizeOfType(pass->layout, type);
        }
    }
    return offset;
}

static bool is_moved(LLVMValueRef gep)
{
    LLVMValueRef first = LLVMGetOperand(gep, 1);
    return !LLVMIsAConstantInt(first) || LLVMConstIntGetSExtValue(first) != 0;
}

/* Is the first index an array index? A constant number of bytes leads to a field. */
static bool is_array_index(struct sm_pass *pass, LLVMValueRef gep)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    return is_moved(gep) && LLVMTypeIsSized(type) &&
           !(type == pass->i8 && LLVMIsAConstantInt(LLVMGetOperand(gep, 1)));
}

/* Records the last index into an array; `place` describes what follows this getelementptr. */
static void take_array(struct sm_pass *pass, struct address_parts *place, LLVMValueRef gep)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    int64_t offset = 0, before = 0;
    if (is_array_index(pass, gep)) {
        place->stride = LLVMABISizeOfType(pass->layout, type);
        before = -index_value(LLVMGetOperand(gep, 1)) * (int64_t)place->stride;
    }
    for (int i = 2; i < LLVMGetNumOperands(gep); i++) {
        int64_t index = index_value(LLVMGetOperand(gep, (unsigned)i));
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            offset += (int64_t)LLVMOffsetOfElement(pass->layout, type, (unsigned)index);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)index);
            continue;
        }
        place->length = LLVMGetTypeKind(type) == LLVMArrayTypeKind ? LLVMGetArrayLength2(type) : 0;
        type = LLVMGetElementType(type);
        place->stride = LLVMABISizeOfType(pass->layout, type);
        before = offset;
        offset += index * (int64_t)place->stride;
    }
    place->beyond = place->offset + offset - before;
}

static void take_gep(struct sm_pass *pass, struct address_parts *place, LLVMValueRef gep)
{
    LLVMTypeRef source = LLVMGetGEPSourceElementType(gep);
    LLVMValueRef first = LLVMGetOperand(gep, 1);
    bool moved = is_moved(gep);
    if (!place->stride)
        take_array(pass, place, gep);
    place->offset += offset_within(pass, gep);
    if (LLVMGetTypeKind(source) == LLVMStructTypeKind && LLVMGetStructName(source)) {
        place->hint = source;
        place->hint_offset = place->offset;
    }
    if (LLVMTypeIsSized(source))
        place->offset += index_value(first) * (int64_t)LLVMABISizeOfType(pass->layout, source);
    place->indexed = moved;
}

static struct address_parts take_apart(struct sm_pass *pass, LLVMValueRef address)
{
    struct address_parts place = {0};
    LLVMValueRef next;
    for (; (next = derived_from(address)) != NULL; address = next)
        if (opcode_of(address) == LLVMGetElementPtr)
            take_gep(pass, &place, address);
    place.base = address;
    return place;
}

/* Naming. describe() and describe_pointer() call each other, at most MAX_DEPTH deep. */

static void describe(struct sm_pass *pass, struct sm_path *path, LLVMValueRef address,
                     struct sm_touch touch, int depth);

static void free_pointer(struct pointer *pointer)
{
    sm_text_free(&pointer->spelled);
}

enum rank { RANK_VOID, RANK_SCALAR, RANK_STRUCT, RANK_STRUCT_WITH_BYTES, RANK_ENTERED };

/* Prefer the struct that the code enters, then one with bytes at this offset: an inlined
   constructor of the first member has bound the same pointer to a smaller type. */
static enum rank rank_pointee(LLVMMetadataRef pointee, const struct address_parts *place)
{
    LLVMMetadataRef stripped = sm_type_strip(pointee);
    if (!stripped || !sm_type_size(stripped))
        return RANK_VOID;
    if (!sm_type_is_composite(stripped))
        return RANK_SCALAR;
    struct sm_text hint = {0}, name = {0};
    sm_qualified_name(&name, *sm_di_name(stripped) ? stripped : pointee);
    bool same = place->hint && sm_struct_source_name(&hint, place->hint) &&
                sm_starts_with(sm_text_get(&name), sm_text_get(&hint)) &&
                strchr("<", sm_text_get(&name)[hint.length]);
    sm_text_free(&hint);
    sm_text_free(&name);
    bool within = place->offset >= 0 && (uint64_t)place->offset < sm_type_size(stripped);
    return same ? RANK_ENTERED : within ? RANK_STRUCT_WITH_BYTES : RANK_STRUCT;
}

static void offer(struct pointer *pointer, enum rank *best, LLVMMetadataRef type,
                  const struct address_parts *place)
{
    bool reference;
    LLVMMetadataRef pointee = sm_type_pointee(type, &reference);
    enum rank rank = rank_pointee(pointee, place);
    if (rank <= *best)
        return;
    *best = rank;
    pointer->pointee = pointee;
    pointer->reference = reference;
}

/* A copy of the address in an integer does not name what is at the address. */
static void offer_variables(struct pointer *pointer, enum rank *best, LLVMValueRef value,
                            const struct address_parts *place)
{
    LLVMMetadataRef variables[MAX_VARIABLES];
    size_t n = sm_di_local_variables(value, variables, MAX_VARIABLES);
    for (size_t i = 0; i < n && i < MAX_VARIABLES; i++) {
        LLVMMetadataRef type = sm_di_base_type(variables[i]);
        offer(pointer, best, type, place);
        if (!pointer->spelled.length && !sm_type_is_number(sm_type_strip(type)))
            sm_text_add(&pointer->spelled, sm_di_name(variables[i]));
    }
}

static void offer_loaded(struct sm_pass *pass, struct pointer *pointer, enum rank *best,
                         LLVMValueRef load, const struct address_parts *place, int depth)
{
    struct sm_path path = {0};
    LLVMTypeRef type = LLVMTypeOf(load);
    describe(pass, &path, LLVMGetOperand(load, 0),
             (struct sm_touch){0, sm_store_size(pass, type), type}, depth + 1);
    offer(pointer, best, path.leaf, place);
    const char *name = sm_text_get(&path.text);
    if (*name && !strchr(name, '?'))
        sm_text_add(&pointer->spelled, name + (*name == '&'));
    sm_path_free(&path);
}

/* `entries_[]` for what operator[] or at() of a container returns. False if the container has no
   name. */
static bool spell_element(struct sm_pass *pass, struct pointer *pointer, LLVMValueRef call,
                          const char *function, int depth)
{
    struct sm_path path = {0};
    if (depth >= MAX_DEPTH || LLVMGetNumArgOperands(call) < 2 ||
        (strcmp(function, "operator[]") != 0 && strcmp(function, "at") != 0))
        return false;
    describe(pass, &path, LLVMGetOperand(call, 0), (struct sm_touch){.size = 1}, depth + 1);
    char *name = path.text.chars, *inner = name ? strstr(name, "._M_") : NULL;
    if (inner)
        *inner = 0;
    bool named = name && *name && !strchr(name, '?') && !strchr(name, '*') && !strchr(name, '(');
    if (named) {
        size_t length = strlen(name);
        sm_text_add(&pointer->spelled, name);
        if (length < 2 || strcmp(name + length - 2, "[]") != 0) /* not the elements of std::array */
            sm_text_add(&pointer->spelled, "[]");
    }
    sm_path_free(&path);
    return named;
}

static void offer_returned(struct sm_pass *pass, struct pointer *pointer, enum rank *best,
                           LLVMValueRef call, const struct address_parts *place, int depth)
{
    LLVMValueRef callee = sm_direct_callee(call);
    if (!callee)
        return;
    LLVMMetadataRef subprogram = LLVMGetSubprogram(callee);
    offer(pointer, best, sm_di_return_type(subprogram), place);
    if (pointer->spelled.length)
        return; /* a variable holds what was returned */
    const char *function = subprogram ? sm_di_name(subprogram) : sm_value_name(callee);
    if (spell_element(pass, pointer, call, function, depth))
        return;
    sm_text_add(&pointer->spelled, function);
    sm_text_add(&pointer->spelled, "()");
}

static void describe_pointer(struct sm_pass *pass, struct pointer *pointer, LLVMValueRef value,
                             const struct address_parts *place, int depth);

/* For a phi or select: the first alternative about which anything is known. */
static void offer_alternatives(struct sm_pass *pass, struct pointer *pointer, enum rank *best,
                               LLVMValueRef value, const struct address_parts *place, int depth)
{
    unsigned n = LLVMIsAPHINode(value) ? LLVMCountIncoming(value) : 3;
    for (unsigned i = LLVMIsAPHINode(value) ? 0 : 1; i < n && !*best; i++) {
        LLVMValueRef operand = LLVMGetOperand(value, i);
        struct pointer found = {0};
        if (LLVMIsAConstantPointerNull(operand) || depth >= MAX_DEPTH)
            continue;
        describe_pointer(pass, &found, operand, place, depth + 1);
        if (found.pointee) {
            pointer->pointee = found.pointee;
            pointer->reference = found.reference;
            *best = rank_pointee(found.pointee, place);
            if (!pointer->spelled.length)
                sm_text_add(&pointer->spelled, sm_text_get(&found.spelled));
        }
        free_pointer(&found);
    }
}

static void describe_pointer(struct sm_pass *pass, struct pointer *pointer, LLVMValueRef value,
                             const struct address_parts *place, int depth)
{
    enum rank best = RANK_VOID;
    if (LLVMIsAIntToPtrInst(value)) { /* clang loads an atomic pointer as a number */
        offer_variables(pointer, &best, value, place);
        value = LLVMGetOperand(value, 0);
    }
    if (LLVMIsALoadInst(value) && depth < MAX_DEPTH)
        offer_loaded(pass, pointer, &best, value, place, depth);
    offer_variables(pointer, &best, value, place);
    if (LLVMIsACallInst(value) || LLVMIsAInvokeInst(value))
        offer_returned(pass, pointer, &best, value, place, depth);
    if (LLVMIsAPHINode(value) || LLVMIsASelectInst(value))
        offer_alternatives(pass, pointer, &best, value, place, depth);
}

/* `*p`, `p[]`, or `p` for a reference. A range of unknown length is an array. */
static void spell_scalar(struct sm_path *path, const struct pointer *pointer, bool indexed)
{
    if (!indexed && !pointer->reference)
        sm_text_add(&path->text, "*");
    sm_text_add(&path->text, pointer->spelled.length ? sm_text_get(&pointer->spelled) : "?");
    if (indexed) {
        path->element = strchr(sm_text_get(&path->text), '[') ? 0 : sm_type_size(pointer->pointee);
        sm_text_add(&path->text, "[]");
    }
}

static void spell_hint(struct sm_pass *pass, struct sm_path *path,
                       const struct address_parts *place)
{
    char offset[24];
    sm_struct_source_name(&path->text, place->hint);
    sm_text_add(&path->object, sm_text_get(&path->text));
    path->object_offset = (uint64_t)place->hint_offset;
    path->object_size = LLVMABISizeOfType(pass->layout, place->hint);
    snprintf(offset, sizeof offset, "+%lld", (long long)place->hint_offset);
    sm_text_add(&path->text, offset);
}

/* An unnamed struct is identified by the pointer: p->x. A closure is identified by what it
 * captured. */
static void spell_unnamed(struct sm_path *path, const struct pointer *pointer)
{
    const char *spelled = pointer->spelled.length ? sm_text_get(&pointer->spelled) : "?";
    if (path->object.length || strcmp(spelled, "this") == 0)
        return;
    sm_text_insert(&path->text, 0, path->text.length ? "->" : "");
    sm_text_insert(&path->text, 0, spelled);
}

static void walk_struct(struct sm_path *path, LLVMMetadataRef type, struct sm_touch touch,
                        const struct pointer *pointer)
{
    uint64_t size = sm_type_size(type);
    if (size)
        touch.offset %= size; /* p[2].x is Point.x, too */
    path->starts_with_type = true;
    sm_path_walk(path, type, touch);
    spell_unnamed(path, pointer);
}

static bool is_std_atomic(LLVMMetadataRef type)
{
    struct sm_text name = {0};
    sm_qualified_name(&name, sm_type_strip(type));
    bool atomic = sm_starts_with(sm_text_get(&name), "std::atomic");
    sm_text_free(&name);
    return atomic;
}

static void describe_through_pointer(struct sm_pass *pass, struct sm_path *path,
                                     const struct address_parts *place, struct sm_touch touch,
                                     int depth)
{
    struct pointer pointer = {0};
    struct sm_text ignored = {0};
    describe_pointer(pass, &pointer, place->base, place, depth);
    enum rank rank = rank_pointee(pointer.pointee, place);
    bool hinted = place->hint && sm_struct_source_name(&ignored, place->hint);
    LLVMMetadataRef struct_type =
        rank < RANK_ENTERED && hinted ? sm_type_of_struct(pass, place->hint) : NULL;
    touch.offset = (uint64_t)place->offset;
    path->leaf = pointer.pointee;
    if (rank >= RANK_STRUCT && !struct_type && is_std_atomic(pointer.pointee)) {
        spell_scalar(path, &pointer, place->indexed);
    } else if (struct_type) {
        touch.offset = (uint64_t)place->hint_offset;
        walk_struct(path, struct_type, touch, &pointer);
    } else if (rank >= RANK_STRUCT) {
        walk_struct(path, pointer.pointee, touch, &pointer);
    } else if (hinted) {
        spell_hint(pass, path, place);
    } else if (LLVMIsAAllocaInst(place->base)) {
        sm_text_add(&path->text, "(temporary)");
    } else {
        spell_scalar(path, &pointer, place->indexed || place->offset || !touch.size);
    }
    sm_text_free(&ignored);
    free_pointer(&pointer);
}

/* A guard variable, or one the compiler made: no debug information, a mangled name. Of a block
   whose only pointer is a variable, the optimiser makes variables "VARIABLE.body" (and ".0" and so
   on). */
static void add_symbol_name(struct sm_text *text, LLVMValueRef global)
{
    static const char guard[] = "guard variable for ", body[] = ".body";
    char *symbol = strdup(sm_value_name(global)), *end = strstr(symbol, body);
    if (end && strchr(".", end[strlen(body)])) {
        *end = 0;
        sm_text_add(text, "*");
    }
    char *readable = sm_demangle(symbol);
    if (readable && sm_starts_with(readable, guard)) {
        sm_text_add(text, "guard of ");
        sm_text_add(text, readable + strlen(guard));
    } else {
        sm_text_add(text, readable ? readable : symbol);
    }
    free(readable);
    free(symbol);
}

static void describe_global(struct sm_path *path, const struct address_parts *place,
                            struct sm_touch touch)
{
    LLVMMetadataRef variable = sm_di_global_variable(place->base);
    uint64_t part;
    bool is_part = sm_di_global_is_part(place->base, &part);
    touch.offset = (uint64_t)place->offset + part;
    if (variable && *sm_di_name(variable)) {
        sm_qualified_name(&path->text, variable);
        sm_path_walk(path, sm_di_base_type(variable), touch);
        if (is_part)
            path->element = 0; /* where the variable would start is not known when it runs */
        return;
    }
    add_symbol_name(&path->text, place->base);
    if (place->indexed || place->offset)
        sm_text_add(&path->text, "[]");
}

/* False for a temporary of the compiler. */
static bool describe_local(struct sm_path *path, const struct address_parts *place,
                           struct sm_touch touch)
{
    LLVMMetadataRef variable = sm_di_stored_variable(place->base);
    if (!variable || !*sm_di_name(variable))
        return false;
    touch.offset = (uint64_t)place->offset;
    sm_text_add(&path->text, sm_di_name(variable));
    sm_path_walk(path, sm_di_base_type(variable), touch);
    return true;
}

static void describe(struct sm_pass *pass, struct sm_path *path, LLVMValueRef address,
                     struct sm_touch touch, int depth)
{
    struct address_parts place = take_apart(pass, address);
    if (LLVMIsAGlobalVariable(place.base))
        describe_global(path, &place, touch);
    else if (!LLVMIsAAllocaInst(place.base) || !describe_local(path, &place, touch))
        describe_through_pointer(pass, path, &place, touch, depth);
}

static const char *intern_as_written(struct sm_pass *pass, struct sm_text *text)
{
    sm_library_name(text->chars);
    return sm_intern(&pass->strings, text->chars);
}

static void note_array(struct sm_pass *pass, struct sm_row *row, LLVMValueRef address)
{
    struct address_parts place = take_apart(pass, address);
    int64_t origin = place.offset - place.beyond;
    if (place.stride > UINT32_MAX || place.length > UINT32_MAX)
        return;
    row->stride = (uint32_t)place.stride;
    row->length = (uint32_t)place.length;
    row->origin = origin > 0 ? (uint32_t)origin : 0;
}

void sm_name_access(struct sm_pass *pass, struct sm_row *row, LLVMValueRef address,
                    LLVMTypeRef type, uint64_t size)
{
    struct sm_path path = {0};
    describe(pass, &path, address, (struct sm_touch){0, size, type}, 0);
    note_array(pass, row, address);
    if (!path.text.length)
        sm_text_add(&path.text, "?");
    row->variable = intern_as_written(pass, &path.text);
    if (path.object.length) {
        row->object = intern_as_written(pass, &path.object);
        row->offset = (uint32_t)path.object_offset;
        row->object_size = (uint32_t)path.object_size;
    }
    row->element = path.element <= UINT32_MAX ? (uint32_t)path.element : 0;
    if (path.bit_field)
        row->flags |= SM_SITE_BITFIELD;
    sm_path_free(&path);
}
