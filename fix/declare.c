/* declare.c - see declare.h. */
#include "fix/declare.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "fix/text.h"
#include "fix/uses.h"

/* One declarator of a declaration, as offsets. */
struct declarator {
    const struct sm_tree *tree;
    uint32_t node;
    struct sm_source_file *source;
    size_t specifiers; /* start of `static volatile int` */
    size_t type;       /* after the storage class */
    size_t begin;      /* the declarator, with its stars */
    size_t name, end;  /* end: with its initialiser */
    bool pointer, array;
};

/* ---- reading ---- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t word_end(const struct sm_source_file *source, size_t at)
{
    while (at < source->size && is_word(source->text[at]))
        at++;
    return at;
}

static bool word_is(const struct sm_source_file *source, size_t at, const char *word)
{
    size_t n = strlen(word);
    return strncmp(source->text + at, word, n) == 0 && !is_word(source->text[at + n]);
}

static bool is_storage(const struct sm_source_file *source, size_t at)
{
    static const char *const words[] = {"static", "extern",        "register", "inline",
                                        "const",  "_Thread_local", "__thread", "thread_local"};
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (word_is(source, at, words[i]))
            return true;
    return false;
}

static size_t type_start(const struct sm_source_file *source, size_t at)
{
    while (is_storage(source, at))
        at = sm_skip_blanks(source, word_end(source, at));
    return at;
}

/* The word `volatile` in [start, end), or `end`. */
static size_t find_volatile(const struct sm_source_file *source, size_t start, size_t end)
{
    for (size_t at = start; at < end; at = sm_skip_token(source, at))
        if (word_is(source, at, "volatile") && (!at || !is_word(source->text[at - 1])))
            return at;
    return end;
}

static CXType element_type(CXType type, bool *array)
{
    *array = false;
    while (type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray) {
        type = clang_getArrayElementType(type);
        *array = true;
    }
    return type;
}

static size_t offset_of_name(CXCursor cursor)
{
    unsigned offset = 0;
    clang_getFileLocation(clang_getCursorLocation(cursor), NULL, NULL, NULL, &offset);
    return offset;
}

static struct declarator read_declarator(const struct sm_tree *tree, uint32_t node)
{
    const struct sm_syntax *at = &tree->nodes[node];
    struct declarator d = {.tree = tree, .node = node, .source = at->source};
    CXType type = element_type(clang_getCanonicalType(clang_getCursorType(at->cursor)), &d.array);
    d.pointer = type.kind == CXType_Pointer;
    d.specifiers = at->start;
    d.end = at->end;
    d.name = offset_of_name(at->cursor);
    d.type = type_start(at->source, at->start);
    d.begin = d.name;
    while (d.begin > d.type && strchr(" \t\n*", at->source->text[d.begin - 1]))
        d.begin--;
    while (isspace((unsigned char)at->source->text[d.begin]))
        d.begin++;
    return d;
}

/* ---- what can be atomic ---- */

static bool is_atomic(CXType type)
{
    bool array;
    CXType element = element_type(clang_getCanonicalType(type), &array);
    char *text = sm_clang_text(clang_getTypeSpelling(element));
    bool atomic = element.kind == CXType_Atomic || strstr(text, "std::atomic") ||
                  strstr(text, "std::__atomic");
    free(text);
    return atomic;
}

static bool is_scalar(CXType type)
{
    bool array;
    CXType element = element_type(clang_getCanonicalType(type), &array);
    return (element.kind >= CXType_Bool && element.kind <= CXType_NullPtr) ||
           element.kind == CXType_Enum || element.kind == CXType_Pointer;
}

static bool refuse(const struct declarator *d, char **why, const char *reason)
{
    *why = sm_print("%s:%u: %s", d->source->path, d->tree->nodes[d->node].line, reason);
    return false;
}

/* ---- C ---- */

/* `volatile` becomes `_Atomic`, which was the intent. */
static void write_c(const struct declarator *d)
{
    size_t star = d->name;
    while (d->pointer && star > d->begin && d->source->text[star - 1] != '*')
        star--;
    size_t from = d->pointer ? star : d->specifiers, to = d->pointer ? d->name : d->begin;
    size_t old = find_volatile(d->source, from, to);
    if (old < to)
        sm_edit_replace(d->source, old, strlen("volatile"), "_Atomic");
    else
        sm_edit_insert(d->source, d->pointer ? d->name : d->type, 0, "_Atomic ");
}

/* ---- C++ ---- */

