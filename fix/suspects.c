/* suspects.c - see suspects.h. */
#include "fix/suspects.h"

#include <stdlib.h>
#include <string.h>

#include "findings/parse.h"
#include "fix/child.h"
#include "fix/uses.h"

static const char trials_of_units[] = "20"; /* executions of `stalemate atomicity` */

/* ---- races ---- */

static struct sm_suspect *suspect_named(const struct sm_suspects *suspects, const char *name)
{
    for (size_t i = 0; i < suspects->n; i++)
        if (strcmp(suspects->items[i].name, name) == 0)
            return &suspects->items[i];
    return NULL;
}

static void note_accesses(struct sm_suspect *suspect, const struct sm_hunt_race *race)
{
    for (size_t i = 0; i < race->n_accesses; i++) {
        const struct sm_place *place = &race->accesses[i].place;
        char *text = sm_print("%s:%u", place->file ? place->file : "?", place->line);
        sm_list_add(&suspect->racing, text);
        free(text);
    }
}

/* A finding on several variables names them all: "a + b". */
static void add_race(struct sm_suspects *suspects, const struct sm_hunt_race *race,
                     const struct sm_trees *trees)
{
    char *names = sm_copy_text(race->variable), *rest = names;
    while (rest) {
        char *name = rest, *plus = strstr(rest, " + ");
        rest = plus ? plus + 3 : NULL;
        if (plus)
            *plus = '\0';
        if (!suspect_named(suspects, name))
            sm_suspect_add(suspects, trees, name);
        note_accesses(suspect_named(suspects, name), race);
    }
    free(names);
}

/* ---- atomic variables ---- */

enum { MOST_SUSPECTS = 3 }; /* with more, candidates have one cure for all */

/* What is referred to, or its elements, as reports name them: "turn", "flag[]". */
static char *accessed_name(const struct sm_tree *tree, uint32_t reference)
{
    char *name = sm_tree_reference_name(tree, reference);
    CXType type = clang_getCanonicalType(clang_getCursorType(tree->nodes[reference].cursor));
    while (type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray) {
        char *element = sm_print("%s[]", name);
        free(name);
        name = element;
        type = clang_getArrayElementType(type);
    }
    return name;
}

/* Variables without a race whose order may be too weak for other variables. */
static void add_atomics(struct sm_suspects *suspects, const struct sm_tree *tree)
{
    for (uint32_t i = 0; i < tree->n && suspects->n < MOST_SUSPECTS; i++) {
        enum CXCursorKind kind = tree->nodes[i].kind;
        if (kind != CXCursor_DeclRefExpr && kind != CXCursor_MemberRefExpr)
            continue;
        enum sm_use_kind use = sm_use_of(tree, i).kind;
        char *name = use == SM_USE_CALL || use == SM_USE_METHOD ? accessed_name(tree, i) : NULL;
        if (name && !suspect_named(suspects, name)) {
            struct sm_trees one = {(struct sm_tree *)tree, 1};
            sm_suspect_add(suspects, &one, name);
            suspects->items[suspects->n - 1].is_atomic = true;
        }
        free(name);
    }
}

/* ---- units of work ---- */

/* The line of the unit's function in which the event happens, directly or in a call. */
static struct sm_place line_in_unit(const struct sm_access *event, const char *unit)
{
    if (event->place.function && strcmp(event->place.function, unit) == 0)
        return event->place;
    for (uint32_t i = 0; i < event->stack.n; i++)
        if (event->stack.frames[i].function && strcmp(event->stack.frames[i].function, unit) == 0)
            return event->stack.frames[i];
    return (struct sm_place){0};
}

/* A range of the function from the first line to the last that has an event. */
static void stretch_unit(struct sm_suspect *suspect, const struct sm_place *place)
{
    struct sm_spots *spots = &suspect->spots;
    for (size_t i = 0; i < spots->n; i++) {
        struct sm_spot *spot = &spots->items[i];
        if (strcmp(spot->function, place->function) != 0)
            continue;
        spot->first = place->line < spot->first ? place->line : spot->first;
        spot->last = place->line > spot->last ? place->line : spot->last;
        return;
    }
    spots->items = sm_resize(spots->items, (spots->n + 1) * sizeof(*spots->items));
    spots->items[spots->n++] = (struct sm_spot){.file = sm_copy_text(place->file),
                                                .function = sm_copy_text(place->function),
                                                .line = place->line,
                                                .first = place->line,
                                                .last = place->line};
}

static void add_event(struct sm_suspect *suspect, const json_t *json)
{
    struct sm_access event = sm_parse_access(json);
    const char *unit = sm_parse_string(json, "unit");
    struct sm_place place = unit ? line_in_unit(&event, unit) : (struct sm_place){0};
    if (place.file && place.function)
        stretch_unit(suspect, &place);
    sm_access_free(&event);
}

static void name_units(struct sm_suspect *suspect)
{
    struct sm_buffer text = {0};
    for (size_t i = 0; i < suspect->spots.n; i++)
        sm_buffer_print(&text, "%s%s", i ? " and " : "", suspect->spots.items[i].function);
    free(suspect->name);
    suspect->name = text.data;
}

static void add_units(struct sm_suspects *suspects, const json_t *violations,
                      const struct sm_trees *trees)
{
    struct sm_suspect suspect = {.is_unit = true};
    size_t i, k;
    const json_t *violation, *event;
    json_array_foreach(violations, i, violation)
    {
        if (!json_is_true(json_object_get(violation, "harmful")))
            continue;
        json_array_foreach(json_object_get(violation, "events"), k, event)
            add_event(&suspect, event);
    }
    if (!suspect.spots.n)
        return;
    for (i = 0; i < suspect.spots.n; i++)
        sm_spots_lines(trees, suspect.spots.items[i].file, &suspect.spots.items[i].first,
                       &suspect.spots.items[i].last);
    name_units(&suspect);
    suspects->items = sm_resize(suspects->items, (suspects->n + 1) * sizeof(*suspects->items));
    suspects->items[suspects->n++] = suspect;
}

static bool fails_without_race(const struct sm_hunt_report *report)
{
    for (size_t i = 0; i < report->n_failures; i++)
        if (!report->failures[i].racy)
            return true;
    return false;
}

void sm_suspects_find(struct sm_suspects *suspects, const struct sm_hunt_report *report,
                      const struct sm_trees *trees, const struct sm_settings *settings,
                      const char *directory)
{
    for (size_t i = 0; i < report->n_races; i++)
        add_race(suspects, &report->races[i], trees);
    for (size_t i = 0; i < trees->n; i++)
        add_atomics(suspects, &trees->items[i]);
    if (!fails_without_race(report))
        return;
    struct sm_list options = {0};
    sm_list_add(&options, "--trials");
    sm_list_add(&options, trials_of_units);
    json_t *json = sm_child_json(settings, 0, "atomicity", &options, directory);
    add_units(suspects, json_object_get(json, "violations"), trees);
    json_decref(json);
    sm_list_free(&options);
}
