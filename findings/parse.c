#include "findings/parse.h"

#include <string.h>

#include "base/words.h"
#include "findings/story.h"

const char *sm_parse_string(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

uint64_t sm_parse_number(const json_t *object, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

static struct sm_place parse_place(const json_t *json)
{
    return (struct sm_place){.file = sm_copy_text(sm_parse_string(json, "file")),
                             .function = sm_copy_text(sm_parse_string(json, "function")),
                             .line = (uint32_t)sm_parse_number(json, "line"),
                             .column = (uint32_t)sm_parse_number(json, "column")};
}

static struct sm_stack parse_stack(const json_t *json)
{
    struct sm_stack stack = {0};
    size_t i;
    const json_t *frame;
    json_array_foreach(json, i, frame) sm_stack_add(&stack, parse_place(frame));
    return stack;
}

/* Kinds are words that outlive the JSON. */
static const char *kind_word(const char *word)
{
    for (int kind = 0; word && kind < SM_EVENTS; kind++)
        if (strcmp(sm_event_word((uint8_t)kind), word) == 0)
            return sm_event_word((uint8_t)kind);
    return "access";
}

struct sm_failure sm_parse_failure(const json_t *json)
{
    struct sm_failure failure = {0};
    const char *word = sm_parse_string(json, "kind");
    for (int kind = SM_FAILURE_NONE + 1; word && kind < SM_FAILURES; kind++)
        if (strcmp(sm_failure_words[kind], word) == 0)
            failure.kind = (enum sm_failure_kind)kind;
    if (failure.kind == SM_FAILURE_NONE)
        return failure;
    const char *detail = sm_parse_string(json, "detail");
    failure.detail = sm_copy_text(detail ? detail : "");
    failure.place = parse_place(json_object_get(json, "place"));
    failure.stack = parse_stack(json_object_get(json, "stack"));
    failure.thread = (uint32_t)sm_parse_number(json, "thread");
    failure.circular = json_is_true(json_object_get(json, "circular"));
    return failure;
}

/* Where the way to a place is not known, the place is the stack. */
struct sm_hunt_access sm_parse_access(const json_t *json)
{
    struct sm_hunt_access access = {.place = parse_place(json),
                                    .kind = kind_word(sm_parse_string(json, "kind")),
                                    .thread = (uint32_t)sm_parse_number(json, "thread"),
                                    .stack = parse_stack(json_object_get(json, "stack"))};
    if (!access.stack.n && access.place.file)
        sm_stack_add(&access.stack, parse_place(json));
    return access;
}
