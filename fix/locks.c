/* locks.c - see locks.h. */
#include "fix/locks.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "fix/stretch.h"
#include "fix/text.h"
#include "fix/uses.h"

/* The calls for each type of lock; %s is the lock. */
struct calls {
    const char *type, *lock, *unlock;
};
static const struct calls all_calls[] = {
    {"pthread_mutex_t", "pthread_mutex_lock(&%s);", "pthread_mutex_unlock(&%s);"},
    {"pthread_spinlock_t", "pthread_spin_lock(&%s);", "pthread_spin_unlock(&%s);"},
    {"pthread_rwlock_t", "pthread_rwlock_wrlock(&%s);", "pthread_rwlock_unlock(&%s);"},
    {"mtx_t", "mtx_lock(&%s);", "mtx_unlock(&%s);"},
    {"std::mutex", "%s.lock();", "%s.unlock();"},
};

struct section {
    const struct sm_tree *tree;
    const struct sm_repair *repair;
    struct sm_stretch stretch;
    const struct calls *calls;
    char *expression; /* the lock */
    char **why;
};

static bool refuse(const struct section *section, uint32_t node, const char *reason)
{
    const struct sm_syntax *at = &section->tree->nodes[node];
    *section->why = sm_print("%s:%u: %s", at->source ? at->source->path : "?", at->line, reason);
    return false;
}

/* Replaces the one %s of a format of the table. */
static char *fill(const char *format, const char *text)
{
    const char *hole = strstr(format, "%s");
    return sm_print("%.*s%s%s", (int)(hole - format), format, text, hole + 2);
}

static char *lock_text(const struct section *section)
{
    return fill(section->calls->lock, section->expression);
}

static char *unlock_text(const struct section *section)
{
    return fill(section->calls->unlock, section->expression);
}

/* ---- which lock ---- */

static const struct calls *calls_of(CXType type)
{
    char *text = sm_clang_text(clang_getTypeSpelling(type));
    const struct calls *found = NULL;
    for (size_t i = 0; i < sizeof(all_calls) / sizeof(*all_calls); i++)
        if (strstr(text, all_calls[i].type))
            found = &all_calls[i];
    free(text);
    return found;
}

/* `account.lock` in a function in which the account is `*a`: `a->lock`. */
static char *through_base(const struct section *section, uint32_t field)
{
    const struct sm_tree *tree = section->tree;
    CXCursor record = clang_getCursorSemanticParent(tree->nodes[field].cursor);
    char *name = sm_tree_name(tree, field), *found = NULL;
    for (uint32_t i = section->stretch.first; !found && i < tree->nodes[section->stretch.last].last;
         i++) {
        const struct sm_syntax *at = &tree->nodes[i];
        CXCursor to = clang_getCursorReferenced(at->cursor);
        if (at->kind != CXCursor_MemberRefExpr || !at->source ||
            !clang_equalCursors(clang_getCursorSemanticParent(to), record))
            continue;
        char *member = sm_tree_name(tree, i), *text = sm_tree_text(tree, i);
        size_t n = strlen(text), m = strlen(member);
        if (n >= m && strcmp(text + n - m, member) == 0) /* n == m: of *this */
            found = sm_print("%.*s%s", (int)(n - m), text, name);
        free(member);
        free(text);
    }
    free(name);
    return found;
}

static bool existing_lock(struct section *section)
{
    const struct sm_tree *tree = section->tree;
    const char *name = section->repair->lock;
    uint32_t found = sm_tree_variable(tree, name, NULL);
    if (found == SM_NO_SYNTAX)
        return refuse(section, section->stretch.first, "the lock has no name in this file");
    section->calls = calls_of(clang_getCursorType(tree->nodes[found].cursor));
    if (!section->calls)
        return refuse(section, found, "no lock of a kind that the patch writer knows");
    if (tree->nodes[found].kind == CXCursor_FieldDecl)
        section->expression = through_base(section, found);
    if (!section->expression)
        section->expression = sm_copy_text(name);
    return !strstr(section->expression, "[]") ||
           refuse(section, found, "one lock of an array: which one, only the program knows");
}

