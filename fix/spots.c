/* spots.c - see spots.h. */
#include "fix/spots.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "fix/held.h"
#include "fix/stretch.h"
#include "fix/text.h"
#include "fix/uses.h"

/* ---- locks that are held ---- */

/* State while a function is read from its beginning. */
struct lock_reading {
    struct sm_held_texts held;
    sm_lock_taken *taken; /* or NULL */
    void *context;
};

static bool ends_in(const char *text, size_t n, const char *end)
{
    size_t m = strlen(end);
    return n >= m && memcmp(text + n - m, end, m) == 0;
}

static void let_go(struct lock_reading *reading, const char *name)
{
    struct sm_held_texts *held = &reading->held;
    for (size_t i = 0; i < held->n; i++)
        if (strcmp(held->items[i].name, name) == 0) {
            free(held->items[i].name);
            held->items[i] = held->items[--held->n];
            return;
        }
}

static void take(struct lock_reading *reading, char *name, struct sm_span at)
{
    struct sm_held_text taken = {name, at};
    if (reading->taken)
        reading->taken(reading->context, reading->held.items, reading->held.n, &taken);
    if (reading->held.n < SM_MOST_HELD)
        reading->held.items[reading->held.n++] = taken;
    else
        free(name);
}

/* One call: `pthread_mutex_lock(&m)`, `mtx_unlock(&m)`. */
static void note_call(const struct sm_source_file *source, const struct sm_call_text *call,
                      struct lock_reading *reading)
{
    const char *name = source->text + call->name.start;
    size_t n = call->name.end - call->name.start;
    bool unlock = ends_in(name, n, "_unlock");
    bool lock = ends_in(name, n, "_lock") || ends_in(name, n, "_wrlock");
    const struct sm_span *argument = &call->arguments[0];
    if ((!lock && !unlock) || call->n != 1 || source->text[argument->start] != '&')
        return;
    char *which = sm_print("%.*s", (int)(argument->end - argument->start - 1),
                           source->text + argument->start + 1);
    if (lock) {
        take(reading, which, *argument);
        return;
    }
    let_go(reading, which);
    free(which);
}

static bool begins_word(const struct sm_source_file *source, size_t at)
{
    char c = at ? source->text[at - 1] : ' ';
    return !isalnum((unsigned char)c) && c != '_' && isalpha((unsigned char)source->text[at]);
}

static void read_locks(const struct sm_tree *tree, uint32_t function, size_t before,
                       struct lock_reading *reading)
{
    const struct sm_syntax *at = &tree->nodes[function];
    for (size_t i = at->start; at->source && i < before; i = sm_skip_token(at->source, i)) {
        struct sm_call_text call;
        if (begins_word(at->source, i) && sm_call_from(at->source, i, &call))
            note_call(at->source, &call, reading);
    }
}

void sm_spots_locks(const struct sm_tree *tree, uint32_t function, size_t before,
                    sm_lock_taken *taken, void *context)
{
    struct lock_reading reading = {.taken = taken, .context = context};
    read_locks(tree, function, before, &reading);
    while (reading.held.n)
        free(reading.held.items[--reading.held.n].name);
}

void sm_spots_held(const struct sm_tree *tree, uint32_t function, size_t before,
                   struct sm_held_texts *held)
{
    struct lock_reading reading = {0};
    read_locks(tree, function, before, &reading);
    *held = reading.held;
}

/* ---- spots ---- */

static uint32_t function_of(const struct sm_tree *tree, uint32_t node)
{
    while (node != SM_NO_SYNTAX && tree->nodes[node].kind != CXCursor_FunctionDecl &&
           tree->nodes[node].kind != CXCursor_CXXMethod)
        node = tree->nodes[node].parent;
    return node;
}

static struct sm_spot *same_spot(const struct sm_spots *spots, const char *file, uint32_t line)
{
    for (size_t i = 0; i < spots->n; i++)
        if (spots->items[i].line == line && strcmp(spots->items[i].file, file) == 0)
            return &spots->items[i];
    return NULL;
}

static struct sm_spot *add_spot(struct sm_spots *spots, const struct sm_tree *tree, uint32_t node,
                                uint32_t function)
{
    const struct sm_syntax *at = &tree->nodes[node];
    struct sm_spot *spot = same_spot(spots, at->source->path, at->line);
    struct sm_stretch stretch;
    if (spot)
        return spot;
    spots->items = sm_resize(spots->items, (spots->n + 1) * sizeof(*spots->items));
    spot = &spots->items[spots->n++];
    *spot = (struct sm_spot){.file = sm_copy_text(at->source->path),
                             .function = sm_tree_name(tree, function),
                             .line = at->line,
                             .first = at->line,
                             .last = at->line};
    if (sm_stretch_find(tree, spot->file, at->line, at->line, &stretch)) {
        spot->first = tree->nodes[stretch.first].line;
        spot->last = tree->nodes[stretch.last].last_line;
    }
    sm_held_at(tree, function, at->start, &spot->held);
    return spot;
}

static void add_use(struct sm_spots *spots, const struct sm_tree *tree, uint32_t reference)
{
    struct sm_use use = sm_use_of(tree, reference);
    uint32_t function = function_of(tree, reference);
    if (use.kind == SM_USE_NOTHING || function == SM_NO_SYNTAX || !tree->nodes[reference].source)
        return;
    struct sm_spot *spot = add_spot(spots, tree, reference, function);
    spot->reads |= use.kind != SM_USE_STORE;
    spot->writes |= use.kind != SM_USE_LOAD;
    spot->update |= use.kind == SM_USE_UPDATE;
    spot->step |= use.kind == SM_USE_UPDATE && use.again == SM_NO_SYNTAX;
}

bool sm_spots_find(struct sm_spots *spots, const struct sm_trees *trees, const char *variable)
{
    bool found = false;
    for (size_t i = 0; i < trees->n; i++) {
        const struct sm_tree *tree = &trees->items[i];
        uint32_t declaration = sm_tree_variable(tree, variable, NULL);
        if (declaration == SM_NO_SYNTAX)
            continue;
        char *usr = sm_tree_usr(tree, declaration);
        found = true;
        for (uint32_t k = 0; k < tree->n; k++)
            if (sm_tree_refers(tree, k, usr))
                add_use(spots, tree, k);
        free(usr);
    }
    return found;
}

bool sm_spots_lines(const struct sm_trees *trees, const char *file, uint32_t *line, uint32_t *last)
{
    for (size_t i = 0; i < trees->n; i++) {
        const struct sm_tree *tree = &trees->items[i];
        struct sm_stretch stretch;
        if (!sm_stretch_find(tree, file, *line, *last, &stretch))
            continue;
        *line = tree->nodes[stretch.first].line;
        *last = tree->nodes[stretch.last].last_line;
        return true;
    }
    return false;
}

void sm_spots_free(struct sm_spots *spots)
{
    for (size_t i = 0; i < spots->n; i++) {
        free(spots->items[i].file);
        free(spots->items[i].function);
        sm_list_free(&spots->items[i].held);
    }
    free(spots->items);
    *spots = (struct sm_spots){0};
}
