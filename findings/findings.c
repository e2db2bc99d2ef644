#include "findings/findings.h"

#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "findings/json.h"
#include "findings/parse.h"
#include "findings/text.h"
#include "findings/voice.h"

const struct sm_rule sm_finding_rules[] = {
#define SM_FINDING(name, command, key, level, bad, title, help)                                    \
    {command, key, level, bad, title, help},
#include "findings/findings.def"
};

char *sm_finding_rule_id(enum sm_finding_rule rule)
{
    const struct sm_rule *row = &sm_finding_rules[rule];
    return sm_print("%s/%.*s", row->command, (int)strlen(row->key) - 1, row->key);
}

/* ---- reading ---- */

static void add_access(struct sm_finding *finding, const json_t *json)
{
    if (!json_is_object(json))
        return;
    finding->accesses =
        sm_resize(finding->accesses, (finding->n_accesses + 1) * sizeof *finding->accesses);
    finding->accesses[finding->n_accesses++] = sm_parse_access(json);
}

static void add_accesses(struct sm_finding *finding, const json_t *json)
{
    size_t i;
    const json_t *event;
    add_access(finding, json_object_get(json, "first"));
    add_access(finding, json_object_get(json, "second"));
    json_array_foreach(json_object_get(json, "events"), i, event) add_access(finding, event);
}

static void add_place(struct sm_finding *finding, const char *kind, uint32_t thread,
                      const struct sm_place *place, const struct sm_stack *stack)
{
    if (!place->file)
        return;
    struct sm_access access = {.place = sm_place_copy(place), .kind = kind, .thread = thread};
    for (uint32_t i = 0; i < stack->n; i++)
        sm_stack_add(&access.stack, sm_place_copy(&stack->frames[i]));
    finding->accesses =
        sm_resize(finding->accesses, (finding->n_accesses + 1) * sizeof *finding->accesses);
    finding->accesses[finding->n_accesses++] = access;
}

/* As accesses, a failure is the place where it failed with its stack, then each further place that
   it has. */
static void add_failure(struct sm_finding *finding, const json_t *json)
{
    struct sm_failure failure = sm_parse_failure(json);
    add_place(finding, sm_failure_words[failure.kind], failure.thread, &failure.place,
              &failure.stack);
    for (uint32_t i = 0; i < failure.n_related; i++)
        add_place(finding, failure.related[i].role, failure.related[i].thread,
                  &failure.related[i].place, &failure.related[i].stack);
    sm_failure_free(&failure);
}

static const char *text_at(const json_t *json, const char *key, const char *otherwise)
{
    const char *text = sm_parse_string(json, key);
    return text && *text ? text : otherwise;
}

static void describe_race(struct sm_finding *finding, const json_t *json, struct sm_buffer *text)
{
    const char *advice = sm_parse_string(json, "advice");
    finding->name = sm_copy_text(text_at(json, "variable", "memory"));
    sm_buffer_print(text, "data race on %s, seen %lu time%s", finding->name,
                    (unsigned long)sm_parse_number(json, "count"),
                    sm_parse_number(json, "count") == 1 ? "" : "s");
    if (advice)
        sm_buffer_print(text, "\nwhat to do: %s", advice);
}

static void describe_violation(struct sm_finding *finding, const json_t *json,
                               struct sm_buffer *text)
{
    struct sm_failure failure = sm_parse_failure(json);
    finding->name = sm_copy_text(text_at(json, "kind", "failure"));
    sm_voice_failure_kind(text, &failure);
    sm_failure_free(&failure);
}

static void describe_atomicity(struct sm_finding *finding, const json_t *json,
                               struct sm_buffer *text)
{
    const json_t *failure = json_object_get(json, "failure");
    const char *advice = sm_parse_string(json, "advice");
    finding->name = sm_copy_text(text_at(json, "set", "atomic set"));
    sm_buffer_print(text, "%s is not atomic for %s (%s): %s comes between\npattern %lu: %s",
                    text_at(json, "unit", "a unit of work"), finding->name,
                    text_at(json, "fields", "its fields"), text_at(json, "other_unit", "another"),
                    (unsigned long)sm_parse_number(json, "pattern"), text_at(json, "words", ""));
    if (json_is_object(failure)) {
        struct sm_failure end = sm_parse_failure(failure);
        sm_buffer_text(text, "\nthen ");
        sm_voice_failure_kind(text, &end);
        sm_failure_free(&end);
    }
    if (advice)
        sm_buffer_print(text, "\nwhat to do: %s", advice);
}

/* Names only. The pattern is part of it: one set can be violated in several ways. */
static char *id_of(const struct sm_finding *finding, const json_t *json)
{
    struct sm_buffer id = {0};
    sm_buffer_print(&id, "%s", finding->name);
    for (size_t i = 0; i < finding->n_accesses; i++) {
        const struct sm_place *place = &finding->accesses[i].place;
        sm_buffer_print(&id, " %s:%s", finding->accesses[i].kind,
                        place->function ? place->function : "?");
    }
    if (sm_parse_number(json, "pattern"))
        sm_buffer_print(&id, " %lu", (unsigned long)sm_parse_number(json, "pattern"));
    return id.data;
}

