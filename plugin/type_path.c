/*
 * type_path.c - see type_path.h.
 */
#include "plugin/type_path.h"

#include "plugin/llvm_gaps.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

static unsigned tag_of(LLVMMetadataRef node)
{
    return node ? LLVMGetDINodeTag(node) : 0;
}

static bool is_qualifier(unsigned tag)
{
    return tag == SM_TAG_CONST || tag == SM_TAG_VOLATILE || tag == SM_TAG_RESTRICT ||
           tag == SM_TAG_ATOMIC;
}

/* Also returns the innermost typedef, the name of a struct without its own. */
static LLVMMetadataRef strip_keeping_alias(LLVMMetadataRef type, LLVMMetadataRef *alias)
{
    *alias = NULL;
    while (is_qualifier(tag_of(type)) || tag_of(type) == SM_TAG_TYPEDEF) {
        if (tag_of(type) == SM_TAG_TYPEDEF)
            *alias = type;
        type = sm_di_base_type(type);
    }
    return type;
}

LLVMMetadataRef sm_type_strip(LLVMMetadataRef type)
{
    LLVMMetadataRef alias;
    return strip_keeping_alias(type, &alias);
}

bool sm_type_is_composite(LLVMMetadataRef stripped)
{
    unsigned tag = tag_of(stripped);
    return tag == SM_TAG_STRUCT || tag == SM_TAG_CLASS || tag == SM_TAG_UNION;
}

bool sm_type_is_number(LLVMMetadataRef stripped)
{
    return tag_of(stripped) == SM_TAG_BASE;
}

static bool is_pointer(LLVMMetadataRef stripped)
{
    unsigned tag = tag_of(stripped);
    return tag == SM_TAG_POINTER || tag == SM_TAG_REFERENCE || tag == SM_TAG_RVALUE_REFERENCE;
}

LLVMMetadataRef sm_type_pointee(LLVMMetadataRef type, bool *reference)
{
    LLVMMetadataRef stripped = sm_type_strip(type);
    *reference = is_pointer(stripped) && tag_of(stripped) != SM_TAG_POINTER;
    return is_pointer(stripped) ? sm_di_base_type(stripped) : NULL;
}

uint64_t sm_type_size(LLVMMetadataRef type)
{
    LLVMMetadataRef stripped = sm_type_strip(type);
    return stripped ? LLVMDITypeGetSizeInBits(stripped) / 8 : 0;
}

void sm_qualified_name(struct sm_text *text, LLVMMetadataRef node)
{
    LLVMMetadataRef scope = sm_di_scope(node);
    if (tag_of(scope) == SM_TAG_NAMESPACE || sm_type_is_composite(scope)) {
        size_t before = text->length;
        sm_qualified_name(text, scope);
        if (text->length > before)
            sm_text_add(text, "::");
    }
    if (!sm_di_is_inline_namespace(node))
        sm_text_add(text, sm_di_name(node));
    else if (text->length >= 2)
        text->chars[text->length -= 2] = '\0'; /* the "::" that was meant for this name */
}

static void composite_name(struct sm_text *text, LLVMMetadataRef composite, LLVMMetadataRef alias)
{
    bool unnamed = !*sm_di_name(composite);
    if (!unnamed || alias)
        sm_qualified_name(text, unnamed ? alias : composite);
}

/* How well a member matches the access; 0 if it does not contain all its bytes. */

static uint64_t member_bits(LLVMMetadataRef member)
{
    uint64_t bits = LLVMDITypeGetSizeInBits(member);
    return bits ? bits : sm_type_size(sm_di_base_type(member)) * 8;
}

static bool has_fields(LLVMMetadataRef composite)
{
    for (size_t i = 0; i < sm_di_element_count(composite); i++) {
        unsigned tag = tag_of(sm_di_element(composite, i));
        if (tag == SM_TAG_MEMBER || tag == SM_TAG_INHERITANCE)
            return true;
    }
    return false;
}

static bool same_kind(LLVMMetadataRef type, LLVMTypeRef access)
{
    LLVMMetadataRef stripped = sm_type_strip(type);
    switch (LLVMGetTypeKind(access)) {
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMX86_FP80TypeKind:
        return sm_di_is_float(stripped);
    case LLVMPointerTypeKind:
        return is_pointer(stripped);
    default:
        return !sm_di_is_float(stripped) && !is_pointer(stripped);
    }
}

