/* race_json.c - a race, or a harm, as JSON. Also compiled into the native runtime: see race.h. */
#include "findings/race.h"

#include "findings/harm.h"

/* Length of the UTF-8 sequence at `text`; 0: none. Overlong forms, surrogates and anything beyond
   U+10FFFF are invalid. */
static unsigned sequence(const unsigned char *text)
{
    unsigned n = text[0] < 0x80   ? 1
                 : text[0] < 0xc2 ? 0
                 : text[0] < 0xe0 ? 2
                 : text[0] < 0xf0 ? 3
                 : text[0] < 0xf5 ? 4
                                  : 0;
    for (unsigned i = 1; i < n; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    bool bad = (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
               (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f);
    return bad ? 0 : n;
}

void sm_string_print_json(const char *text, struct sm_sink *sink)
{
    if (!text) {
        sm_sink_print(sink, "null");
        return;
    }
    sm_sink_print(sink, "\"");
    while (*text) {
        unsigned char c = (unsigned char)*text;
        unsigned n = sequence((const unsigned char *)text);
        if (c == '"' || c == '\\')
            sm_sink_print(sink, "\\%c", c);
        else if (c < 0x20)
            sm_sink_print(sink, "\\u%04x", c);
        else if (!n)
            sm_sink_print(sink, "\\ufffd");
        else
            sm_sink_print(sink, "%.*s", (int)n, text);
        text += n ? n : 1;
    }
    sm_sink_print(sink, "\"");
}

static void put_key(const char *key, struct sm_sink *sink)
{
    sm_sink_print(sink, ",\"%s\":", key);
}

static void put_place(const struct sm_place *place, struct sm_sink *sink)
{
    sm_sink_print(sink, "\"file\":");
    sm_string_print_json(place->file, sink);
    sm_sink_print(sink, ",\"line\":%u,\"column\":%u,\"function\":", place->line, place->column);
    sm_string_print_json(place->function, sink);
    if (place->module) {
        put_key("module", sink);
        sm_string_print_json(place->module, sink);
    }
}

void sm_place_print_json(const struct sm_place *place, struct sm_sink *sink)
{
    if (!place->file && !place->function) {
        sm_sink_print(sink, "null");
        return;
    }
    sm_sink_print(sink, "{");
    put_place(place, sink);
    sm_sink_print(sink, "}");
}

void sm_stack_print_json(const struct sm_stack *stack, struct sm_sink *sink)
{
    sm_sink_print(sink, "[");
    for (uint32_t i = 0; i < stack->n; i++) {
        sm_sink_print(sink, i ? "," : "");
        sm_place_print_json(&stack->frames[i], sink);
    }
    sm_sink_print(sink, "]");
}

/* A place with its stack, still open; null if nothing is known. */
static bool put_call(const struct sm_stack *stack, struct sm_sink *sink)
{
    if (!stack->n) {
        sm_sink_print(sink, "null");
        return false;
    }
    sm_sink_print(sink, "{");
    put_place(&stack->frames[0], sink);
    put_key("stack", sink);
    sm_stack_print_json(stack, sink);
    return true;
}

static void put_locks(const struct sm_access *access, struct sm_sink *sink)
{
    sm_sink_print(sink, ",\"locks\":[");
    for (uint32_t i = 0; i < access->n_locks; i++) {
        const struct sm_held_lock *lock = &access->locks[i];
        sm_sink_print(sink, "%s{\"address\":\"0x%lx\"", i ? "," : "", (unsigned long)lock->address);
        if (lock->name) {
            put_key("name", sink);
            sm_string_print_json(lock->name, sink);
        }
        put_key("taken", sink);
        if (put_call(&lock->taken, sink))
            sm_sink_print(sink, "}");
        sm_sink_print(sink, "}");
    }
    sm_sink_print(sink, "]");
}

static void put_member(const struct sm_team_member *member, struct sm_sink *sink)
{
    sm_sink_print(sink, ",\"openmp\":{\"thread\":%u,\"threads\":%u,\"region\":", member->number,
                  member->size);
    if (put_call(&member->region, sink))
        sm_sink_print(sink, "}");
    sm_sink_print(sink, "}");
}

static void put_details(const struct sm_access *access, struct sm_sink *sink)
{
    if (access->has_value)
        sm_sink_print(sink, ",\"value\":\"0x%lx\"", (unsigned long)access->value);
    put_locks(access, sink);
    if (access->parent != SM_UNKNOWN_THREAD)
        sm_sink_print(sink, ",\"parent\":%u", access->parent);
    put_key("created", sink);
    sm_stack_print_json(&access->created, sink);
    if (access->member.size)
        put_member(&access->member, sink);
}

void sm_access_print_json(const struct sm_access *access, bool detailed, struct sm_sink *sink)
{
    sm_sink_print(sink, "{");
    put_place(&access->place, sink);
    sm_sink_print(sink, ",\"kind\":\"%s\",\"thread\":%u,\"stack\":", access->kind, access->thread);
    sm_stack_print_json(&access->stack, sink);
    if (detailed)
        put_details(access, sink);
    else if (access->n_locks)
        put_locks(access, sink);
    sm_sink_print(sink, "}");
}

static void put_block(const struct sm_race_heap *block, struct sm_sink *sink)
{
    sm_sink_print(sink, ",\"block\":{\"size\":%lu,\"offset\":%lu,\"allocated\":",
                  (unsigned long)block->size, (unsigned long)block->offset);
    if (put_call(&block->allocated, sink))
        sm_sink_print(sink, ",\"thread\":%u}", block->thread);
    sm_sink_print(sink, "}");
}

void sm_race_print_json(const struct sm_data_race *race, struct sm_sink *sink)
{
    sm_sink_print(sink, "{\"id\":%lu,\"variable\":", (unsigned long)race->id);
    sm_string_print_json(race->variable, sink);
    if (race->element >= 0)
        sm_sink_print(sink, ",\"element\":%ld", (long)race->element);
    if (race->size)
        sm_sink_print(sink, ",\"size\":%u", race->size);
    put_key("first", sink);
    sm_access_print_json(&race->first, true, sink);
    put_key("second", sink);
    sm_access_print_json(&race->second, true, sink);
    if (race->has_memory)
        sm_sink_print(sink, ",\"memory\":\"0x%lx\"", (unsigned long)race->memory);
    if (race->block.size)
        put_block(&race->block, sink);
    put_key("advice", sink);
    sm_string_print_json(race->advice, sink);
    sm_sink_print(sink, ",\"count\":%lu}", (unsigned long)race->count);
}

static void put_related(const struct sm_harm_step *step, struct sm_sink *sink)
{
    sm_sink_print(sink, "{");
    put_place(&step->access.place, sink);
    sm_sink_print(sink, ",\"role\":\"%s\",\"object\":", step->role);
    sm_string_print_json(step->object, sink);
    sm_sink_print(sink, ",\"thread\":%u,\"stack\":", step->access.thread);
    sm_stack_print_json(&step->access.stack, sink);
    put_details(&step->access, sink);
    sm_sink_print(sink, "}");
}

void sm_harm_print_json(const struct sm_harm_report *report, struct sm_sink *sink)
{
    const struct sm_access *first = &report->steps[0].access;
    sm_sink_print(sink, "{\"failure\":{\"kind\":\"%s\",\"detail\":", report->kind);
    sm_string_print_json(report->detail, sink);
    put_key("place", sink);
    sm_place_print_json(&first->place, sink);
    sm_sink_print(sink, ",\"thread\":%u,\"stack\":", first->thread);
    sm_stack_print_json(&first->stack, sink);
    put_details(first, sink);
    put_key("related", sink);
    sm_sink_print(sink, "[");
    for (uint32_t i = 1; i < report->n_steps; i++) {
        sm_sink_print(sink, i > 1 ? "," : "");
        put_related(&report->steps[i], sink);
    }
    sm_sink_print(sink, "]}}");
}
