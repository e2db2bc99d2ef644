/* stretch.c - see stretch.h. */
#include "fix/stretch.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "fix/text.h"

static bool is_file(const struct sm_syntax *node, const char *file)
{
    if (!node->source)
        return false;
    size_t n = strlen(node->source->path), m = strlen(file);
    return n >= m && strcmp(node->source->path + n - m, file) == 0 &&
           (n == m || *file == '/' || node->source->path[n - m - 1] == '/');
}

static bool is_control(enum CXCursorKind kind)
{
    return kind == CXCursor_IfStmt || kind == CXCursor_WhileStmt || kind == CXCursor_ForStmt ||
           kind == CXCursor_DoStmt || kind == CXCursor_CXXForRangeStmt;
}

/* A condition is followed by a parenthesis, a body by a semicolon. */
bool sm_statement_is_bare(const struct sm_tree *tree, uint32_t statement)
{
    const struct sm_syntax *at = &tree->nodes[statement];
    if (!is_control(tree->nodes[at->parent].kind) || at->kind == CXCursor_CompoundStmt ||
        !at->source)
        return false;
    char c = at->source->text[sm_skip_blanks(at->source, at->end)];
    return c == ';' || is_control(at->kind) || at->kind == CXCursor_DeclStmt;
}

size_t sm_statement_end(const struct sm_tree *tree, uint32_t statement)
{
    const struct sm_syntax *at = &tree->nodes[statement];
    size_t next = sm_skip_blanks(at->source, at->end);
    return at->source->text[next] == ';' ? next + 1 : at->end;
}

bool sm_stretch_has(const struct sm_tree *tree, const struct sm_stretch *stretch, uint32_t node)
{
    return node >= stretch->first && node < tree->nodes[stretch->last].last;
}

/* ---- finding ---- */

static bool encloses(const struct sm_syntax *node, uint32_t line, uint32_t last, bool strictly)
{
    return strictly ? node->line < line && node->last_line >= last
                    : node->line <= line && node->last_line >= last;
}

static bool is_function(enum CXCursorKind kind)
{
    return kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod ||
           kind == CXCursor_LambdaExpr;
}

/* The innermost compound statement around the lines. Of those that open on the first line, only the
   body of a function that lies in these lines is taken: a repair that was tried holds for whole
   lines. *several: several functions have the lines, and it is not known which is meant. */
static uint32_t compound_of(const struct sm_tree *tree, const char *file, uint32_t line,
                            uint32_t last, bool *several)
{
    uint32_t found = SM_NO_SYNTAX, body = SM_NO_SYNTAX, functions = 0;
    for (uint32_t i = 0; i < tree->n; i++) {
        const struct sm_syntax *at = &tree->nodes[i];
        if (at->kind != CXCursor_CompoundStmt || !encloses(at, line, last, false) ||
            !is_file(at, file))
            continue;
        if (encloses(at, line, last, true)) {
            found = i;
        } else if (is_function(tree->nodes[at->parent].kind)) {
            body = body == SM_NO_SYNTAX ? i : body;
            functions++;
        }
    }
    *several = functions + (found != SM_NO_SYNTAX) > 1;
    return found != SM_NO_SYNTAX ? found : body;
}

static uint32_t function_of(const struct sm_tree *tree, uint32_t node)
{
    while (node != SM_NO_SYNTAX && !is_function(tree->nodes[node].kind))
        node = tree->nodes[node].parent;
    return node;
}

/* The body without braces that has the lines, if its control statement begins before them. */
static uint32_t bare_body(const struct sm_tree *tree, uint32_t statement, uint32_t line,
                          uint32_t last)
{
    uint32_t child = sm_tree_child(tree, statement, 0);
    for (; child != SM_NO_SYNTAX; child = sm_tree_sibling(tree, child)) {
        const struct sm_syntax *at = &tree->nodes[child];
        if (tree->nodes[statement].line < line && sm_statement_is_bare(tree, child) &&
            encloses(at, line, last, false))
            return child;
    }
    return SM_NO_SYNTAX;
}

static bool pick(const struct sm_tree *tree, uint32_t compound, uint32_t line, uint32_t last,
                 struct sm_stretch *stretch)
{
    stretch->first = stretch->last = SM_NO_SYNTAX;
    for (uint32_t i = sm_tree_child(tree, compound, 0); i != SM_NO_SYNTAX;
         i = sm_tree_sibling(tree, i)) {
        const struct sm_syntax *at = &tree->nodes[i];
        if (at->last_line < line || at->line > last)
            continue;
        if (stretch->first == SM_NO_SYNTAX)
            stretch->first = i;
        stretch->last = i;
    }
    return stretch->first != SM_NO_SYNTAX;
}

