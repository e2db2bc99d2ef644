/* orders.c - see orders.h. */
#include "fix/orders.h"

#include <stdlib.h>
#include <string.h>

#include "core/order.h"
#include "fix/declare.h"
#include "fix/text.h"

/* How the accesses to a variable are written. */
enum style { STYLE_C, STYLE_CXX, STYLE_BUILTIN };

struct rewriting {
    const struct sm_tree *tree;
    const struct sm_repair_set *repairs;
    const char *usr;
    uint32_t declaration; /* node, or SM_NO_SYNTAX: in a system header */
    enum style style;
    char **why;
};

static bool refuse(const struct rewriting *rewriting, uint32_t node, const char *reason)
{
    const struct sm_syntax *at = &rewriting->tree->nodes[node];
    *rewriting->why = sm_print("%s:%u: %s", at->source ? at->source->path : "?", at->line, reason);
    return false;
}

/* ---- which repair is for which use ---- */

static void location(const struct sm_tree *tree, uint32_t node, unsigned *line, unsigned *column)
{
    CXSourceLocation at = clang_getCursorLocation(tree->nodes[node].cursor);
    clang_getFileLocation(at, NULL, line, column, NULL);
}

static bool is_at(const struct sm_tree *tree, const struct sm_repair *repair, uint32_t node)
{
    unsigned line, column;
    location(tree, node, &line, &column);
    return tree->nodes[node].source &&
           sm_repair_is_at(repair, tree->nodes[node].source->path, line, column);
}

static bool reads(const struct sm_use *use)
{
    return use->kind == SM_USE_LOAD;
}

static bool fits(const struct sm_repair *repair, const struct sm_use *use)
{
    switch (repair->access) {
    case SM_REPAIR_READ:
        return reads(use);
    case SM_REPAIR_WRITE:
        return use->kind == SM_USE_STORE;
    case SM_REPAIR_RMW:
        return use->kind == SM_USE_UPDATE;
    default:
        return true;
    }
}

static bool is_for_place(const struct sm_tree *tree, const struct sm_repair *repair,
                         const struct sm_use *use)
{
    return repair->line && (is_at(tree, repair, use->lvalue) || is_at(tree, repair, use->whole));
}

/* "cells[]", where `cells` is a pointer: the elements have no declaration. */
static bool is_behind_pointer(const struct sm_tree *tree, uint32_t declaration, const char *name)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(tree->nodes[declaration].cursor));
    size_t n = strlen(name);
    return n && name[n - 1] == ']' && type.kind == CXType_Pointer;
}

/* Its memory may be accessed by the name of another member. */
static bool is_in_union(const struct sm_tree *tree, uint32_t declaration)
{
    CXCursor parent = clang_getCursorSemanticParent(tree->nodes[declaration].cursor);
    return clang_getCursorKind(parent) == CXCursor_UnionDecl;
}

/* The declaration that makes every access to the repair's variable atomic; SM_NO_SYNTAX. */
static uint32_t repaired_declaration(const struct sm_tree *tree, const struct sm_repair *repair)
{
    uint32_t found = SM_NO_SYNTAX;
    if (*repair->variable)
        found = sm_tree_variable(tree, repair->variable, NULL);
    if (found != SM_NO_SYNTAX &&
        (is_behind_pointer(tree, found, repair->variable) || is_in_union(tree, found)))
        return SM_NO_SYNTAX;
    return found;
}

/* Does the name in the repair refer to this declaration? */
static bool is_named(const struct rewriting *rewriting, const struct sm_repair *repair)
{
    const struct sm_tree *tree = rewriting->tree;
    uint32_t named = repaired_declaration(tree, repair);
    char *usr = named == SM_NO_SYNTAX ? NULL : sm_tree_usr(tree, named);
    bool same = usr && strcmp(usr, rewriting->usr) == 0;
    free(usr);
    return same;
}