static int member_fit(LLVMMetadataRef member, struct sm_touch touch)
{
    unsigned tag = tag_of(member);
    if ((tag != SM_TAG_MEMBER && tag != SM_TAG_INHERITANCE) || sm_di_is_static_member(member))
        return 0;
    if (tag == SM_TAG_INHERITANCE && !has_fields(sm_type_strip(sm_di_base_type(member))))
        return 0;
    uint64_t first = LLVMDITypeGetOffsetInBits(member), bits = member_bits(member);
    uint64_t size = touch.size ? touch.size : 1;
    if (first > touch.offset * 8 || first + bits < (touch.offset + size) * 8)
        return 0;
    if (bits != size * 8)
        return 1;
    return touch.type && same_kind(sm_di_base_type(member), touch.type) ? 3 : 2;
}

static LLVMMetadataRef best_member(LLVMMetadataRef composite, struct sm_touch touch)
{
    LLVMMetadataRef best = NULL;
    int best_fit = 0;
    for (size_t i = 0; i < sm_di_element_count(composite); i++) {
        LLVMMetadataRef member = sm_di_element(composite, i);
        int fit = sm_di_is_bit_field(member) ? 0 : member_fit(member, touch);
        if (fit > best_fit) {
            best = member;
            best_fit = fit;
        }
    }
    return best;
}

static bool overlaps(LLVMMetadataRef member, struct sm_touch touch)
{
    uint64_t first = LLVMDITypeGetOffsetInBits(member);
    return first < (touch.offset + touch.size) * 8 &&
           touch.offset * 8 < first + member_bits(member);
}

static void add_member(struct sm_path *path, const char *name)
{
    if (!*name)
        return;
    if (path->text.length)
        sm_text_add(&path->text, ".");
    sm_text_add(&path->text, name);
    path->starts_with_type = false;
}

/* The bit-fields in the bytes touched, up to three by name. */
static bool add_bit_fields(struct sm_path *path, LLVMMetadataRef composite, struct sm_touch touch)
{
    struct sm_text names = {0};
    size_t n = 0;
    for (size_t i = 0; i < sm_di_element_count(composite); i++) {
        LLVMMetadataRef member = sm_di_element(composite, i);
        if (!sm_di_is_bit_field(member) || !*sm_di_name(member) || !overlaps(member, touch))
            continue;
        if (n < 4)
            sm_text_add(&names, n == 0 ? "" : n < 3 ? "," : ",...");
        if (n < 3)
            sm_text_add(&names, sm_di_name(member));
        n++;
    }
    if (n > 1) {
        sm_text_insert(&names, 0, "{");
        sm_text_add(&names, "}");
    }
    add_member(path, sm_text_get(&names));
    sm_text_free(&names);
    path->bit_field = n > 0;
    return n > 0;
}

/* One step into an array: the same "[]" for every element. */
static LLVMMetadataRef enter_array(struct sm_path *path, LLVMMetadataRef array,
                                   struct sm_touch *touch)
{
    LLVMMetadataRef element = sm_di_base_type(array);
    uint64_t size = sm_type_size(element);
    for (size_t i = 0; i < sm_di_element_count(array); i++)
        sm_text_add(&path->text, "[]");
    path->starts_with_type = false;
    if (size)
        touch->offset %= size;
    return touch->size <= size ? element : NULL;
}

static bool is_reserved(const char *name)
{
    return name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1]));
}

static LLVMMetadataRef enter_member(struct sm_path *path, LLVMMetadataRef member, bool library,
                                    struct sm_touch *touch)
{
    const char *name = sm_di_name(member);
    touch->offset -= LLVMDITypeGetOffsetInBits(member) / 8;
    if (tag_of(member) == SM_TAG_INHERITANCE) {
        if (path->starts_with_type) { /* name the field after the class that declares it */
            sm_text_clear(&path->text);
            sm_text_clear(&path->object);
        }
    } else if (!library || !is_reserved(name) || path->starts_with_type) {
        add_member(path, name);
    }
    return sm_di_base_type(member);
}

/* A copy of all of a struct is not an access to its first, or only, member. */
static bool is_whole(LLVMMetadataRef composite, struct sm_touch touch)
{
    return !touch.type && !touch.offset && (!touch.size || touch.size >= sm_type_size(composite));
}

/* Enters a struct, class or union; NULL when the walk ends there. */
static LLVMMetadataRef enter_composite(struct sm_path *path, LLVMMetadataRef composite,
                                       LLVMMetadataRef alias, struct sm_touch *touch)
{
    struct sm_text name = {0};
    composite_name(&name, composite, alias);
    bool library = sm_starts_with(sm_text_get(&name), "std::");
    bool atomic = sm_starts_with(sm_text_get(&name), "std::atomic") ||
                  sm_starts_with(sm_text_get(&name), "std::__atomic");
    if (!name.length && sm_starts_with(sm_text_get(&path->text), "std::")) {
        sm_text_clear(&path->text); /* a closure in the library's hands: what it captured */
        sm_text_clear(&path->object);
    }
    if (!path->object.length) {
        sm_text_add(&path->object, sm_text_get(&name));
        path->object_offset = touch->offset;
        path->object_size = sm_type_size(composite);
    }
    if (path->starts_with_type && !path->text.length)
        sm_text_add(&path->text, sm_text_get(&name));
    sm_text_free(&name);
    if (atomic || is_whole(composite, *touch))
        return NULL;
    LLVMMetadataRef member = best_member(composite, *touch);
    if (member)
        return enter_member(path, member, library, touch);
    add_bit_fields(path, composite, *touch);
    return NULL;
}