bool sm_stretch_find(const struct sm_tree *tree, const char *file, uint32_t line, uint32_t last,
                     struct sm_stretch *stretch)
{
    bool several;
    uint32_t compound = compound_of(tree, file, line, last, &several), inside;
    *stretch = (struct sm_stretch){.several = several};
    if (compound == SM_NO_SYNTAX || !pick(tree, compound, line, last, stretch))
        return false;
    while (stretch->first == stretch->last &&
           (inside = bare_body(tree, stretch->first, line, last)) != SM_NO_SYNTAX)
        stretch->first = stretch->last = inside;
    stretch->function = function_of(tree, compound);
    stretch->source = tree->nodes[stretch->first].source;
    return stretch->function != SM_NO_SYNTAX && stretch->source &&
           tree->nodes[stretch->last].source == stretch->source;
}

/* ---- writing ---- */

static bool is_first_on_line(const struct sm_source_file *source, size_t at)
{
    size_t start = sm_line_start(source, at);
    return start + strspn(source->text + start, " \t") >= at;
}

static bool is_last_on_line(const struct sm_source_file *source, size_t at)
{
    const char *rest = source->text + at;
    rest += strspn(rest, " \t");
    return *rest == '\n' || *rest == '\0' || (rest[0] == '/' && (rest[1] == '/' || rest[1] == '*'));
}

/* If several texts meet at the beginning or the end of a line, those of the outer statement enclose
   those of the inner one; a brace encloses what is put around its statement. */
static int64_t width_of(const struct sm_tree *tree, const struct sm_stretch *stretch)
{
    return 2 * (int64_t)(tree->nodes[stretch->last].end - tree->nodes[stretch->first].start);
}

static void put_before(struct sm_source_file *source, size_t at, int64_t width, const char *text)
{
    char *indent = sm_line_indent(source, at);
    bool own = is_first_on_line(source, at);
    char *line = own ? sm_print("%s%s\n", indent, text) : sm_print("%s ", text);
    sm_edit_insert(source, own ? sm_line_start(source, at) : at, -width - SM_EDIT_STATEMENT, line);
    free(line);
    free(indent);
}

static void put_behind(struct sm_source_file *source, size_t from, size_t at, int64_t width,
                       const char *text)
{
    char *indent = sm_line_indent(source, from);
    bool own = is_last_on_line(source, at);
    char *line = own ? sm_print("\n%s%s", indent, text) : sm_print(" %s", text);
    sm_edit_insert(source, own ? sm_line_end(source, at) : at, width + SM_EDIT_STATEMENT, line);
    free(line);
    free(indent);
}

/* `if (x)` gets its brace on the same line, and the closing one below the body. */
static void add_braces(const struct sm_tree *tree, uint32_t statement)
{
    const struct sm_syntax *at = &tree->nodes[statement];
    struct sm_source_file *source = at->source;
    size_t end = sm_statement_end(tree, statement), open = at->start;
    char *indent = sm_line_indent(source, tree->nodes[at->parent].start);
    while (open && isspace((unsigned char)source->text[open - 1]))
        open--;
    bool own = is_last_on_line(source, end) && is_first_on_line(source, at->start);
    char *close = own ? sm_print("\n%s}", indent) : sm_copy_text(" }");
    int64_t rank = 2 * (int64_t)(at->end - at->start) + 1 + SM_EDIT_STATEMENT;
    sm_edit_insert(source, open, rank, " {");
    sm_edit_insert(source, own ? sm_line_end(source, end) : end, rank, close);
    free(close);
    free(indent);
}

void sm_stretch_wrap(const struct sm_tree *tree, const struct sm_stretch *stretch,
                     const char *before, const char *behind)
{
    const struct sm_syntax *first = &tree->nodes[stretch->first];
    if (stretch->first == stretch->last && sm_statement_is_bare(tree, stretch->first))
        add_braces(tree, stretch->first);
    if (before)
        put_before(stretch->source, first->start, width_of(tree, stretch), before);
    if (behind)
        put_behind(stretch->source, tree->nodes[stretch->last].start,
                   sm_statement_end(tree, stretch->last), width_of(tree, stretch), behind);
}