static int combine(int a, uint8_t b, const struct sm_use *use)
{
    bool read = use->kind != SM_USE_STORE, write = use->kind != SM_USE_LOAD;
    if (a < 0 || a == SM_ORDER_PLAIN)
        return sm_order_for(b, read, write);
    if (a == SM_ORDER_SEQ_CST || b == SM_ORDER_SEQ_CST)
        return SM_ORDER_SEQ_CST;
    bool acquires = sm_order_acquires((uint8_t)a) || sm_order_acquires(b);
    bool releases = sm_order_releases((uint8_t)a) || sm_order_releases(b);
    return sm_order_for(acquires && releases ? SM_ORDER_ACQ_REL
                        : acquires           ? SM_ORDER_ACQUIRE
                        : releases           ? SM_ORDER_RELEASE
                                             : SM_ORDER_RELAXED,
                        read, write);
}

/* An update that is not made one access is a read and a write, each with its own order. */
static bool is_part(const struct sm_repair *repair, const struct sm_use *use)
{
    return use->kind == SM_USE_UPDATE &&
           (repair->access == SM_REPAIR_READ || repair->access == SM_REPAIR_WRITE);
}

/* Does an order or a merge apply to accesses of this kind? */
static bool is_for_kind(const struct sm_repair *repair, const struct sm_use *use, bool parts)
{
    if (repair->kind == SM_REPAIR_MERGE)
        return use->kind == SM_USE_UPDATE && !parts;
    return repair->kind == SM_REPAIR_ORDER && (parts ? is_part(repair, use) : fits(repair, use));
}

/* Must `x = x + e` be one access? Other updates are, once the variable is atomic. */
static bool is_merged(const struct rewriting *rewriting, const struct sm_use *use)
{
    if (use->kind != SM_USE_UPDATE || use->again == SM_NO_SYNTAX)
        return use->kind == SM_USE_UPDATE;
    for (size_t i = 0; i < rewriting->repairs->n; i++) {
        const struct sm_repair *repair = &rewriting->repairs->items[i];
        bool one = repair->kind == SM_REPAIR_MERGE ||
                   (repair->kind == SM_REPAIR_ORDER && repair->access == SM_REPAIR_RMW);
        if (one && (is_for_place(rewriting->tree, repair, use) ||
                    (!repair->line && is_named(rewriting, repair))))
            return true;
    }
    return false;
}

/* The order that repairs give to the use, or -1. A repair that names its place wins. */
static int order_by(const struct rewriting *rewriting, const struct sm_use *use, bool parts)
{
    int by_place = -1, by_name = -1;
    for (size_t i = 0; i < rewriting->repairs->n; i++) {
        const struct sm_repair *repair = &rewriting->repairs->items[i];
        if (!is_for_kind(repair, use, parts))
            continue;
        if (is_for_place(rewriting->tree, repair, use))
            by_place = combine(by_place, repair->order, use);
        else if (!repair->line && is_named(rewriting, repair))
            by_name = combine(by_name, repair->order, use);
    }
    return by_place >= 0 ? by_place : by_name;
}

/* For an update without an order of its own, that of its read and its write. */
static int order_of(const struct rewriting *rewriting, const struct sm_use *use)
{
    int order = order_by(rewriting, use, false);
    return order >= 0 ? order : order_by(rewriting, use, true);
}

/* ---- the variables ---- */

static bool is_shared(const struct sm_tree *tree, uint32_t reference)
{
    CXCursor to = clang_getCursorReferenced(tree->nodes[reference].cursor);
    enum CXCursorKind kind = clang_getCursorKind(to);
    return kind == CXCursor_FieldDecl ||
           (kind == CXCursor_VarDecl && (clang_getCursorLinkage(to) >= CXLinkage_Internal ||
                                         clang_Cursor_getStorageClass(to) == CX_SC_Static));
}

static bool is_reference(const struct sm_tree *tree, uint32_t node)
{
    enum CXCursorKind kind = tree->nodes[node].kind;
    return kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr;
}

