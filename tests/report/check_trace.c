/*
 * check_trace FILE: are these Chrome trace events as Perfetto takes them? Every event has a phase,
 * a process and a thread; one with a duration has a time; events of a thread do not overlap; a flow
 * has a start, then an end, each at the time of an event of its thread. Says what is wrong;
 * exits 1.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void need(int condition, const char *what, const json_t *event)
{
    if (condition)
        return;
    fprintf(stderr, "%s: ", what);
    json_dumpf(event, stderr, JSON_COMPACT | JSON_ENCODE_ANY);
    fputc('\n', stderr);
    exit(1);
}

static json_int_t number(const json_t *event, const char *key)
{
    const json_t *value = json_object_get(event, key);
    need(json_is_integer(value) && json_integer_value(value) >= 0, key, event);
    return json_integer_value(value);
}

static const char *phase(const json_t *event)
{
    const char *text = json_string_value(json_object_get(event, "ph"));
    need(text && text[0] && !text[1] && strchr("MXsf", text[0]), "no phase", event);
    return text;
}

static int same_track(const json_t *a, const json_t *b)
{
    return number(a, "pid") == number(b, "pid") && number(a, "tid") == number(b, "tid");
}

/* The slice of the track at the time of the flow's end. */
static void check_flow(const json_t *events, const json_t *flow)
{
    size_t i;
    const json_t *event;
    json_array_foreach(events, i, event)
    {
        if (phase(event)[0] == 'X' && same_track(event, flow) &&
            number(event, "ts") == number(flow, "ts"))
            return;
    }
    need(0, "a flow from or to nowhere", flow);
}

static void check_event(const json_t *events, size_t i)
{
    const json_t *event = json_array_get(events, i);
    need(json_is_string(json_object_get(event, "name")), "no name", event);
    number(event, "pid");
    number(event, "tid");
    switch (phase(event)[0]) {
    case 'X':
        number(event, "ts");
        need(number(event, "dur") == 1, "an event that overlaps", event);
        break;
    case 's':
        need(number(event, "id") == number(json_array_get(events, i + 1), "id"),
             "a flow without an end", event);
        check_flow(events, event);
        break;
    case 'f':
        check_flow(events, event);
        break;
    default:
        need(json_is_object(json_object_get(event, "args")), "no arguments", event);
    }
}

int main(int argc, char **argv)
{
    json_error_t error;
    json_t *trace = argc == 2 ? json_load_file(argv[1], JSON_REJECT_DUPLICATES, &error) : NULL;
    const json_t *events = json_object_get(trace, "traceEvents");
    need(json_array_size(events) > 0, argc == 2 ? error.text : "usage: check_trace FILE", events);
    for (size_t i = 0; i < json_array_size(events); i++)
        check_event(events, i);
    json_decref(trace);
    return 0;
}