static bool uses_std_mutex(const struct section *section)
{
    return section->tree->unit->cxx && strstr(section->stretch.source->text, "std::mutex");
}

/* After the last variable of the file before the function. */
static size_t place_of_new(const struct section *section, const char **blank)
{
    const struct sm_tree *tree = section->tree;
    uint32_t function = section->stretch.function, variable = SM_NO_SYNTAX, before = SM_NO_SYNTAX;
    while (tree->nodes[function].parent != 0)
        function = tree->nodes[function].parent;
    for (uint32_t i = sm_tree_child(tree, 0, 0); i < function; i = tree->nodes[i].last) {
        if (tree->nodes[i].source != section->stretch.source)
            continue;
        before = i;
        if (tree->nodes[i].kind == CXCursor_VarDecl)
            variable = i;
    }
    *blank = variable == SM_NO_SYNTAX ? "\n" : "";
    uint32_t node = variable != SM_NO_SYNTAX ? variable : before;
    if (node == SM_NO_SYNTAX)
        return sm_line_start(section->stretch.source, tree->nodes[function].start);
    size_t end = sm_line_end(section->stretch.source, sm_statement_end(tree, node));
    return end < section->stretch.source->size ? end + 1 : end;
}

static bool new_lock(struct section *section)
{
    const char *name = section->repair->lock, *blank;
    bool mutex = uses_std_mutex(section);
    section->calls = mutex ? &all_calls[4] : &all_calls[0];
    section->expression = sm_copy_text(name);
    size_t at = place_of_new(section, &blank);
    char *line =
        mutex ? sm_print("%sstatic std::mutex %s;\n", blank, name)
              : sm_print("%sstatic pthread_mutex_t %s = PTHREAD_MUTEX_INITIALIZER;\n", blank, name);
    struct sm_source_file *source = section->stretch.source;
    bool there = false; /* a second section of the same lock */
    for (size_t i = 0; i < source->n; i++)
        there |= strstr(source->edits[i].text, line + strlen(blank)) != NULL;
    if (!there)
        sm_edit_insert(source, at, 0, line);
    free(line);
    return true;
}

/* ---- jumps ---- */

static uint32_t target_of_break(const struct sm_tree *tree, uint32_t jump)
{
    bool is_continue = tree->nodes[jump].kind == CXCursor_ContinueStmt;
    uint32_t at = tree->nodes[jump].parent;
    for (; at != SM_NO_SYNTAX; at = tree->nodes[at].parent) {
        enum CXCursorKind kind = tree->nodes[at].kind;
        if (kind == CXCursor_WhileStmt || kind == CXCursor_ForStmt || kind == CXCursor_DoStmt ||
            kind == CXCursor_CXXForRangeStmt || (!is_continue && kind == CXCursor_SwitchStmt))
            return at;
    }
    return SM_NO_SYNTAX;
}

/* SM_NO_SYNTAX: a computed goto */
static uint32_t label_of(const struct section *section, uint32_t jump)
{
    const struct sm_tree *tree = section->tree;
    uint32_t function = section->stretch.function, name = sm_tree_child(tree, jump, 0);
    for (uint32_t i = function; name != SM_NO_SYNTAX && i < tree->nodes[function].last; i++) {
        if (tree->nodes[i].kind != CXCursor_LabelStmt)
            continue;
        char *own = sm_tree_name(tree, i), *wanted = sm_tree_name(tree, name);
        bool same = strcmp(own, wanted) == 0;
        free(own);
        free(wanted);
        if (same)
            return i;
    }
    return SM_NO_SYNTAX;
}