static void add_usr(struct sm_list *usrs, char *usr)
{
    if (*usr && !sm_list_has(usrs, usr))
        sm_list_add(usrs, usr);
    free(usr);
}

static bool add_at_place(const struct sm_tree *tree, const struct sm_repair *repair,
                         struct sm_list *usrs)
{
    bool found = false;
    for (uint32_t i = 0; i < tree->n; i++) {
        if (!is_reference(tree, i) || !is_shared(tree, i))
            continue;
        struct sm_use use = sm_use_of(tree, i);
        if (!is_for_place(tree, repair, &use) || (!fits(repair, &use) && !is_part(repair, &use)))
            continue;
        add_usr(usrs, sm_clang_text(
                          clang_getCursorUSR(clang_getCursorReferenced(tree->nodes[i].cursor))));
        found = true;
    }
    return found;
}

bool sm_orders_variables(const struct sm_tree *tree, const struct sm_repair *repair,
                         struct sm_list *usrs)
{
    if (!*repair->variable)
        return add_at_place(tree, repair, usrs);
    uint32_t named = repaired_declaration(tree, repair);
    if (named != SM_NO_SYNTAX)
        add_usr(usrs, sm_tree_usr(tree, named));
    return named != SM_NO_SYNTAX;
}

/* ---- words ---- */

static char *order_text(enum style style, uint8_t order)
{
    static const char *const builtin[SM_ORDERS] = {"RELAXED", "CONSUME", "ACQUIRE", "RELEASE",
                                                   "ACQ_REL", "SEQ_CST", "RELAXED"};
    if (style == STYLE_BUILTIN)
        return sm_print("__ATOMIC_%s", builtin[order]);
    return sm_print("%smemory_order_%s", style == STYLE_CXX ? "std::" : "", sm_order_words[order]);
}

/* ---- new atomic accesses ---- */

/* FUNCTION(&x, VALUE, ORDER) or x.FUNCTION(VALUE, ORDER): the text before x, between x and the
   value, and after it. */
struct pieces {
    char *before, *between, *behind;
};

static struct pieces pieces_of(enum style style, const char *function, bool value, uint8_t order)
{
    char *word = order_text(style, order);
    struct pieces pieces;
    if (style == STYLE_CXX)
        pieces = (struct pieces){sm_copy_text(""), sm_print(".%s(", function),
                                 sm_print("%s%s)", value ? ", " : "", word)};
    else
        pieces = (struct pieces){style == STYLE_C
                                     ? sm_print("atomic_%s_explicit(&", function)
                                     : sm_print("__atomic_%s%s(&", function,
                                                strncmp(function, "fetch", 5) == 0 ? "" : "_n"),
                                 sm_copy_text(value ? ", " : ""), sm_print(", %s)", word)};
    free(word);
    return pieces;
}

static void pieces_free(struct pieces *pieces)
{
    free(pieces->before);
    free(pieces->between);
    free(pieces->behind);
}

static void write_load(const struct rewriting *rewriting, const struct sm_use *use, uint8_t order)
{
    const struct sm_syntax *at = &rewriting->tree->nodes[use->lvalue];
    struct pieces pieces = pieces_of(rewriting->style, "load", false, order);
    char *behind = sm_print("%s%s", pieces.between, pieces.behind);
    sm_edit_wrap(at->source, at->start, at->end, pieces.before, behind);
    free(behind);
    pieces_free(&pieces);
}

