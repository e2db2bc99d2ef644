/* uses.c - see uses.h. */
#include "fix/uses.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- declarations ---- */

char *sm_tree_usr(const struct sm_tree *tree, uint32_t declaration)
{
    return sm_clang_text(clang_getCursorUSR(tree->nodes[declaration].cursor));
}

static bool is_named(const struct sm_tree *tree, uint32_t node, const char *name, size_t n)
{
    char *own = sm_tree_name(tree, node);
    bool same = strlen(own) == n && memcmp(own, name, n) == 0;
    free(own);
    return same;
}

/* "table[].next" is the field `next` of the elements of `table`: the last name counts, and the part
   before it only distinguishes fields of the same name. */
static const char *last_name(const char *name, size_t *length)
{
    const char *end = name + strlen(name);
    while (end > name && (end[-1] == ']' || end[-1] == '['))
        end--;
    const char *start = end;
    while (start > name && (isalnum((unsigned char)start[-1]) || start[-1] == '_'))
        start--;
    *length = (size_t)(end - start);
    return start;
}

static bool is_in_function(const struct sm_tree *tree, uint32_t node, const char *function)
{
    uint32_t above = sm_tree_above(tree, node, CXCursor_FunctionDecl);
    return function && above != SM_NO_SYNTAX && is_named(tree, above, function, strlen(function));
}

static bool is_global(const struct sm_tree *tree, uint32_t node)
{
    enum CX_StorageClass storage = clang_Cursor_getStorageClass(tree->nodes[node].cursor);
    return sm_tree_above(tree, node, CXCursor_CompoundStmt) == SM_NO_SYNTAX ||
           storage == CX_SC_Static;
}

/* Does "account.balance" begin with the node's name? */
static bool begins_with(const struct sm_tree *tree, uint32_t node, const char *name, size_t length)
{
    char *own = sm_tree_name(tree, node);
    size_t n = strlen(own);
    bool same = n && n < length && strncmp(own, name, n) == 0 && strchr(".[", name[n]);
    free(own);
    return same;
}

/* "account.balance": of struct account, or of the variable account, whose struct has no name. */
static bool is_field_of(const struct sm_tree *tree, uint32_t field, const char *name, size_t length)
{
    uint32_t parent = tree->nodes[field].parent, above = tree->nodes[parent].parent;
    return begins_with(tree, parent, name, length) ||
           (above != SM_NO_SYNTAX && tree->nodes[above].kind == CXCursor_VarDecl &&
            begins_with(tree, above, name, length));
}

/* libclang shows the struct without a name of a variable twice: by itself, and in the variable. */
static bool is_same_cursor(const struct sm_tree *tree, uint32_t a, uint32_t b)
{
    return clang_equalCursors(tree->nodes[a].cursor, tree->nodes[b].cursor);
}

static uint32_t field_named(const struct sm_tree *tree, const char *name, const char *last,
                            size_t n)
{
    uint32_t found = SM_NO_SYNTAX;
    bool several = false; /* structs with such a field */
    for (uint32_t i = 0; i < tree->n; i++) {
        if (tree->nodes[i].kind != CXCursor_FieldDecl || !is_named(tree, i, last, n))
            continue;
        if (is_field_of(tree, i, name, (size_t)(last - name)))
            return i;
        several |= found != SM_NO_SYNTAX && !is_same_cursor(tree, found, i);
        found = i;
    }
    return several ? SM_NO_SYNTAX : found;
}

uint32_t sm_tree_variable(const struct sm_tree *tree, const char *name, const char *function)
{
    size_t n;
    const char *last = last_name(name, &n);
    uint32_t found = SM_NO_SYNTAX;
    if (last != name && *name != '*')
        return field_named(tree, name, last, n);
    for (uint32_t i = 0; last == name && i < tree->n; i++) {
        if (tree->nodes[i].kind != CXCursor_VarDecl || !is_named(tree, i, last, n) ||
            !is_global(tree, i))
            continue;
        if (is_in_function(tree, i, function))
            return i;
        if (found == SM_NO_SYNTAX)
            found = i;
    }
    return found;
}

bool sm_tree_refers(const struct sm_tree *tree, uint32_t node, const char *usr)
{
    const struct sm_syntax *at = &tree->nodes[node];
    if (at->kind != CXCursor_DeclRefExpr && at->kind != CXCursor_MemberRefExpr)
        return false;
    char *own = sm_clang_text(clang_getCursorUSR(clang_getCursorReferenced(at->cursor)));
    bool same = strcmp(own, usr) == 0;
    free(own);
    return same;
}