static struct sm_stretch stretch_of(const struct section *section, uint32_t statement)
{
    return (struct sm_stretch){.first = statement,
                               .last = statement,
                               .function = section->stretch.function,
                               .source = section->tree->nodes[statement].source};
}

static bool is_jump(enum CXCursorKind kind)
{
    return kind == CXCursor_ReturnStmt || kind == CXCursor_BreakStmt ||
           kind == CXCursor_ContinueStmt || kind == CXCursor_GotoStmt;
}

static bool leaves(const struct section *section, uint32_t jump)
{
    enum CXCursorKind kind = section->tree->nodes[jump].kind;
    if (kind == CXCursor_ReturnStmt)
        return true;
    uint32_t to =
        kind == CXCursor_GotoStmt ? label_of(section, jump) : target_of_break(section->tree, jump);
    return to == SM_NO_SYNTAX || !sm_stretch_has(section->tree, &section->stretch, to);
}

/* From outside the section to a label in it. */
static bool is_entered(const struct section *section)
{
    const struct sm_tree *tree = section->tree;
    uint32_t function = section->stretch.function;
    for (uint32_t i = function; i < tree->nodes[function].last; i++) {
        bool inside = sm_stretch_has(tree, &section->stretch, i);
        enum CXCursorKind kind = tree->nodes[i].kind;
        uint32_t to = kind == CXCursor_GotoStmt && !inside ? label_of(section, i) : SM_NO_SYNTAX;
        if (to != SM_NO_SYNTAX && sm_stretch_has(tree, &section->stretch, to))
            return true;
        uint32_t choice = sm_tree_above(tree, i, CXCursor_SwitchStmt);
        if (inside && (kind == CXCursor_CaseStmt || kind == CXCursor_DefaultStmt) &&
            !sm_stretch_has(tree, &section->stretch, choice))
            return true;
    }
    return false;
}

/* ---- return ---- */

static bool is_local(CXCursor variable)
{
    enum CXCursorKind kind = clang_getCursorKind(variable);
    return kind == CXCursor_ParmDecl || kind == CXCursor_EnumConstantDecl ||
           (kind == CXCursor_VarDecl && clang_getCursorLinkage(variable) == CXLinkage_NoLinkage &&
            clang_Cursor_getStorageClass(variable) != CX_SC_Static);
}

/* Its value is the same after the unlock. */
static bool is_fixed(const struct sm_tree *tree, uint32_t value)
{
    for (uint32_t i = value; i < tree->nodes[value].last; i++) {
        const struct sm_syntax *at = &tree->nodes[i];
        bool pointer = at->kind == CXCursor_MemberRefExpr || at->kind == CXCursor_CallExpr ||
                       at->kind == CXCursor_ArraySubscriptExpr;
        bool deref = at->kind == CXCursor_UnaryOperator &&
                     clang_getCursorUnaryOperatorKind(at->cursor) == CXUnaryOperator_Deref;
        bool other =
            at->kind == CXCursor_DeclRefExpr && !is_local(clang_getCursorReferenced(at->cursor));
        if (pointer || deref || other)
            return false;
    }
    return true;
}

static const char *free_name(const struct section *section)
{
    static const char *const names[] = {"result", "value", "locked_result"};
    char *text = sm_tree_text(section->tree, section->stretch.function);
    size_t i = 0;
    while (i < 2 && strstr(text, names[i]))
        i++;
    free(text);
    return names[i];
}