void sm_path_walk(struct sm_path *path, LLVMMetadataRef type, struct sm_touch touch)
{
    LLVMMetadataRef whole = sm_type_strip(type);
    if (tag_of(whole) == SM_TAG_ARRAY && sm_di_element_count(whole) == 1)
        path->element = sm_type_size(sm_di_base_type(whole));
    while (type) {
        LLVMMetadataRef alias, stripped = strip_keeping_alias(type, &alias);
        path->leaf = type;
        if (tag_of(stripped) == SM_TAG_ARRAY)
            type = enter_array(path, stripped, &touch);
        else if (sm_type_is_composite(stripped))
            type = enter_composite(path, stripped, alias, &touch);
        else
            break;
    }
    if (is_pointer(sm_type_strip(type)) && tag_of(sm_type_strip(type)) != SM_TAG_POINTER)
        sm_text_insert(&path->text, 0, "&");
}

void sm_path_free(struct sm_path *path)
{
    sm_text_free(&path->text);
    sm_text_free(&path->object);
}

/* From the name of an IR struct back to its debug type. */

bool sm_struct_source_name(struct sm_text *text, LLVMTypeRef structure)
{
    static const char *const prefixes[] = {"struct.", "class.", "union."};
    const char *name = LLVMGetStructName(structure);
    for (size_t i = 0; name && i < sizeof prefixes / sizeof *prefixes; i++) {
        if (!sm_starts_with(name, prefixes[i]))
            continue;
        name += strlen(prefixes[i]);
        const char *dot = strrchr(name, '.'); /* ".12": LLVM's mark of a second type so named */
        bool numbered = dot && dot[1] && dot[1 + strspn(dot + 1, "0123456789")] == '\0';
        sm_text_add_n(text, name, numbered ? (size_t)(dot - name) : strlen(name));
        return strcmp(sm_text_get(text), "anon") != 0;
    }
    return false;
}

#define AMBIGUOUS ((uintptr_t)1)

/* IR names carry no template arguments; the size tells most instances apart. */
static const char *type_key(struct sm_pass *pass, struct sm_text *name, uint64_t size)
{
    char suffix[32];
    size_t plain = strcspn(sm_text_get(name), "<");
    if (plain < name->length)
        name->chars[name->length = plain] = '\0';
    snprintf(suffix, sizeof suffix, "/%llu", (unsigned long long)size);
    sm_text_add(name, suffix);
    return sm_intern(&pass->strings, sm_text_get(name));
}

/* By its own name, or by its typedef's if it has none. */
static void file_type(void *context, LLVMMetadataRef type)
{
    struct sm_pass *pass = context;
    struct sm_text name = {0};
    LLVMMetadataRef alias, composite = strip_keeping_alias(type, &alias);
    bool unnamed = composite && !*sm_di_name(composite);
    if (!sm_type_is_composite(composite) || !sm_di_element_count(composite) ||
        unnamed != (alias != NULL))
        return;
    composite_name(&name, composite, alias);
    const char *key = type_key(pass, &name, sm_type_size(composite));
    uintptr_t *slot = sm_map_at(&pass->types_by_name, key);
    if (!*slot)
        *slot = (uintptr_t)type;
    else if (*slot == AMBIGUOUS || sm_type_strip((LLVMMetadataRef)*slot) != composite)
        *slot = AMBIGUOUS; /* `const Point` is Point */
    sm_text_free(&name);
}

LLVMMetadataRef sm_type_of_struct(struct sm_pass *pass, LLVMTypeRef structure)
{
    struct sm_text name = {0};
    if (!pass->types_read)
        sm_di_each_type(pass->module, file_type, pass);
    pass->types_read = true;
    uintptr_t found = AMBIGUOUS;
    if (sm_struct_source_name(&name, structure)) {
        const char *key = type_key(pass, &name, LLVMABISizeOfType(pass->layout, structure));
        found = sm_map_get(&pass->types_by_name, key);
    }
    sm_text_free(&name);
    return found == AMBIGUOUS ? NULL : (LLVMMetadataRef)found;
}