static struct sm_finding parse_one(enum sm_finding_rule rule, const json_t *json)
{
    struct sm_finding finding = {.rule = rule,
                                 .witness = sm_copy_text(sm_parse_string(json, "witness"))};
    struct sm_buffer text = {0};
    switch (rule) {
    case SM_FINDING_DETECT_FAILURE:
    case SM_FINDING_VERIFY_VIOLATION:
        describe_violation(&finding, json, &text);
        add_failure(&finding, json);
        break;
    case SM_FINDING_ATOMICITY_VIOLATION:
        describe_atomicity(&finding, json, &text);
        add_accesses(&finding, json);
        break;
    default:
        describe_race(&finding, json, &text);
        add_accesses(&finding, json);
    }
    finding.message = text.data;
    finding.id = id_of(&finding, json);
    return finding;
}

static char *summary_of(const json_t *json)
{
    struct sm_buffer text = {0};
    const char *model = sm_parse_string(json, "model");
    const json_t *complete = json_object_get(json, "complete");
    sm_buffer_print(&text, "%s", sm_parse_string(json, "command"));
    if (model)
        sm_buffer_print(&text, " under %s", model);
    if (json_object_get(json, "executions"))
        sm_buffer_print(&text, ": %lu execution%s",
                        (unsigned long)sm_parse_number(json, "executions"),
                        sm_parse_number(json, "executions") == 1 ? "" : "s");
    if (complete && strcmp(sm_parse_string(json, "command"), "verify") == 0)
        sm_buffer_text(&text, json_is_true(complete) ? ", all there are" : ", not all there are");
    return text.data;
}

bool sm_findings_parse(const json_t *json, struct sm_findings_list *list)
{
    const char *command = sm_parse_string(json, "command");
    bool known = false;
    *list = (struct sm_findings_list){0};
    for (int rule = 0; command && rule < SM_FINDING_RULES; rule++) {
        size_t i;
        const json_t *item, *items = json_object_get(json, sm_finding_rules[rule].key);
        if (strcmp(sm_finding_rules[rule].command, command) != 0)
            continue;
        known = true;
        list->items =
            sm_resize(list->items, (list->n + json_array_size(items) + 1) * sizeof *list->items);
        json_array_foreach(items, i, item) list->items[list->n++] =
            parse_one((enum sm_finding_rule)rule, item);
    }
    if (known)
        list->summary = summary_of(json);
    return known;
}

void sm_findings_free(struct sm_findings_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        struct sm_finding *finding = &list->items[i];
        for (size_t k = 0; k < finding->n_accesses; k++)
            sm_access_free(&finding->accesses[k]);
        free(finding->accesses);
        free(finding->name);
        free(finding->message);
        free(finding->id);
        free(finding->witness);
    }
    free(list->items);
    free(list->summary);
}

bool sm_findings_bad(const struct sm_findings_list *list)
{
    bool bad = false;
    for (size_t i = 0; i < list->n; i++)
        bad |= sm_finding_rules[list->items[i].rule].bad;
    return bad;
}

/* ---- showing ---- */

json_t *sm_finding_json(const struct sm_finding *finding)
{
    json_t *accesses = json_array();
    for (size_t i = 0; i < finding->n_accesses; i++)
        json_array_append_new(accesses, sm_json_access(&finding->accesses[i]));
    char *rule = sm_finding_rule_id(finding->rule);
    json_t *json = json_pack("{s:s, s:s, s:b, s:o, s:o, s:o, s:o}", "rule", rule, "meaning",
                             sm_finding_rules[finding->rule].help, "bad",
                             (int)sm_finding_rules[finding->rule].bad, "name",
                             sm_json_text(finding->name), "message", sm_json_text(finding->message),
                             "accesses", accesses, "witness", sm_json_text(finding->witness));
    free(rule);
    return json;
}

static void print_finding(const struct sm_finding *finding, const struct sm_paint *paint, FILE *to)
{
    char *rule = sm_finding_rule_id(finding->rule);
    bool bad = sm_finding_rules[finding->rule].bad;
    fprintf(to, "%s%s%s: %s\n", bad ? paint->bad : "", rule, bad ? paint->off : "",
            finding->message);
    for (size_t i = 0; i < finding->n_accesses; i++) {
        const struct sm_access *access = &finding->accesses[i];
        fprintf(to, "    %s by thread %u at ", access->kind, access->thread);
        sm_text_place(&access->place, to);
        fputc('\n', to);
    }
    if (finding->witness)
        fprintf(to, "  %sreplay with:%s stalemate replay %s\n", paint->dim, paint->off,
                finding->witness);
    free(rule);
}

void sm_findings_text(const struct sm_findings_list *list, bool color, FILE *to)
{
    struct sm_paint paint = sm_paint_choose(color);
    for (size_t i = 0; i < list->n; i++)
        print_finding(&list->items[i], &paint, to);
    fprintf(to, "%s; %zu finding%s\n", list->summary, list->n, list->n == 1 ? "" : "s");
}