/* With a value from the source: everything from the lvalue to the value is replaced. */
static void write_valued(const struct rewriting *rewriting, const struct sm_use *use,
                         const char *function, uint8_t order)
{
    const struct sm_syntax *lvalue = &rewriting->tree->nodes[use->lvalue];
    const struct sm_syntax *whole = &rewriting->tree->nodes[use->whole];
    const struct sm_syntax *value = &rewriting->tree->nodes[use->operand];
    struct pieces pieces = pieces_of(rewriting->style, function, true, order);
    sm_edit_insert(lvalue->source, lvalue->start, -(int64_t)(whole->end - whole->start),
                   pieces.before);
    sm_edit_replace(lvalue->source, lvalue->end, value->start - lvalue->end, pieces.between);
    if (value->end == whole->end)
        sm_edit_insert(lvalue->source, whole->end, (int64_t)(whole->end - whole->start),
                       pieces.behind);
    else /* `x = e + x` */
        sm_edit_replace(lvalue->source, value->end, whole->end - value->end, pieces.behind);
    pieces_free(&pieces);
}

/* The `0` of `--x == 0`, which may become the 1 that the function returns; else SM_NO_SYNTAX. */
static uint32_t compared_zero(const struct sm_tree *tree, const struct sm_use *use)
{
    uint32_t parent = tree->nodes[use->whole].parent;
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(tree->nodes[parent].cursor);
    uint32_t right = tree->nodes[parent].kind == CXCursor_BinaryOperator &&
                             (kind == CXBinaryOperator_EQ || kind == CXBinaryOperator_NE) &&
                             sm_tree_child(tree, parent, 0) == use->whole
                         ? sm_tree_child(tree, parent, 1)
                         : SM_NO_SYNTAX;
    char *text = right == SM_NO_SYNTAX ? NULL : sm_tree_text(tree, right);
    bool zero = text && strcmp(text, "0") == 0 && strcmp(use->update, "sub") == 0;
    free(text);
    return zero ? right : SM_NO_SYNTAX;
}

/* The functions return the old value, `--x` the new one: *before and *behind convert it. */
static void adjust(const struct rewriting *rewriting, const struct sm_use *use, const char **before,
                   const char **behind)
{
    *before = *behind = "";
    if (use->is_statement || use->gives_old)
        return;
    uint32_t zero = compared_zero(rewriting->tree, use);
    if (zero != SM_NO_SYNTAX) {
        const struct sm_syntax *at = &rewriting->tree->nodes[zero];
        sm_edit_replace(at->source, at->start, at->end - at->start, "1");
        return;
    }
    *before = "(";
    *behind = strcmp(use->update, "add") == 0 ? " + 1)" : " - 1)";
}

/* `x++` and `--x`: the value is 1. */
static void write_step(const struct rewriting *rewriting, const struct sm_use *use,
                       const char *function, uint8_t order)
{
    const struct sm_syntax *lvalue = &rewriting->tree->nodes[use->lvalue];
    const struct sm_syntax *whole = &rewriting->tree->nodes[use->whole];
    struct pieces pieces = pieces_of(rewriting->style, function, true, order);
    const char *open, *close;
    adjust(rewriting, use, &open, &close);
    char *before = sm_print("%s%s", open, pieces.before);
    char *behind = sm_print("%s1%s%s", pieces.between, pieces.behind, close);
    if (lvalue->start == whole->start) {
        sm_edit_insert(whole->source, whole->start, 0, before);
        sm_edit_replace(whole->source, lvalue->end, whole->end - lvalue->end, behind);
    } else {
        sm_edit_replace(whole->source, whole->start, lvalue->start - whole->start, before);
        sm_edit_insert(whole->source, whole->end, 0, behind);
    }
    free(before);
    free(behind);
    pieces_free(&pieces);
}

static bool write_update(const struct rewriting *rewriting, const struct sm_use *use, uint8_t order)
{
    char *function = use->update ? sm_print("fetch_%s", use->update) : NULL;
    bool step = use->operand == SM_NO_SYNTAX;
    bool fits_function = function && (use->is_statement || use->gives_old || step);
    if (fits_function && step)
        write_step(rewriting, use, function, order);
    else if (fits_function)
        write_valued(rewriting, use, function, order);
    free(function);
    /* The operators on _Atomic and std::atomic are one sequentially consistent access, but
       `x = x + 1` is two. */
    return fits_function ||
           (rewriting->style != STYLE_BUILTIN &&
            rewriting->tree->nodes[use->whole].kind != CXCursor_BinaryOperator) ||
           refuse(rewriting, use->whole, "no atomic function does this update");
}

