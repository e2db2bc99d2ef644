#include "findings/parse.h"

#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
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

/* A store may come from anywhere, so nothing in it is trusted. */
static char *copy_printable(const json_t *json, const char *key)
{
    return sm_printable(sm_copy_text(sm_parse_string(json, key)));
}

static struct sm_place parse_place(const json_t *json)
{
    return (struct sm_place){.file = copy_printable(json, "file"),
                             .function = copy_printable(json, "function"),
                             .module = copy_printable(json, "module"),
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

static const char *role_word(const char *word)
{
    for (int role = 0; word && role < SM_ROLES; role++)
        if (strcmp(sm_role_words[role], word) == 0)
            return sm_role_words[role];
    return sm_role_words[SM_ROLE_ACCESSED];
}

static void parse_related(const json_t *json, struct sm_failure *failure)
{
    size_t i;
    const json_t *item;
    failure->related = sm_new((json_array_size(json) + 1) * sizeof *failure->related);
    json_array_foreach(json, i, item) failure->related[failure->n_related++] =
        (struct sm_related){.role = role_word(sm_parse_string(item, "role")),
                            .thread = (uint32_t)sm_parse_number(item, "thread"),
                            .place = parse_place(item),
                            .stack = parse_stack(json_object_get(item, "stack"))};
}

struct sm_failure sm_parse_failure(const json_t *json)
{
    struct sm_failure failure = {
        .kind = (enum sm_failure_kind)sm_failure_of_word(sm_parse_string(json, "kind"))};
    if (failure.kind == SM_FAILURE_NONE)
        return failure;
    const char *detail = sm_parse_string(json, "detail");
    failure.detail = sm_printable(sm_copy_text(detail ? detail : ""));
    failure.place = parse_place(json_object_get(json, "place"));
    failure.stack = parse_stack(json_object_get(json, "stack"));
    failure.thread = (uint32_t)sm_parse_number(json, "thread");
    parse_related(json_object_get(json, "related"), &failure);
    failure.circular = json_is_true(json_object_get(json, "circular"));
    return failure;
}

/* "0x2a" */
static bool parse_hex(const json_t *json, const char *key, uint64_t *number)
{
    const char *text = sm_parse_string(json, key);
    if (text)
        *number = strtoull(text, NULL, 16);
    return text;
}

static void parse_locks(const json_t *json, struct sm_access *access)
{
    size_t i;
    const json_t *item;
    access->locks = sm_new((json_array_size(json) + 1) * sizeof *access->locks);
    json_array_foreach(json, i, item)
    {
        struct sm_held_lock *lock = &access->locks[access->n_locks++];
        lock->name = sm_copy_text(sm_parse_string(item, "name"));
        lock->taken = parse_stack(json_object_get(json_object_get(item, "taken"), "stack"));
        parse_hex(item, "address", &lock->address);
    }
}

static struct sm_team_member parse_member(const json_t *json)
{
    const json_t *region = json_object_get(json, "region");
    return (struct sm_team_member){.number = (uint32_t)sm_parse_number(json, "thread"),
                                   .size = (uint32_t)sm_parse_number(json, "threads"),
                                   .region = parse_stack(json_object_get(region, "stack"))};
}

/* If the stack is not known, it is the place alone. */
struct sm_access sm_parse_access(const json_t *json)
{
    const json_t *parent = json_object_get(json, "parent");
    struct sm_access access = {.place = parse_place(json),
                               .kind = kind_word(sm_parse_string(json, "kind")),
                               .thread = (uint32_t)sm_parse_number(json, "thread"),
                               .parent = parent ? (uint32_t)json_integer_value(parent)
                                                : SM_UNKNOWN_THREAD,
                               .stack = parse_stack(json_object_get(json, "stack")),
                               .created = parse_stack(json_object_get(json, "created")),
                               .member = parse_member(json_object_get(json, "openmp"))};
    access.has_value = parse_hex(json, "value", &access.value);
    parse_locks(json_object_get(json, "locks"), &access);
    if (!access.stack.n && access.place.file)
        sm_stack_add(&access.stack, parse_place(json));
    return access;
}

static struct sm_race_heap parse_block(const json_t *json)
{
    const json_t *allocated = json_object_get(json, "allocated");
    return (struct sm_race_heap){.size = sm_parse_number(json, "size"),
                                 .offset = sm_parse_number(json, "offset"),
                                 .allocated = parse_stack(json_object_get(allocated, "stack")),
                                 .thread = (uint32_t)sm_parse_number(allocated, "thread")};
}

struct sm_data_race sm_parse_race(const json_t *json)
{
    const char *variable = sm_parse_string(json, "variable");
    const json_t *element = json_object_get(json, "element");
    struct sm_data_race race = {.id = sm_parse_number(json, "id"),
                                .count = sm_parse_number(json, "count"),
                                .variable = sm_copy_text(variable ? variable : "?"),
                                .element = element ? (int64_t)json_integer_value(element) : -1,
                                .size = (uint32_t)sm_parse_number(json, "size"),
                                .first = sm_parse_access(json_object_get(json, "first")),
                                .second = sm_parse_access(json_object_get(json, "second")),
                                .block = parse_block(json_object_get(json, "block")),
                                .advice = sm_copy_text(sm_parse_string(json, "advice"))};
    race.has_memory = parse_hex(json, "memory", &race.memory);
    return race;
}

/* ---- harm ---- */

struct sm_harm_report sm_parse_harm(const json_t *json)
{
    const json_t *related = json_object_get(json, "related"), *item;
    struct sm_harm_step *steps = sm_new((json_array_size(related) + 1) * sizeof *steps);
    const char *kind = sm_parse_string(json, "kind"), *detail = sm_parse_string(json, "detail");
    struct sm_harm_report report = {.kind = kind ? kind : "?",
                                    .detail = detail ? detail : "",
                                    .advice = sm_failure_advice[sm_failure_of_word(kind)],
                                    .steps = steps,
                                    .n_steps = 1,
                                    .raced = sm_harm_is_raced(sm_failure_of_word(kind))};
    size_t i;
    steps[0].access = sm_parse_access(json);
    sm_place_free(&steps[0].access.place);
    steps[0].access.place = parse_place(json_object_get(json, "place"));
    json_array_foreach(related, i, item) steps[report.n_steps++] =
        (struct sm_harm_step){.role = role_word(sm_parse_string(item, "role")),
                              .object = sm_parse_string(item, "object"),
                              .access = sm_parse_access(item)};
    return report;
}

void sm_harm_report_free(struct sm_harm_report *report)
{
    struct sm_harm_step *steps = (struct sm_harm_step *)report->steps;
    for (uint32_t i = 0; i < report->n_steps; i++)
        sm_access_free(&steps[i].access);
    free(steps);
}
