/*
 * check_sarif FILE: is it SARIF 2.1.0 that code scanning takes? The schema's part is in sarif.def;
 * beside it stands what GitHub asks for: a location and a fingerprint for each result, places that
 * are relative, at most 10,000 steps, 25,000 results and 10 MB. A race must have both its stacks.
 * Says what is wrong and where; exits 1.
 */
#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum kind { TEXT, NUMBER, WORD, OBJECT, ARRAY, MAP };
enum rule { MAY, NEED, SOME, ONCE };

static const struct property {
    const char *object, *name;
    enum kind kind;
    const char *of;
    enum rule rule;
} properties[] = {
#define SARIF(object, name, kind, of, rule) {object, name, kind, of, rule},
#include "sarif.def"
};
enum { N_PROPERTIES = sizeof properties / sizeof properties[0] };

__attribute__((format(printf, 1, 2), noreturn)) static void wrong(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

/* ---- the schema ---- */

static const struct property *find(const char *object, const char *name)
{
    for (size_t i = 0; i < N_PROPERTIES; i++)
        if (strcmp(properties[i].object, object) == 0 && strcmp(properties[i].name, name) == 0)
            return &properties[i];
    wrong("%s has a property %s, which sarif.def does not have", object, name);
}

static bool is_word_of(const char *word, const char *list)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

static void check_object(const char *object, const json_t *json);

static void check_array(const struct property *property, const json_t *array)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *item = json_array_get(array, i);
        if (*property->of)
            check_object(property->of, item);
        for (size_t k = 0; property->rule == ONCE && k < i; k++)
            if (json_equal(item, json_array_get(array, k)))
                wrong("%s.%s has an item twice", property->object, property->name);
    }
}

static void check_map(const struct property *property, const json_t *map)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)map, key, value) if (!json_is_string(value))
        wrong("%s.%s.%s is no text", property->object, property->name, key);
}

static void check_type(const struct property *property, const json_t *json)
{
    static const json_type types[] = {
        [TEXT] = JSON_STRING,   [NUMBER] = JSON_INTEGER, [WORD] = JSON_STRING,
        [OBJECT] = JSON_OBJECT, [ARRAY] = JSON_ARRAY,    [MAP] = JSON_OBJECT};
    if (json_typeof(json) != types[property->kind])
        wrong("%s.%s is of a wrong type", property->object, property->name);
    if (property->rule == SOME &&
        (property->kind == TEXT ? !json_string_length(json) : !json_array_size(json)))
        wrong("%s.%s is empty", property->object, property->name);
}

static void check_property(const struct property *property, const json_t *json)
{
    check_type(property, json);
    switch (property->kind) {
    case NUMBER:
        if (json_integer_value(json) < atoi(property->of))
            wrong("%s.%s is less than %s", property->object, property->name, property->of);
        break;
    case WORD:
        if (!is_word_of(json_string_value(json), property->of))
            wrong("%s.%s is '%s', not one of: %s", property->object, property->name,
                  json_string_value(json), property->of);
        break;
    case OBJECT:
        check_object(property->of, json);
        break;
    case ARRAY:
        check_array(property, json);
        break;
    case MAP:
        check_map(property, json);
        break;
    default:
        break;
    }
}

static void check_object(const char *object, const json_t *json)
{
    const char *key;
    json_t *value;
    if (!json_is_object(json))
        wrong("a %s is no object", object);
    json_object_foreach((json_t *)json, key, value) check_property(find(object, key), value);
    for (size_t i = 0; i < N_PROPERTIES; i++) {
        const struct property *property = &properties[i];
        if (strcmp(property->object, object) == 0 &&
            (property->rule == NEED || property->rule == SOME) &&
            !json_object_get(json, property->name))
            wrong("%s.%s is missing", object, property->name);
    }
}

/* ---- beyond the schema ---- */

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* Wherever they are. */
static void check_uris(const json_t *json)
{
    const char *key, *uri = json_string_value(json_object_get(json, "uri"));
    json_t *value;
    size_t i;
    if (uri && strpbrk(uri, " <>\"\\^`{|}"))
        wrong("'%s' is no URI", uri);
    if (uri && json_object_get(json, "uriBaseId") && (uri[0] == '/' || strstr(uri, "://")))
        wrong("'%s' has a base, and is not relative", uri);
    json_object_foreach((json_t *)json, key, value) check_uris(value);
    json_array_foreach(json, i, value) check_uris(value);
}

static size_t check_thread_flow(const json_t *flow)
{
    size_t i;
    const json_t *step, *steps = json_object_get(flow, "locations");
    json_int_t last = -1;
    json_array_foreach(steps, i, step)
    {
        json_int_t order = json_integer_value(json_object_get(step, "executionOrder"));
        if (order <= last)
            wrong("the steps of a thread are out of order");
        last = order;
    }
    return json_array_size(steps);
}

static void check_code_flows(const json_t *code_flows)
{
    size_t i, k, steps = 0;
    const json_t *code_flow, *flow;
    json_array_foreach(code_flows, i, code_flow)
        json_array_foreach(json_object_get(code_flow, "threadFlows"), k, flow) steps +=
        check_thread_flow(flow);
    if (steps > 10000)
        wrong("%zu steps: GitHub takes 10000 of a result", steps);
}

/* A race has two sides. Their stacks are one only if they are the same place by the same thread,
   which is no race. */
static void check_stacks(const json_t *result)
{
    size_t i;
    const json_t *stack, *stacks = json_object_get(result, "stacks");
    bool race = strstr(text_at(result, "ruleId"), "race") != NULL;
    if (race && json_array_size(stacks) < 2)
        wrong("a race without both stacks: %s",
              text_at(json_object_get(result, "message"), "text"));
    json_array_foreach(stacks, i, stack) if (!json_array_size(json_object_get(stack, "frames")))
        wrong("an empty stack");
}

static void check_result(const json_t *result, const json_t *rules)
{
    size_t index = (size_t)json_integer_value(json_object_get(result, "ruleIndex"));
    const json_t *rule = json_array_get(rules, index);
    if (!rule || strcmp(text_at(rule, "id"), text_at(result, "ruleId")) != 0)
        wrong("ruleIndex and ruleId do not agree");
    if (!*text_at(json_object_get(result, "partialFingerprints"), "stalemate/v1"))
        wrong("a result has no fingerprint");
    check_stacks(result);
    check_code_flows(json_object_get(result, "codeFlows"));
}

static void check_run(const json_t *run)
{
    size_t i;
    const json_t *result, *results = json_object_get(run, "results");
    const json_t *driver = json_object_get(json_object_get(run, "tool"), "driver");
    if (json_array_size(results) > 25000)
        wrong("GitHub takes 25000 results");
    json_array_foreach(results, i, result) check_result(result, json_object_get(driver, "rules"));
}

int main(int argc, char **argv)
{
    json_error_t error;
    struct stat file;
    json_t *sarif = argc == 2 ? json_load_file(argv[1], JSON_REJECT_DUPLICATES, &error) : NULL;
    if (!sarif)
        wrong("%s", argc == 2 ? error.text : "usage: check_sarif FILE");
    /* GitHub means gzipped ones: before that, this is some 100 MB. */
    if (stat(argv[1], &file) != 0 || file.st_size > 100 << 20)
        wrong("too large a file");
    check_object("log", sarif);
    check_uris(sarif);
    check_run(json_array_get(json_object_get(sarif, "runs"), 0));
    json_decref(sarif);
    return 0;
}
