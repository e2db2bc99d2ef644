/* tree.c - see tree.h. */
#include "fix/tree.h"

#include <stdlib.h>
#include <string.h>

#include "target/symbols.h"

/* ---- parsing ---- */

struct arguments {
    const char **words;
    int n;
};

static struct arguments arguments_of(const struct sm_source_unit *unit)
{
    static const char *const added[] = {"-Wall", "-Wextra", "-working-directory"};
    size_t n = 3;
    struct arguments arguments = {sm_new((unit->flags.n + n + 1) * sizeof(char *)), 0};
    for (size_t i = 0; i < unit->flags.n; i++)
        arguments.words[arguments.n++] = unit->flags.items[i];
    for (size_t i = 0; i < n; i++)
        arguments.words[arguments.n++] = added[i];
    arguments.words[arguments.n++] = unit->directory;
    return arguments;
}

static CXTranslationUnit parse(CXIndex index, const struct sm_source_unit *unit,
                               struct CXUnsavedFile *unsaved, unsigned n)
{
    struct arguments arguments = arguments_of(unit);
    CXTranslationUnit parsed =
        clang_parseTranslationUnit(index, unit->file, arguments.words, arguments.n, unsaved, n, 0);
    free(arguments.words);
    return parsed;
}

static unsigned edited(struct sm_source_files *sources, struct CXUnsavedFile *unsaved)
{
    unsigned n = 0;
    for (size_t i = 0; i < sources->n; i++) {
        struct sm_source_file *source = sources->items[i];
        char *text = source->n ? sm_edits_apply(source) : NULL;
        if (text)
            unsaved[n++] = (struct CXUnsavedFile){source->path, text, strlen(text)};
    }
    return n;
}

char *sm_tree_complaint(const struct sm_source_unit *unit, struct sm_source_files *sources)
{
    struct CXUnsavedFile *unsaved = sm_new((sources->n + 1) * sizeof(*unsaved));
    unsigned n = edited(sources, unsaved);
    CXIndex index = clang_createIndex(0, 0);
    CXTranslationUnit before = parse(index, unit, NULL, 0), after = parse(index, unit, unsaved, n);
    char *old = NULL, *new = NULL;
    if (!before || !after)
        new = sm_copy_text("libclang cannot parse it");
    else if (sm_clang_diagnostics(after, CXDiagnostic_Warning, &new) <=
             sm_clang_diagnostics(before, CXDiagnostic_Warning, &old)) {
        free(new);
        new = NULL;
    }
    for (unsigned i = 0; i < n; i++)
        free((char *)unsaved[i].Contents);
    free(unsaved);
    free(old);
    clang_disposeTranslationUnit(before);
    clang_disposeTranslationUnit(after);
    clang_disposeIndex(index);
    return new;
}

/* ---- flattening ---- */

struct flattening {
    struct sm_tree *tree;
    uint32_t parent;
};

static uint32_t offset_of(CXSourceLocation location, CXFile *file, uint32_t *line)
{
    unsigned offset = 0;
    clang_getFileLocation(location, file, line, NULL, &offset);
    return offset;
}

static struct sm_source_file *source_of(struct sm_tree *tree, CXFile file)
{
    if (!file)
        return NULL;
    char *name = sm_clang_text(clang_getFileName(file));
    char *path = sm_simplify_path(*name == '/' ? sm_copy_text(name)
                                               : sm_print("%s/%s", tree->unit->directory, name));
    struct sm_source_file *source = sm_sources_at(tree->sources, path);
    free(path);
    free(name);
    return source;
}

static uint32_t add_node(struct sm_tree *tree, CXCursor cursor, uint32_t parent)
{
    struct sm_syntax node = {
        .cursor = cursor, .kind = clang_getCursorKind(cursor), .parent = parent};
    CXSourceRange range = clang_getCursorExtent(cursor);
    CXFile file = NULL, end_file = NULL;
    node.start = offset_of(clang_getRangeStart(range), &file, &node.line);
    node.end = offset_of(clang_getRangeEnd(range), &end_file, &node.last_line);
    if (file && end_file && clang_File_isEqual(file, end_file))
        node.source = source_of(tree, file);
    if (node.source && node.end > node.source->size)
        node.source = NULL;
    if ((tree->n & (tree->n + 1)) == 0) /* room is a power of two, less one */
        tree->nodes = sm_resize(tree->nodes, (2 * (size_t)tree->n + 2) * sizeof(*tree->nodes));
    tree->nodes[tree->n] = node;
    return tree->n++;
}

