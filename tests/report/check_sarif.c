/*
 * check_sarif FILE: the parts of the SARIF 2.1.0 schema that a report of ours can break, and
 * what GitHub asks for beyond it. Says what is wrong and where; exits 1 if anything is.
 */
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static __attribute__((format(printf, 1, 2), noreturn)) void wrong(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

static const json_t *need(const json_t *object, const char *key, json_type type)
{
    const json_t *value = json_object_get(object, key);
    if (!value || json_typeof(value) != type)
        wrong("%s is missing, or of a wrong type", key);
    return value;
}

static const char *need_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(need(object, key, JSON_STRING));
    if (!*text)
        wrong("%s is empty", key);
    return text;
}

static void need_word(const json_t *object, const char *key, const char *words)
{
    const char *word = need_text(object, key);
    const char *at = strstr(words, word);
    if (!at)
        wrong("%s is '%s', not one of: %s", key, word, words);
}

static void need_distinct(const json_t *array, const char *name)
{
    for (size_t i = 0; i < json_array_size(array); i++)
        for (size_t k = 0; k < i; k++)
            if (json_equal(json_array_get(array, i), json_array_get(array, k)))
                wrong("%s has an item twice", name);
}

static void check_message(const json_t *message)
{
    need_text(message, "text");
}

static void check_uri(const json_t *artifact)
{
    const char *uri = need_text(artifact, "uri");
    if (strpbrk(uri, " <>\"\\^`{|}"))
        wrong("'%s' is no URI", uri);
    if (json_object_get(artifact, "uriBaseId") && (uri[0] == '/' || strstr(uri, "://")))
        wrong("'%s' has a base, and is not relative", uri);
}

static void check_location(const json_t *location)
{
    const json_t *place = need(location, "physicalLocation", JSON_OBJECT);
    const json_t *region = need(place, "region", JSON_OBJECT);
    check_uri(need(place, "artifactLocation", JSON_OBJECT));
    if (json_integer_value(need(region, "startLine", JSON_INTEGER)) < 1)
        wrong("startLine is less than 1");
    const json_t *column = json_object_get(region, "startColumn");
    if (column && json_integer_value(column) < 1)
        wrong("startColumn is less than 1");
    if (json_object_get(location, "message"))
        check_message(json_object_get(location, "message"));
}

static void check_stacks(const json_t *stacks)
{
    size_t i, k;
    const json_t *stack, *frame;
    need_distinct(stacks, "stacks");
    json_array_foreach(stacks, i, stack)
        json_array_foreach(need(stack, "frames", JSON_ARRAY), k, frame)
            check_location(need(frame, "location", JSON_OBJECT));
}

static size_t check_thread_flow(const json_t *flow)
{
    size_t i;
    const json_t *step, *steps = need(flow, "locations", JSON_ARRAY);
    json_int_t last = -1;
    need_text(flow, "id");
    json_array_foreach(steps, i, step)
    {
        json_int_t order = json_integer_value(need(step, "executionOrder", JSON_INTEGER));
        if (order <= last)
            wrong("the steps of a thread are out of order");
        last = order;
        need_word(step, "importance", "important essential unimportant");
        check_location(need(step, "location", JSON_OBJECT));
    }
    if (!json_array_size(steps))
        wrong("a thread flow is empty");
    return json_array_size(steps);
}

static void check_code_flows(const json_t *code_flows)
{
    size_t i, k, steps = 0;
    const json_t *code_flow, *flow;
    json_array_foreach(code_flows, i, code_flow)
    {
        const json_t *flows = need(code_flow, "threadFlows", JSON_ARRAY);
        if (!json_array_size(flows))
            wrong("a code flow has no thread");
        json_array_foreach(flows, k, flow) steps += check_thread_flow(flow);
    }
    if (steps > 10000)
        wrong("%zu steps: GitHub takes 10000 of a result", steps);
}

static void check_result(const json_t *result, const json_t *rules)
{
    size_t i;
    const json_t *location, *locations = need(result, "locations", JSON_ARRAY);
    size_t index = (size_t)json_integer_value(need(result, "ruleIndex", JSON_INTEGER));
    const json_t *rule = json_array_get(rules, index);
    if (!rule || strcmp(need_text(rule, "id"), need_text(result, "ruleId")) != 0)
        wrong("ruleIndex and ruleId do not agree");
    need_word(result, "level", "none note warning error");
    check_message(need(result, "message", JSON_OBJECT));
    need_text(need(result, "partialFingerprints", JSON_OBJECT), "stalemate/v1");
    if (!json_array_size(locations))
        wrong("a result has no location: GitHub wants one");
    json_array_foreach(locations, i, location) check_location(location);
    json_array_foreach(json_object_get(result, "relatedLocations"), i, location)
        check_location(location);
    need_distinct(json_object_get(result, "relatedLocations"), "relatedLocations");
    check_stacks(json_object_get(result, "stacks"));
    check_code_flows(json_object_get(result, "codeFlows"));
}

static void check_run(const json_t *run)
{
    size_t i;
    const json_t *item;
    const json_t *driver = need(need(run, "tool", JSON_OBJECT), "driver", JSON_OBJECT);
    const json_t *rules = need(driver, "rules", JSON_ARRAY);
    need_text(driver, "name");
    need_word(run, "columnKind", "utf16CodeUnits unicodeCodePoints");
    need_distinct(rules, "rules");
    json_array_foreach(rules, i, item)
    {
        need_text(item, "id");
        check_message(need(item, "shortDescription", JSON_OBJECT));
        check_message(need(item, "fullDescription", JSON_OBJECT));
        need_word(need(item, "defaultConfiguration", JSON_OBJECT), "level",
                  "none note warning error");
    }
    json_array_foreach(need(run, "results", JSON_ARRAY), i, item) check_result(item, rules);
}

int main(int argc, char **argv)
{
    json_error_t error;
    json_t *sarif = argc == 2 ? json_load_file(argv[1], JSON_REJECT_DUPLICATES, &error) : NULL;
    if (!sarif)
        wrong("%s", argc == 2 ? error.text : "usage: check_sarif FILE");
    if (strcmp(need_text(sarif, "version"), "2.1.0") != 0)
        wrong("version is not 2.1.0");
    const json_t *runs = need(sarif, "runs", JSON_ARRAY);
    if (json_array_size(runs) != 1)
        wrong("there is not one run");
    check_run(json_array_get(runs, 0));
    json_decref(sarif);
    return 0;
}
