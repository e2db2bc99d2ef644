/* lock_order.c - see lock_order.h. */
#include "fix/lock_order.h"

#include <stdlib.h>
#include <string.h>

#include "fix/spots.h"

static void add(struct sm_inversions *all, struct sm_inversion new)
{
    new.outer = sm_copy_text(new.outer);
    new.inner = sm_copy_text(new.inner);
    new.path = sm_copy_text(new.path);
    all->items = sm_resize(all->items, (all->n + 1) * sizeof(*all->items));
    all->items[all->n++] = new;
}

struct scanning {
    struct sm_inversions *orders;
    const struct sm_tree *tree;
    uint32_t function;
};

/* One more lock is taken: this gives an order with each lock that is held. */
static void note_lock(void *context, const struct sm_held_text *held, size_t n,
                      const struct sm_held_text *taken)
{
    struct scanning *scanning = context;
    const struct sm_syntax *at = &scanning->tree->nodes[scanning->function];
    for (size_t i = 0; i < n; i++)
        add(scanning->orders,
            (struct sm_inversion){.outer = held[i].name,
                                  .inner = taken->name,
                                  .function = sm_tree_name(scanning->tree, scanning->function),
                                  .path = at->source->path,
                                  .outer_at = held[i].at,
                                  .inner_at = taken->at});
}

static bool is_opposite(const struct sm_inversion *a, const struct sm_inversion *b)
{
    return strcmp(a->outer, b->inner) == 0 && strcmp(a->inner, b->outer) == 0;
}

static void free_one(struct sm_inversion *inversion)
{
    free(inversion->outer);
    free(inversion->inner);
    free(inversion->function);
    free(inversion->path);
}

/* The later function of the file comes first: the order that appears first is likely the intended
   one. */
static void keep_opposites(struct sm_inversions *orders, struct sm_inversions *to)
{
    for (size_t i = orders->n; i-- > 0;) {
        bool opposite = false;
        for (size_t k = 0; k < orders->n; k++)
            opposite |= is_opposite(&orders->items[i], &orders->items[k]);
        if (opposite) {
            struct sm_inversion copy = orders->items[i];
            copy.function = sm_copy_text(copy.function);
            add(to, copy);
        }
    }
}

void sm_inversions_find(struct sm_inversions *inversions, const struct sm_trees *trees)
{
    struct sm_inversions orders = {0};
    for (size_t i = 0; i < trees->n; i++)
        for (uint32_t node = 0; node < trees->items[i].n; node++) {
            const struct sm_syntax *at = &trees->items[i].nodes[node];
            struct scanning scanning = {&orders, &trees->items[i], node};
            if (at->kind == CXCursor_FunctionDecl && at->source)
                sm_spots_locks(&trees->items[i], node, at->end, note_lock, &scanning);
        }
    keep_opposites(&orders, inversions);
    sm_inversions_free(&orders);
}

void sm_inversions_free(struct sm_inversions *inversions)
{
    for (size_t i = 0; i < inversions->n; i++)
        free_one(&inversions->items[i]);
    free(inversions->items);
    *inversions = (struct sm_inversions){0};
}

bool sm_inversion_patch(const struct sm_inversion *inversion, const struct sm_source_units *units,
                        struct sm_patch *patch)
{
    *patch = (struct sm_patch){0};
    struct sm_source_file *source = sm_sources_at(&patch->sources, inversion->path);
    if (!source)
        return false;
    const struct sm_span *a = &inversion->outer_at, *b = &inversion->inner_at;
    char *outer = sm_print("%.*s", (int)(a->end - a->start), source->text + a->start);
    char *inner = sm_print("%.*s", (int)(b->end - b->start), source->text + b->start);
    sm_edit_replace(source, a->start, a->end - a->start, inner);
    sm_edit_replace(source, b->start, b->end - b->start, outer);
    free(outer);
    free(inner);
    return sm_patch_finish(patch, units);
}