static enum CXChildVisitResult flatten(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct flattening *visit = data;
    (void)parent;
    if (visit->parent == 0 && clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
        return CXChildVisit_Continue;
    struct flattening below = {visit->tree, add_node(visit->tree, cursor, visit->parent)};
    clang_visitChildren(cursor, flatten, &below);
    visit->tree->nodes[below.parent].last = visit->tree->n;
    return CXChildVisit_Continue;
}

bool sm_tree_open(struct sm_tree *tree, const struct sm_source_unit *unit,
                  struct sm_source_files *sources, char **why)
{
    *tree = (struct sm_tree){.unit = unit, .sources = sources, .index = clang_createIndex(0, 0)};
    tree->parsed = parse(tree->index, unit, NULL, 0);
    *why = NULL;
    if (!tree->parsed)
        *why = sm_print("libclang cannot parse %s", unit->file);
    else
        sm_clang_diagnostics(tree->parsed, CXDiagnostic_Error, why);
    if (*why)
        return false;
    CXCursor root = clang_getTranslationUnitCursor(tree->parsed);
    struct flattening visit = {tree, add_node(tree, root, SM_NO_SYNTAX)};
    clang_visitChildren(root, flatten, &visit);
    tree->nodes[0].last = tree->n;
    return true;
}

void sm_tree_close(struct sm_tree *tree)
{
    free(tree->nodes);
    if (tree->parsed)
        clang_disposeTranslationUnit(tree->parsed);
    if (tree->index)
        clang_disposeIndex(tree->index);
    *tree = (struct sm_tree){0};
}

bool sm_trees_open(struct sm_trees *trees, const struct sm_source_units *units,
                   struct sm_source_files *sources, char **why)
{
    *trees = (struct sm_trees){.items = sm_new((units->n + 1) * sizeof(*trees->items))};
    if (!sm_clang_load(why))
        return false;
    while (trees->n < units->n) {
        size_t i = trees->n++;
        if (!sm_tree_open(&trees->items[i], &units->items[i], sources, why))
            return false;
    }
    return true;
}

void sm_trees_close(struct sm_trees *trees)
{
    for (size_t i = 0; i < trees->n; i++)
        sm_tree_close(&trees->items[i]);
    free(trees->items);
    *trees = (struct sm_trees){0};
}

/* ---- nodes ---- */

uint32_t sm_tree_child(const struct sm_tree *tree, uint32_t node, uint32_t i)
{
    uint32_t child = node + 1;
    for (; child < tree->nodes[node].last; child = tree->nodes[child].last)
        if (i-- == 0)
            return child;
    return SM_NO_SYNTAX;
}

uint32_t sm_tree_sibling(const struct sm_tree *tree, uint32_t node)
{
    uint32_t parent = tree->nodes[node].parent, next = tree->nodes[node].last;
    return parent != SM_NO_SYNTAX && next < tree->nodes[parent].last ? next : SM_NO_SYNTAX;
}

bool sm_tree_within(const struct sm_tree *tree, uint32_t node, uint32_t above)
{
    return node >= above && node < tree->nodes[above].last;
}

uint32_t sm_tree_above(const struct sm_tree *tree, uint32_t node, enum CXCursorKind kind)
{
    while (node != SM_NO_SYNTAX && tree->nodes[node].kind != kind)
        node = tree->nodes[node].parent;
    return node;
}

bool sm_tree_spells(const struct sm_tree *tree, uint32_t node, const char *name)
{
    const struct sm_syntax *at = &tree->nodes[node];
    size_t n = strlen(name);
    return at->source && at->end - at->start >= n &&
           memcmp(at->source->text + at->end - n, name, n) == 0;
}

char *sm_tree_text(const struct sm_tree *tree, uint32_t node)
{
    const struct sm_syntax *at = &tree->nodes[node];
    return at->source ? sm_print("%.*s", (int)(at->end - at->start), at->source->text + at->start)
                      : sm_copy_text("");
}

char *sm_tree_name(const struct sm_tree *tree, uint32_t node)
{
    return sm_clang_text(clang_getCursorSpelling(tree->nodes[node].cursor));
}