/* `return e;` becomes `T result = e;`, unlock, `return result;`. */
static void keep_result(const struct section *section, uint32_t jump, uint32_t value,
                        const char *unlock)
{
    const struct sm_tree *tree = section->tree;
    const struct sm_syntax *at = &tree->nodes[jump];
    CXType type = clang_getCursorResultType(tree->nodes[section->stretch.function].cursor);
    char *word = sm_clang_text(clang_getTypeSpelling(type));
    const char *name = free_name(section);
    char *indent = sm_line_indent(at->source, at->start);
    bool star = word[strlen(word) - 1] == '*';
    char *before = sm_print("%s%s%s = ", word, star ? "" : " ", name);
    char *behind = sm_print("%s\n%sreturn %s;", unlock, indent, name);
    struct sm_stretch one = stretch_of(section, jump);
    sm_stretch_wrap(tree, &one, NULL, behind);
    sm_edit_replace(at->source, at->start, tree->nodes[value].start - at->start, before);
    free(before);
    free(behind);
    free(indent);
    free(word);
}

static bool write_jump(const struct section *section, uint32_t jump)
{
    const struct sm_tree *tree = section->tree;
    uint32_t value =
        tree->nodes[jump].kind == CXCursor_ReturnStmt ? sm_tree_child(tree, jump, 0) : SM_NO_SYNTAX;
    struct sm_stretch one = stretch_of(section, jump);
    if (!one.source)
        return refuse(section, jump, "a jump in a macro leaves the section");
    char *unlock = unlock_text(section);
    if (value == SM_NO_SYNTAX || is_fixed(tree, value))
        sm_stretch_wrap(tree, &one, unlock, NULL);
    else
        keep_result(section, jump, value, unlock);
    free(unlock);
    return true;
}

/* ---- sections ---- */

static char *stretch_text(const struct section *section)
{
    const struct sm_tree *tree = section->tree;
    size_t start = tree->nodes[section->stretch.first].start;
    size_t end = sm_statement_end(tree, section->stretch.last);
    return sm_print("%.*s", (int)(end - start), section->stretch.source->text + start);
}

static bool has_text(const struct section *section, const char *wanted)
{
    char *text = stretch_text(section);
    bool has = strstr(text, wanted) != NULL;
    free(text);
    return has;
}

/* The statement of the section that takes the lock, if it is then held to the end of the section;
   SM_NO_SYNTAX. */
static uint32_t taken_later(const struct section *section)
{
    const struct sm_tree *tree = section->tree;
    char *lock = lock_text(section), *unlock = unlock_text(section);
    uint32_t found = SM_NO_SYNTAX, last = section->stretch.last, i = section->stretch.first;
    for (; found == SM_NO_SYNTAX && i != SM_NO_SYNTAX && i <= last; i = sm_tree_sibling(tree, i)) {
        char *text = sm_tree_text(tree, i);
        bool takes = strncmp(text, lock, strlen(text)) == 0 && strlen(text) + 1 == strlen(lock);
        found = takes ? i : SM_NO_SYNTAX;
        free(text);
    }
    if (has_text(section, unlock))
        found = SM_NO_SYNTAX;
    free(lock);
    free(unlock);
    return found;
}

/* Calls after which the lock would be held wrongly, or taken twice. */
static bool is_safe(const struct section *section)
{
    static const char *const words[] = {"pthread_exit", "longjmp", "_cond_wait", "_cond_timedwait"};
    char *lock = lock_text(section);
    bool twice = has_text(section, lock), leaves_otherwise = false;
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        leaves_otherwise |= has_text(section, words[i]);
    free(lock);
    if (twice && taken_later(section) == SM_NO_SYNTAX)
        return refuse(section, section->stretch.first, "the section takes the same lock itself");
    if (leaves_otherwise)
        return refuse(section, section->stretch.first,
                      "the section waits, or is left by a call that does not return");
    return !is_entered(section) ||
           refuse(section, section->stretch.first, "a jump enters the section");
}

/* The jumps before the node `end`. */
static bool write_jumps(const struct section *section, uint32_t end)
{
    const struct sm_tree *tree = section->tree;
    for (uint32_t i = section->stretch.first; i < end; i++)
        if (is_jump(tree->nodes[i].kind) && leaves(section, i) && !write_jump(section, i))
            return false;
    return true;
}