char *sm_tree_reference_name(const struct sm_tree *tree, uint32_t reference)
{
    CXCursor to = clang_getCursorReferenced(tree->nodes[reference].cursor);
    char *own = sm_clang_text(clang_getCursorSpelling(to));
    if (clang_getCursorKind(to) != CXCursor_FieldDecl)
        return own;
    char *tag = sm_clang_text(clang_getCursorSpelling(clang_getCursorSemanticParent(to)));
    char *name = sm_print("%s.%s", tag, own);
    free(own);
    free(tag);
    return name;
}

/* ---- uses ---- */

static bool same_extent(const struct sm_syntax *a, const struct sm_syntax *b)
{
    return a->source == b->source && a->start == b->start && a->end == b->end;
}

/* Skips implicit casts, upwards. */
static uint32_t above_casts(const struct sm_tree *tree, uint32_t node)
{
    uint32_t parent = tree->nodes[node].parent;
    while (tree->nodes[parent].kind == CXCursor_UnexposedExpr &&
           same_extent(&tree->nodes[parent], &tree->nodes[node]))
        parent = tree->nodes[parent].parent;
    return parent;
}

static bool is_array(const struct sm_tree *tree, uint32_t node)
{
    enum CXTypeKind kind = clang_getCursorType(tree->nodes[node].cursor).kind;
    return kind == CXType_ConstantArray || kind == CXType_IncompleteArray ||
           kind == CXType_VariableArray;
}

static uint32_t lvalue_of(const struct sm_tree *tree, uint32_t node)
{
    for (;;) {
        uint32_t above = above_casts(tree, node);
        const struct sm_syntax *at = &tree->nodes[above];
        bool index = at->kind == CXCursor_ArraySubscriptExpr && is_array(tree, node) &&
                     at->start == tree->nodes[node].start;
        if (!index && at->kind != CXCursor_ParenExpr)
            return node;
        node = above;
    }
}

static bool is_body(const struct sm_tree *tree, uint32_t node)
{
    const struct sm_syntax *at = &tree->nodes[node], *parent = &tree->nodes[at->parent];
    const char *after = at->source ? at->source->text + at->end : "";
    after += strspn(after, " \t");
    switch ((int)parent->kind) {
    case CXCursor_CompoundStmt:
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
    case CXCursor_LabelStmt:
        return *after == ';';
    case CXCursor_IfStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
        return *after == ';';
    case CXCursor_ForStmt:
        return *after == ';' && at->last == parent->last;
    default:
        return false;
    }
}

static const char *function_of(enum CXBinaryOperatorKind kind)
{
    switch ((int)kind) {
    case CXBinaryOperator_AddAssign:
    case CXBinaryOperator_Add:
        return "add";
    case CXBinaryOperator_SubAssign:
    case CXBinaryOperator_Sub:
        return "sub";
    case CXBinaryOperator_OrAssign:
    case CXBinaryOperator_Or:
        return "or";
    case CXBinaryOperator_AndAssign:
    case CXBinaryOperator_And:
        return "and";
    case CXBinaryOperator_XorAssign:
    case CXBinaryOperator_Xor:
        return "xor";
    default:
        return NULL;
    }
}

static bool same_text(const struct sm_tree *tree, uint32_t a, uint32_t b)
{
    char *x = sm_tree_text(tree, a), *y = sm_tree_text(tree, b);
    bool same = strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}

/* Skips casts and parentheses, downwards. */
static uint32_t inner(const struct sm_tree *tree, uint32_t node)
{
    while (node != SM_NO_SYNTAX &&
           (tree->nodes[node].kind == CXCursor_UnexposedExpr ||
            tree->nodes[node].kind == CXCursor_ParenExpr) &&
           sm_tree_child(tree, node, 0) != SM_NO_SYNTAX)
        node = sm_tree_child(tree, node, 0);
    return node;
}

/* `x = x + e`, and `x = e + x` if that is the same. */
static bool is_update(const struct sm_tree *tree, struct sm_use *use)
{
    uint32_t value = inner(tree, use->operand);
    if (value == SM_NO_SYNTAX || tree->nodes[value].kind != CXCursor_BinaryOperator)
        return false;
    const char *function =
        function_of(clang_getCursorBinaryOperatorKind(tree->nodes[value].cursor));
    uint32_t left = sm_tree_child(tree, value, 0), right = sm_tree_child(tree, value, 1);
    if (!function || left == SM_NO_SYNTAX || right == SM_NO_SYNTAX)
        return false;
    if (same_text(tree, left, use->lvalue))
        use->again = left;
    else if (same_text(tree, right, use->lvalue) && strcmp(function, "sub") != 0)
        use->again = right;
    else
        return false;
    use->operand = use->again == left ? right : left;
    use->update = function;
    return true;
}

