/* held.c - see held.h. */
#include "fix/held.h"

#include <stdlib.h>
#include <string.h>

#include "fix/spots.h"
#include "fix/uses.h"

/* ---- names ---- */

static bool is_reference(const struct sm_tree *tree, uint32_t node)
{
    enum CXCursorKind kind = tree->nodes[node].kind;
    return kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr;
}

/* Of the variable that the text `p->lock` refers to; NULL if it is no variable. */
static char *name_at(const struct sm_tree *tree, uint32_t function, struct sm_span text)
{
    for (uint32_t i = function; i < tree->nodes[function].last; i++)
        if (is_reference(tree, i) && tree->nodes[i].end == text.end &&
            tree->nodes[i].start >= text.start)
            return sm_tree_reference_name(tree, i);
    return NULL;
}

static bool is_of_type(CXCursor cursor, const char *const *words)
{
    char *type = sm_clang_text(clang_getTypeSpelling(clang_getCursorType(cursor)));
    bool is = false;
    for (; !is && *words; words++)
        is = strstr(type, *words) != NULL;
    free(type);
    return is;
}

/* The first mutex that the node names, to be freed; NULL. */
static char *mutex_in(const struct sm_tree *tree, uint32_t node)
{
    static const char *const mutexes[] = {"mutex", NULL};
    for (uint32_t i = node; i < tree->nodes[node].last; i++) {
        CXCursor to = clang_getCursorReferenced(tree->nodes[i].cursor);
        enum CXCursorKind kind = clang_getCursorKind(to);
        if (is_reference(tree, i) && (kind == CXCursor_VarDecl || kind == CXCursor_FieldDecl) &&
            is_of_type(to, mutexes))
            return sm_tree_reference_name(tree, i);
    }
    return NULL;
}

/* ---- what takes and releases ---- */

static void release(struct sm_list *held, const char *name)
{
    struct sm_list rest = {0};
    for (size_t i = 0; i < held->n; i++)
        if (strcmp(held->items[i], name) != 0)
            sm_list_add(&rest, held->items[i]);
    sm_list_free(held);
    *held = rest;
}

static bool is_guard(const struct sm_tree *tree, uint32_t node)
{
    static const char *const guards[] = {"lock_guard", "unique_lock", "scoped_lock", NULL};
    return tree->nodes[node].kind == CXCursor_VarDecl &&
           is_of_type(tree->nodes[node].cursor, guards);
}

/* The block of a guard has not ended. */
static bool is_open(const struct sm_tree *tree, uint32_t guard, size_t offset)
{
    uint32_t block = sm_tree_above(tree, guard, CXCursor_CompoundStmt);
    return block != SM_NO_SYNTAX && tree->nodes[block].end > offset;
}

static void note_node(const struct sm_tree *tree, uint32_t node, size_t offset,
                      struct sm_list *held)
{
    bool guard = is_guard(tree, node) && is_open(tree, node, offset);
    char *called = tree->nodes[node].kind == CXCursor_CallExpr ? sm_tree_name(tree, node) : NULL;
    bool lock = called && strcmp(called, "lock") == 0;
    bool unlock = called && strcmp(called, "unlock") == 0;
    char *mutex = guard || lock || unlock ? mutex_in(tree, node) : NULL;
    if (mutex && unlock)
        release(held, mutex);
    else if (mutex)
        sm_list_add(held, mutex);
    free(mutex);
    free(called);
}

static void read_syntax(const struct sm_tree *tree, uint32_t function, size_t offset,
                        struct sm_list *held)
{
    for (uint32_t i = function; i < tree->nodes[function].last; i++)
        if (tree->nodes[i].end <= offset)
            note_node(tree, i, offset, held);
}

void sm_held_at(const struct sm_tree *tree, uint32_t function, size_t offset, struct sm_list *held)
{
    struct sm_held_texts texts = {0};
    sm_spots_held(tree, function, offset, &texts);
    for (size_t i = 0; i < texts.n; i++) {
        char *name = name_at(tree, function, texts.items[i].at);
        sm_list_add(held, name ? name : texts.items[i].name);
        free(name);
        free(texts.items[i].name);
    }
    if (tree->unit->cxx)
        read_syntax(tree, function, offset, held);
}
