/* patch.c - see patch.h. */
#include "fix/patch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fix/declare.h"
#include "fix/locks.h"
#include "fix/orders.h"

/* ---- edits ---- */

static size_t count(const struct sm_repair_set *repairs, enum sm_repair_kind a,
                    enum sm_repair_kind b)
{
    size_t n = 0;
    for (size_t i = 0; i < repairs->n; i++)
        n += repairs->items[i].kind == a || repairs->items[i].kind == b;
    return n;
}

/* Every order and merge needs a variable: a patch that has some of them is another repair. */
static bool find_variables(const struct sm_trees *trees, const struct sm_repair_set *repairs,
                           struct sm_list *variables, char **why)
{
    for (size_t i = 0; i < repairs->n; i++) {
        const struct sm_repair *repair = &repairs->items[i];
        bool found = false;
        if (repair->kind != SM_REPAIR_ORDER && repair->kind != SM_REPAIR_MERGE)
            continue;
        for (size_t k = 0; k < trees->n; k++)
            found |= sm_orders_variables(&trees->items[k], repair, variables);
        if (found)
            continue;
        *why = sm_print("libclang finds no declaration of %s that can be changed (memory behind a "
                        "pointer, or in a union?); change it by hand",
                        *repair->variable ? repair->variable : "that variable");
        return false;
    }
    return true;
}

static bool edit(const struct sm_trees *trees, const struct sm_repair_set *repairs, char **why)
{
    struct sm_list variables = {0};
    size_t written = 0;
    bool ok = find_variables(trees, repairs, &variables, why);
    for (size_t i = 0; ok && i < trees->n; i++)
        ok = sm_orders_write(&trees->items[i], repairs, &variables, why) &&
             sm_locks_write(&trees->items[i], repairs, &written, why);
    if (ok && written < count(repairs, SM_REPAIR_LOCK, SM_REPAIR_FENCE))
        *why = sm_copy_text("libclang finds no statement at those lines; change them by hand");
    sm_list_free(&variables);
    return !*why;
}

/* ---- the diff ---- */

static bool is_below(const char *path, const char *directory)
{
    size_t n = strlen(directory);
    return strncmp(path, directory, n) == 0 && (path[n] == '/' || (n && directory[n - 1] == '/'));
}

/* The directory of the build, or the one above it that has all edited files. */
static char *common_directory(const struct sm_patch *patch, const char *build)
{
    char *directory = sm_copy_text(build), *slash;
    for (size_t i = 0; i < patch->sources.n; i++)
        while (patch->sources.items[i]->n && *directory &&
               !is_below(patch->sources.items[i]->path, directory) &&
               (slash = strrchr(directory, '/')))
            *slash = '\0';
    return directory;
}

static void print(struct sm_patch *patch)
{
    struct sm_buffer text = {0};
    for (size_t i = 0; i < patch->sources.n; i++) {
        struct sm_source_file *source = patch->sources.items[i];
        const char *name = source->path + strlen(patch->directory);
        sm_edits_diff(source, name + strspn(name, "/"), &text);
    }
    patch->diff = text.data;
}

static bool overlaps(struct sm_patch *patch)
{
    bool whole = true;
    for (size_t i = 0; i < patch->sources.n; i++) {
        char *text = sm_edits_apply(patch->sources.items[i]);
        whole = whole && text;
        free(text);
    }
    return !whole;
}

static bool check(struct sm_patch *patch, const struct sm_source_units *units)
{
    if (!sm_sources_changed(&patch->sources))
        patch->why = sm_copy_text("the sources have it already");
    else if (overlaps(patch))
        patch->why = sm_copy_text("two of the repairs change the same expression");
    for (size_t i = 0; i < units->n && !patch->why; i++) {
        char *complaint = sm_tree_complaint(&units->items[i], &patch->sources);
        if (complaint)
            patch->why = sm_print("it would not compile: %s", complaint);
        free(complaint);
    }
    return !patch->why;
}

bool sm_patch_finish(struct sm_patch *patch, const struct sm_source_units *units)
{
    for (size_t i = 0; i < patch->sources.n; i++)
        sm_declare_includes(patch->sources.items[i]);
    patch->directory = common_directory(patch, sm_units_directory(units));
    if (!check(patch, units))
        return false;
    print(patch);
    return true;
}

bool sm_patch_make(struct sm_patch *patch, const struct sm_repair_set *repairs,
                   const struct sm_source_units *units)
{
    struct sm_trees trees = {0};
    *patch = (struct sm_patch){0};
    bool ok = sm_trees_open(&trees, units, &patch->sources, &patch->why) &&
              edit(&trees, repairs, &patch->why);
    sm_trees_close(&trees);
    return ok && sm_patch_finish(patch, units);
}

bool sm_patch_apply(struct sm_patch *patch, struct sm_error *error)
{
    for (size_t i = 0; i < patch->sources.n; i++) {
        struct sm_source_file *source = patch->sources.items[i];
        char *text = source->n ? sm_edits_apply(source) : NULL;
        FILE *file = text ? fopen(source->path, "w") : NULL;
        bool written = file && fputs(text, file) >= 0;
        written = (!file || fclose(file) == 0) && written;
        free(text);
        if (text && !written)
            return sm_fail(error, SM_STATUS_USAGE, "cannot write %s: %s", source->path,
                           strerror(errno));
    }
    return true;
}

void sm_patch_free(struct sm_patch *patch)
{
    free(patch->diff);
    free(patch->why);
    free(patch->directory);
    sm_sources_free(&patch->sources);
    *patch = (struct sm_patch){0};
}