static void assignment(const struct sm_tree *tree, struct sm_use *use)
{
    use->kind = SM_USE_STORE;
    use->operand = sm_tree_child(tree, use->whole, 1);
    use->is_statement = is_body(tree, use->whole);
    if (is_update(tree, use))
        use->kind = SM_USE_UPDATE;
}

static void compound(const struct sm_tree *tree, struct sm_use *use)
{
    use->kind = SM_USE_UPDATE;
    use->operand = sm_tree_child(tree, use->whole, 1);
    use->is_statement = is_body(tree, use->whole);
    use->update = function_of(clang_getCursorBinaryOperatorKind(tree->nodes[use->whole].cursor));
}

static void unary(const struct sm_tree *tree, struct sm_use *use)
{
    enum CXUnaryOperatorKind kind =
        clang_getCursorUnaryOperatorKind(tree->nodes[use->whole].cursor);
    bool post = kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PostDec;
    if (kind == CXUnaryOperator_AddrOf) {
        use->kind = SM_USE_ADDRESS;
        return;
    }
    if (!post && kind != CXUnaryOperator_PreInc && kind != CXUnaryOperator_PreDec)
        return;
    use->kind = SM_USE_UPDATE;
    use->is_statement = is_body(tree, use->whole);
    use->gives_old = post;
    use->update = kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PreInc ? "add" : "sub";
}

/* `atomic_load(&x)`: the word before the parenthesis before the `&`. */
static bool is_atomic_call(const struct sm_tree *tree, uint32_t address)
{
    const struct sm_syntax *at = &tree->nodes[address];
    const char *text = at->source ? at->source->text : NULL;
    size_t i = at->start, end;
    while (text && i && strchr(" \t\n(", text[i - 1]))
        i--;
    end = i;
    while (text && i && (isalnum((unsigned char)text[i - 1]) || text[i - 1] == '_'))
        i--;
    return text && end > i &&
           (strncmp(text + i, "atomic_", 7) == 0 || strncmp(text + i, "__atomic_", 9) == 0 ||
            strncmp(text + i, "__sync_", 7) == 0);
}

/* `x.store(1)`, where x is no plain scalar. */
static bool is_method(const struct sm_tree *tree, const struct sm_use *use)
{
    const struct sm_syntax *at = &tree->nodes[use->lvalue];
    return at->source && at->source->text[at->end] == '.' &&
           tree->nodes[use->whole].kind == CXCursor_MemberRefExpr &&
           clang_getCursorKind(clang_getCursorReferenced(tree->nodes[use->whole].cursor)) ==
               CXCursor_CXXMethod;
}

/* The name of a reference is at its end: `x`, `p->x`. */
static bool is_spelled(const struct sm_tree *tree, uint32_t reference)
{
    char *name = sm_tree_name(tree, reference);
    bool spelled = *name && sm_tree_spells(tree, reference, name);
    free(name);
    return spelled;
}

static bool is_loaded(const struct sm_tree *tree, uint32_t lvalue)
{
    const struct sm_syntax *at = &tree->nodes[lvalue], *parent = &tree->nodes[at->parent];
    return parent->kind == CXCursor_UnexposedExpr && same_extent(at, parent) &&
           !is_array(tree, lvalue);
}

struct sm_use sm_use_of(const struct sm_tree *tree, uint32_t reference)
{
    struct sm_use use = {
        .operand = SM_NO_SYNTAX, .again = SM_NO_SYNTAX, .lvalue = lvalue_of(tree, reference)};
    use.in_macro = !is_spelled(tree, reference) || !tree->nodes[use.lvalue].source;
    use.whole = above_casts(tree, use.lvalue);
    use.kind = is_loaded(tree, use.lvalue) ? SM_USE_LOAD : SM_USE_ADDRESS;
    const struct sm_syntax *whole = &tree->nodes[use.whole];
    bool first = sm_tree_child(tree, use.whole, 0) == use.lvalue;
    if (whole->kind == CXCursor_UnaryExpr)
        use.kind = SM_USE_NOTHING;
    else if (whole->kind == CXCursor_UnaryOperator)
        unary(tree, &use);
    else if (whole->kind == CXCursor_CompoundAssignOperator && first)
        compound(tree, &use);
    else if (whole->kind == CXCursor_BinaryOperator && first &&
             clang_getCursorBinaryOperatorKind(whole->cursor) == CXBinaryOperator_Assign)
        assignment(tree, &use);
    else if (is_method(tree, &use))
        use.kind = SM_USE_METHOD;
    if (use.kind == SM_USE_ADDRESS && is_atomic_call(tree, use.whole))
        use.kind = SM_USE_CALL;
    return use;
}