/* Moves the call to the beginning of the section. */
static bool write_earlier(const struct section *section, uint32_t taken)
{
    const struct sm_syntax *at = &section->tree->nodes[taken];
    size_t start = sm_line_start(at->source, at->start),
           end = sm_statement_end(section->tree, taken);
    size_t behind = sm_line_end(at->source, end);
    bool alone = behind == end && start + strspn(at->source->text + start, " \t") == at->start;
    char *lock = lock_text(section);
    sm_edit_replace(at->source, alone ? start : at->start,
                    alone ? behind + 1 - start : end - at->start, "");
    sm_stretch_wrap(section->tree, &section->stretch, lock, NULL);
    free(lock);
    return write_jumps(section, taken);
}

/* A guard needs no unlock: the end of its block releases it. */
static bool write_guard(const struct section *section)
{
    char *line = sm_print("const std::lock_guard<std::mutex> guard(%s);", section->expression);
    sm_stretch_wrap(section->tree, &section->stretch, line, NULL);
    free(line);
    return true;
}

static bool write_section(const struct section *section)
{
    const struct sm_tree *tree = section->tree;
    uint32_t last = section->stretch.last, taken = taken_later(section);
    if (taken != SM_NO_SYNTAX)
        return write_earlier(section, taken);
    bool guard = section->calls == &all_calls[4] && sm_tree_sibling(tree, last) == SM_NO_SYNTAX &&
                 tree->nodes[tree->nodes[last].parent].kind == CXCursor_CompoundStmt;
    if (guard)
        return write_guard(section);
    char *lock = lock_text(section), *unlock = unlock_text(section);
    bool open = tree->nodes[last].kind != CXCursor_ReturnStmt;
    sm_stretch_wrap(tree, &section->stretch, lock, open ? unlock : NULL);
    free(lock);
    free(unlock);
    return write_jumps(section, tree->nodes[last].last);
}

static bool write_lock(const struct sm_tree *tree, const struct sm_repair *repair, size_t *written,
                       char **why)
{
    struct section section = {.tree = tree, .repair = repair, .why = why};
    if (!sm_stretch_find(tree, repair->file, repair->line, repair->last, &section.stretch))
        return true; /* of another unit */
    if (section.stretch.several)
        return refuse(&section, section.stretch.first,
                      "several functions stand on one line: put each on lines of its own");
    bool ok = (repair->new_lock ? new_lock(&section) : existing_lock(&section)) &&
              is_safe(&section) && write_section(&section);
    *written += ok;
    free(section.expression);
    return ok;
}

/* ---- fences ---- */

static bool write_fence(const struct sm_tree *tree, const struct sm_repair *repair, size_t *written)
{
    struct sm_stretch stretch;
    if (!sm_stretch_find(tree, repair->file, repair->line, repair->line, &stretch) ||
        stretch.several)
        return true;
    const char *space = tree->unit->cxx ? "std::" : "";
    char *fence = sm_print("%satomic_thread_fence(%smemory_order_%s);", space, space,
                           sm_order_words[repair->order]);
    sm_stretch_wrap(tree, &stretch, repair->after ? NULL : fence, repair->after ? fence : NULL);
    free(fence);
    ++*written;
    return true;
}

bool sm_locks_write(const struct sm_tree *tree, const struct sm_repair_set *repairs,
                    size_t *written, char **why)
{
    for (size_t i = 0; i < repairs->n; i++) {
        const struct sm_repair *repair = &repairs->items[i];
        if (repair->kind == SM_REPAIR_LOCK && !repair->line) {
            *why = sm_print("a lock around each access to %s: name its places", repair->variable);
            return false;
        }
        bool ok = repair->kind == SM_REPAIR_LOCK    ? write_lock(tree, repair, written, why)
                  : repair->kind == SM_REPAIR_FENCE ? write_fence(tree, repair, written)
                                                    : true;
        if (!ok)
            return false;
    }
    return true;
}
