#include "findings/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "base/write.h"

/* ---- what race_json.c prints, as part of a larger object ---- */

struct sink_buffer {
    struct sm_sink sink;
    struct sm_buffer text;
};

static void print(struct sm_sink *sink, const char *format, va_list arguments)
{
    struct sink_buffer *to = (struct sink_buffer *)sink;
    char *text;
    if (vasprintf(&text, format, arguments) < 0)
        return;
    sm_buffer_text(&to->text, text);
    free(text);
}

static json_t *load(struct sink_buffer *from)
{
    json_t *json = json_loads(from->text.data, JSON_DECODE_ANY, NULL);
    sm_buffer_free(&from->text);
    return json;
}

json_t *sm_json_text(const char *string)
{
    struct sink_buffer to = {.sink.print = print};
    sm_string_print_json(string, &to.sink);
    return load(&to);
}

json_t *sm_json_place(const struct sm_place *place)
{
    struct sink_buffer to = {.sink.print = print};
    sm_place_print_json(place, &to.sink);
    return load(&to);
}

json_t *sm_json_stack(const struct sm_stack *stack)
{
    struct sink_buffer to = {.sink.print = print};
    sm_stack_print_json(stack, &to.sink);
    return load(&to);
}

json_t *sm_json_access(const struct sm_access *access)
{
    struct sink_buffer to = {.sink.print = print};
    sm_access_print_json(access, false, &to.sink);
    return load(&to);
}

json_t *sm_json_race(const struct sm_data_race *race)
{
    struct sink_buffer to = {.sink.print = print};
    sm_race_print_json(race, &to.sink);
    return load(&to);
}

/* ---- the rest ---- */

/* Each is a place with its role. */
static json_t *related_json(const struct sm_failure *failure)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < failure->n_related; i++) {
        const struct sm_related *related = &failure->related[i];
        json_t *json = related->place.file || related->place.function
                           ? sm_json_place(&related->place)
                           : json_object();
        json_object_set_new(json, "role", json_string(related->role));
        json_object_set_new(json, "thread", json_integer(related->thread));
        json_object_set_new(json, "stack", sm_json_stack(&related->stack));
        json_array_append_new(array, json);
    }
    return array;
}

json_t *sm_json_failures(const struct sm_failure *failures, size_t n)
{
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(array, sm_json_failure(&failures[i]));
    return array;
}

json_t *sm_json_failure(const struct sm_failure *failure)
{
    if (failure->kind == SM_FAILURE_NONE)
        return json_null();
    json_t *json =
        json_pack("{s:s, s:o, s:o, s:o, s:i, s:b}", "kind", sm_failure_words[failure->kind],
                  "detail", sm_json_text(failure->detail), "place", sm_json_place(&failure->place),
                  "stack", sm_json_stack(&failure->stack), "thread", (int)failure->thread,
                  "circular", (int)failure->circular);
    if (failure->n_related)
        json_object_set_new(json, "related", related_json(failure));
    return json;
}

json_t *sm_json_target(char *const *target)
{
    json_t *array = json_array();
    for (; *target; target++)
        json_array_append_new(array, sm_json_text(*target));
    return array;
}

json_t *sm_json_lines(const struct sm_list *lines)
{
    json_t *array = json_array();
    for (size_t i = 0; i < lines->n; i++)
        json_array_append_new(array, sm_json_text(lines->items[i]));
    return array;
}

bool sm_json_write(const json_t *json, const char *path, struct sm_error *error)
{
    struct sm_buffer text = {0};
    char *dump = json_dumps(json, JSON_INDENT(2));
    if (!dump)
        return sm_fail(error, SM_STATUS_USAGE, "cannot write %s: %s", path, strerror(errno));
    sm_buffer_text(&text, dump);
    sm_buffer_text(&text, "\n");
    free(dump);
    bool ok = sm_write_text(&text, path, error);
    sm_buffer_free(&text);
    return ok;
}