/* ---- atomic accesses that are there ---- */

static bool begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool has(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

/* Which of the use's kinds the function is; its name without prefix. */
static enum sm_use_kind kind_of_call(const char *name)
{
    return has(name, "load") ? SM_USE_LOAD : has(name, "store") ? SM_USE_STORE : SM_USE_UPDATE;
}

static void replace_argument(const struct sm_source_file *source, const struct sm_span *argument,
                             const char *text)
{
    sm_edit_replace((struct sm_source_file *)source, argument->start,
                    argument->end - argument->start, text);
}

/* Its last arguments are orders: two of a compare-exchange. */
static void replace_orders(const struct rewriting *rewriting, struct sm_source_file *source,
                           const struct sm_call_text *call, bool two, uint8_t order)
{
    char *success = order_text(rewriting->style, order);
    char *failure = order_text(rewriting->style, sm_order_for(order, true, false));
    if (two)
        replace_argument(source, &call->arguments[call->n - 2], success);
    replace_argument(source, &call->arguments[call->n - 1], two ? failure : success);
    free(success);
    free(failure);
}

static void append_order(const struct rewriting *rewriting, struct sm_source_file *source,
                         const struct sm_call_text *call, bool two, uint8_t order)
{
    char *success = order_text(rewriting->style, order);
    char *failure = order_text(rewriting->style, sm_order_for(order, true, false));
    char *text =
        sm_print("%s%s%s%s", call->n ? ", " : "", success, two ? ", " : "", two ? failure : "");
    if (rewriting->style == STYLE_C)
        sm_edit_insert(source, call->name.end, 0, "_explicit");
    sm_edit_insert(source, call->close, 0, text);
    free(text);
    free(success);
    free(failure);
}

static bool has_order(const struct sm_source_file *source, const struct sm_call_text *call)
{
    const struct sm_span *last = &call->arguments[call->n - 1];
    char *text = sm_print("%.*s", call->n ? (int)(last->end - last->start) : 0,
                          source->text + (call->n ? last->start : 0));
    bool order = has(text, "memory_order") || has(text, "__ATOMIC_");
    free(text);
    return order;
}

static bool write_call(const struct rewriting *rewriting, const struct sm_use *use)
{
    const struct sm_syntax *lvalue = &rewriting->tree->nodes[use->lvalue];
    struct sm_call_text call;
    bool method = use->kind == SM_USE_METHOD;
    if (!lvalue->source || !(method ? sm_call_from(lvalue->source, lvalue->end, &call)
                                    : sm_call_around(lvalue->source, lvalue->start, &call)))
        return true;
    char *name = sm_print("%.*s", (int)(call.name.end - call.name.start),
                          lvalue->source->text + call.name.start);
    struct sm_use as = *use;
    as.kind = kind_of_call(name);
    as.lvalue = use->lvalue;
    int order = order_of(rewriting, &as);
    bool two = has(name, "compare_exchange"), skip = begins(name, "__sync") || has(name, "init");
    free(name);
    if (order < 0 || order == SM_ORDER_PLAIN || skip)
        return true;
    if (has_order(lvalue->source, &call))
        replace_orders(rewriting, lvalue->source, &call, two, (uint8_t)order);
    else
        append_order(rewriting, lvalue->source, &call, two, (uint8_t)order);
    return true;
}

/* ---- all uses ---- */

static bool is_initialiser(const struct rewriting *rewriting, const struct sm_use *use)
{
    uint32_t variable = sm_tree_above(rewriting->tree, use->lvalue, CXCursor_VarDecl);
    return variable != SM_NO_SYNTAX && variable == rewriting->declaration;
}

static bool write_use(const struct rewriting *rewriting, const struct sm_use *use)
{
    int order;
    if (use->kind == SM_USE_CALL || use->kind == SM_USE_METHOD)
        return write_call(rewriting, use);
    if (use->kind == SM_USE_NOTHING || is_initialiser(rewriting, use))
        return true;
    if (use->kind == SM_USE_ADDRESS)
        return refuse(rewriting, use->whole,
                      "its address is taken: other accesses may be behind a pointer");
    order = order_of(rewriting, use);
    if (order < 0 || order == SM_ORDER_PLAIN)
        return true;
    if (use->in_macro)
        return refuse(rewriting, use->lvalue, "the access is in the body of a macro");
    if (use->kind == SM_USE_UPDATE)
        return write_update(rewriting, use, (uint8_t)order);
    if (use->kind == SM_USE_LOAD)
        write_load(rewriting, use, (uint8_t)order);
    else if (use->is_statement)
        write_valued(rewriting, use, "store", (uint8_t)order);
    return true;
}

/* Does the program access it by __atomic functions? */
static bool is_builtin(const struct rewriting *rewriting)
{
    const struct sm_tree *tree = rewriting->tree;
    for (uint32_t i = 0; i < tree->n; i++) {
        struct sm_call_text call;
        if (!sm_tree_refers(tree, i, rewriting->usr) || sm_use_of(tree, i).kind != SM_USE_CALL)
            continue;
        const struct sm_syntax *at = &tree->nodes[i];
        if (sm_call_around(at->source, at->start, &call) &&
            begins(at->source->text + call.name.start, "__"))
            return true;
    }
    return false;
}

static uint32_t declaration_of(const struct sm_tree *tree, const char *usr)
{
    for (uint32_t i = 0; i < tree->n; i++) {
        if (tree->nodes[i].kind != CXCursor_VarDecl && tree->nodes[i].kind != CXCursor_FieldDecl)
            continue;
        char *own = sm_tree_usr(tree, i);
        bool same = strcmp(own, usr) == 0;
        free(own);
        if (same)
            return i;
    }
    return SM_NO_SYNTAX;
}

static bool write_uses(const struct rewriting *rewriting)
{
    const struct sm_tree *tree = rewriting->tree;
    uint32_t part = SM_NO_SYNTAX; /* of an update that is written as one access */
    for (uint32_t i = 0; i < tree->n; i++) {
        bool written = part != SM_NO_SYNTAX && sm_tree_within(tree, i, part);
        if (written || !sm_tree_refers(tree, i, rewriting->usr))
            continue;
        struct sm_use use = sm_use_of(tree, i);
        if (use.kind == SM_USE_UPDATE && !is_merged(rewriting, &use)) {
            use.kind = SM_USE_STORE;
            use.operand = sm_tree_child(tree, use.whole, 1);
        } else if (use.again != SM_NO_SYNTAX) {
            part = use.again;
        }
        if (!write_use(rewriting, &use))
            return false;
    }
    return true;
}

static bool write_variable(const struct sm_tree *tree, const struct sm_repair_set *repairs,
                           const char *usr, const struct sm_list *usrs, char **why)
{
    struct rewriting rewriting = {.tree = tree,
                                  .repairs = repairs,
                                  .usr = usr,
                                  .declaration = declaration_of(tree, usr),
                                  .why = why};
    if (rewriting.declaration == SM_NO_SYNTAX)
        return true;
    rewriting.style = is_builtin(&rewriting) ? STYLE_BUILTIN
                      : tree->unit->cxx      ? STYLE_CXX
                                             : STYLE_C;
    return write_uses(&rewriting) &&
           (rewriting.style == STYLE_BUILTIN || sm_declare_atomic(tree, usr, usrs, why));
}

bool sm_orders_write(const struct sm_tree *tree, const struct sm_repair_set *repairs,
                     const struct sm_list *usrs, char **why)
{
    for (size_t i = 0; i < usrs->n; i++)
        if (!write_variable(tree, repairs, usrs->items[i], usrs, why))
            return false;
    return true;
}