static void write_initialiser(const struct declarator *d)
{
    size_t at = sm_skip_blanks(d->source, word_end(d->source, d->name));
    if (d->array || d->source->text[at] != '=')
        return;
    size_t value = sm_skip_blanks(d->source, at + 1);
    size_t name_end = word_end(d->source, d->name);
    bool braced = d->source->text[value] == '{';
    sm_edit_replace(d->source, name_end, value - name_end, braced ? "" : "{");
    if (!braced)
        sm_edit_insert(d->source, d->end, 0, "}");
}

static void write_cxx(const struct declarator *d)
{
    size_t old = find_volatile(d->source, d->specifiers, d->name), end = d->name;
    while (end > d->type && isspace((unsigned char)d->source->text[end - 1]))
        end--;
    if (old < d->name) {
        size_t next = sm_skip_blanks(d->source, old + strlen("volatile"));
        sm_edit_replace(d->source, old, next - old, "");
    }
    size_t start = old == d->type ? sm_skip_blanks(d->source, old + strlen("volatile")) : d->type;
    sm_edit_insert(d->source, start, 1, "std::atomic<");
    sm_edit_insert(d->source, end, 0, end == d->name ? "> " : ">");
    write_initialiser(d);
}

/* ---- one of several declarators ---- */

/* The neighbour in the same declaration, or SM_NO_SYNTAX. */
static uint32_t neighbour(const struct declarator *d, bool next)
{
    const struct sm_tree *tree = d->tree;
    uint32_t parent = tree->nodes[d->node].parent, before = SM_NO_SYNTAX;
    for (uint32_t i = sm_tree_child(tree, parent, 0); i != SM_NO_SYNTAX;
         i = sm_tree_sibling(tree, i)) {
        const struct sm_syntax *at = &tree->nodes[i];
        if (at->source != d->source || at->start != d->specifiers ||
            at->kind != tree->nodes[d->node].kind)
            continue;
        if (next ? before == d->node : i == d->node)
            return next ? i : before;
        before = i;
    }
    return SM_NO_SYNTAX;
}

/* The first of several, which has the specifiers before it. */
static struct declarator first_of(const struct declarator *d)
{
    struct declarator first = *d;
    uint32_t before;
    while ((before = neighbour(&first, false)) != SM_NO_SYNTAX)
        first = read_declarator(d->tree, before);
    return first;
}

static size_t semicolon_of(const struct declarator *d)
{
    size_t at = d->end;
    while (at < d->source->size && d->source->text[at] != ';')
        at = sm_skip_token(d->source, at);
    return at;
}

/* A declaration of its own, with what all declarators of the old one share. */
static char *own_line(const struct declarator *d)
{
    struct declarator first = first_of(d);
    const char *text = d->source->text;
    char *indent = sm_line_indent(d->source, d->specifiers);
    char *line =
        sm_print("\n%s%.*s%s%.*s%.*s%s%.*s;", indent, (int)(d->type - d->specifiers),
                 text + d->specifiers, d->pointer ? "" : "_Atomic ", (int)(first.begin - d->type),
                 text + d->type, (int)(d->name - d->begin), text + d->begin,
                 d->pointer ? "_Atomic " : "", (int)(d->end - d->name), text + d->name);
    free(indent);
    return line;
}

/* Moves the declarator to a declaration on a line of its own. */
static bool split(const struct declarator *d, uint32_t before, uint32_t after, char **why)
{
    if (d->tree->unit->cxx)
        return refuse(d, why, "declare the variable on a line of its own first");
    char *line = own_line(d);
    size_t from = before == SM_NO_SYNTAX ? d->begin : d->tree->nodes[before].end;
    size_t to = before == SM_NO_SYNTAX ? read_declarator(d->tree, after).begin : d->end;
    sm_edit_replace(d->source, from, to - from, "");
    sm_edit_insert(d->source, semicolon_of(d) + 1, 0, line);
    free(line);
    return true;
}

/* ---- all declarations ---- */

/* Every declarator of the declaration becomes atomic, and none is a pointer. */
static bool all_become_atomic(const struct declarator *d, const struct sm_list *usrs)
{
    struct declarator at = first_of(d);
    uint32_t node = at.node;
    for (; node != SM_NO_SYNTAX; node = neighbour(&at, true)) {
        char *usr = sm_tree_usr(d->tree, node);
        at = read_declarator(d->tree, node);
        bool becomes = sm_list_has(usrs, usr) && !at.pointer;
        free(usr);
        if (!becomes)
            return false;
    }
    return !d->tree->unit->cxx;
}

static bool declare(const struct sm_tree *tree, uint32_t node, const struct sm_list *usrs,
                    char **why)
{
    CXCursor cursor = tree->nodes[node].cursor;
    if (!tree->nodes[node].source || is_atomic(clang_getCursorType(cursor)))
        return true;
    struct declarator d = read_declarator(tree, node);
    if (clang_Cursor_isBitField(cursor))
        return refuse(&d, why, "a bit-field cannot be atomic");
    if (!is_scalar(clang_getCursorType(cursor)))
        return refuse(&d, why, "only integers and pointers are made atomic");
    if (!word_end(d.source, d.name) || word_end(d.source, d.name) == d.name)
        return refuse(&d, why, "the declaration is in a macro");
    uint32_t before = neighbour(&d, false), after = neighbour(&d, true);
    bool several = before != SM_NO_SYNTAX || after != SM_NO_SYNTAX;
    if (several && all_become_atomic(&d, usrs))
        d = first_of(&d);
    else if (several)
        return split(&d, before, after, why);
    (tree->unit->cxx ? write_cxx : write_c)(&d);
    return true;
}

bool sm_declare_atomic(const struct sm_tree *tree, const char *usr, const struct sm_list *usrs,
                       char **why)
{
    for (uint32_t i = 0; i < tree->n; i++) {
        if (tree->nodes[i].kind != CXCursor_VarDecl && tree->nodes[i].kind != CXCursor_FieldDecl)
            continue;
        char *own = sm_tree_usr(tree, i);
        bool ok = strcmp(own, usr) != 0 || declare(tree, i, usrs, why);
        free(own);
        if (!ok)
            return false;
    }
    return true;
}

/* ---- includes ---- */

/* The name between the angle brackets of an #include line, and its length; NULL if it is none. */
static const char *included(const char *line, size_t *length)
{
    line += strspn(line, " \t");
    if (*line++ != '#')
        return NULL;
    line += strspn(line, " \t");
    if (strncmp(line, "include", 7) != 0)
        return NULL;
    line += 7 + strspn(line + 7, " \t");
    if (*line != '<')
        return NULL;
    *length = strcspn(line + 1, ">\n");
    return line + 1;
}

static bool is_preprocessor(const char *line)
{
    line += strspn(line, " \t");
    return *line == '#';
}

static int compare(const char *a, size_t n, const char *b)
{
    size_t m = strlen(b);
    int c = memcmp(a, b, n < m ? n : m);
    return c ? c : n < m ? -1 : n > m;
}

/* After the comment that a file begins with. */
static size_t top(const struct sm_source_file *source)
{
    size_t at = sm_skip_blanks(source, 0);
    return sm_line_start(source, at);
}

/* In the first block of such lines: before the first header that follows it in the alphabet, else
   after the last. SIZE_MAX: it is already included. */
static size_t place_of(const struct sm_source_file *source, const char *header)
{
    size_t found = SIZE_MAX, last = SIZE_MAX, first = SIZE_MAX, n;
    for (size_t at = 0; at < source->size; at = sm_line_end(source, at) + 1) {
        const char *name = included(source->text + at, &n);
        if (is_preprocessor(source->text + at) && first == SIZE_MAX &&
            strstr(source->text + at, "include"))
            first = at;
        if (!name)
            continue;
        int c = compare(name, n, header);
        if (c == 0)
            return SIZE_MAX;
        if (c > 0 && found == SIZE_MAX && (last == SIZE_MAX || last == at))
            found = at;
        if (found == SIZE_MAX)
            last = sm_line_end(source, at) + 1;
    }
    return found != SIZE_MAX   ? found
           : last != SIZE_MAX  ? last
           : first != SIZE_MAX ? first
                               : top(source);
}

static bool names(const struct sm_source_file *source, const char *text)
{
    for (size_t i = 0; i < source->n; i++) {
        const char *found = strstr(source->edits[i].text, text);
        if (found && (found == source->edits[i].text || (!is_word(found[-1]) && found[-1] != ':')))
            return true;
    }
    return false;
}

void sm_declare_includes(struct sm_source_file *source)
{
    /* by header; `known`: a file that contains this word has the header, perhaps through another
       one */
    static const struct {
        const char *text, *header, *known;
    } all[] = {{"std::atomic", "atomic", NULL},
               {"std::mutex", "mutex", "std::mutex"},
               {"std::lock_guard", "mutex", "std::lock_guard"},
               {"pthread_mutex_", "pthread.h", "pthread_create("},
               {"atomic_", "stdatomic.h", NULL}};
    int64_t n = sizeof(all) / sizeof(*all);
    for (int64_t i = 0; i < n; i++) {
        if (!names(source, all[i].text) || (all[i].known && strstr(source->text, all[i].known)))
            continue;
        size_t at = place_of(source, all[i].header);
        char *line = sm_print("#include <%s>\n", all[i].header);
        if (at != SIZE_MAX)
            sm_edit_insert(source, at, -2 * SM_EDIT_STATEMENT + i, line);
        free(line);
    }
}
