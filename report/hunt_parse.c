/* The way back from hunt_json.c. */
#include <string.h>

#include "../driver/story.h"
#include "../driver/words.h"
#include "hunt.h"

static int find_word(const char *const *words, int n, const char *word)
{
    for (int i = 0; word && i < n; i++)
        if (words[i] && strcmp(words[i], word) == 0)
            return i;
    return -1;
}

static const char *string_at(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static uint64_t number_at(const json_t *object, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

static struct sm_place parse_place(const json_t *json)
{
    return (struct sm_place){.file = sm_copy_text(string_at(json, "file")),
                             .function = sm_copy_text(string_at(json, "function")),
                             .line = (uint32_t)number_at(json, "line"),
                             .column = (uint32_t)number_at(json, "column")};
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

static struct sm_failure parse_failure(const json_t *json)
{
    struct sm_failure failure = {0};
    const char *word = string_at(json, "kind");
    for (int kind = SM_FAILURE_NONE + 1; word && kind < SM_FAILURES; kind++)
        if (strcmp(sm_failure_word((enum sm_failure_kind)kind), word) == 0)
            failure.kind = (enum sm_failure_kind)kind;
    if (failure.kind == SM_FAILURE_NONE)
        return failure;
    const char *detail = string_at(json, "detail");
    failure.detail = sm_copy_text(detail ? detail : "");
    failure.place = parse_place(json_object_get(json, "place"));
    failure.stack = parse_stack(json_object_get(json, "stack"));
    failure.thread = (uint32_t)number_at(json, "thread");
    return failure;
}

static struct sm_list parse_lines(const json_t *json)
{
    struct sm_list lines = {0};
    size_t i;
    const json_t *line;
    json_array_foreach(json, i, line) if (json_is_string(line))
        sm_list_add(&lines, json_string_value(line));
    return lines;
}

static void parse_rates(const json_t *json, struct sm_tally *tally)
{
    for (int i = 0; i < SM_HEURISTICS; i++) {
        const json_t *rate = json_object_get(json, sm_heuristic_words[i]);
        tally->by_heuristic[i].trials = number_at(rate, "trials");
        tally->by_heuristic[i].failures = number_at(rate, "failures");
    }
}

static void parse_accesses(const json_t *json, struct sm_hunt_race *race)
{
    size_t i;
    const json_t *access;
    race->accesses = sm_new((json_array_size(json) + 1) * sizeof *race->accesses);
    json_array_foreach(json, i, access) race->accesses[race->n_accesses++] =
        (struct sm_hunt_access){.place = parse_place(access),
                                .kind = kind_word(string_at(access, "kind")),
                                .thread = (uint32_t)number_at(access, "thread"),
                                .stack = parse_stack(json_object_get(access, "stack"))};
}

static struct sm_hunt_race parse_race(const json_t *json)
{
    const char *variable = string_at(json, "variable"), *id = string_at(json, "id");
    int verdict = find_word(sm_verdict_words, SM_VERDICTS, string_at(json, "verdict"));
    int model = find_word(sm_model_words, SM_MODELS, string_at(json, "model"));
    struct sm_hunt_race race = {.id = sm_copy_text(id ? id : ""),
                                .variable = sm_copy_text(variable ? variable : "?"),
                                .verdict = verdict < 0 ? SM_VERDICT_UNDECIDED
                                                       : (enum sm_verdict_kind)verdict,
                                .model = model < 0 ? NULL : sm_model_words[model],
                                .failure = parse_failure(json_object_get(json, "failure")),
                                .witness = sm_copy_text(string_at(json, "witness")),
                                .story = parse_lines(json_object_get(json, "story"))};
    race.tally.trials = number_at(json, "trials");
    race.tally.failures = number_at(json, "failures");
    race.tally.stale_reads = number_at(json, "stale_reads");
    parse_rates(json_object_get(json, "by_heuristic"), &race.tally);
    parse_accesses(json_object_get(json, "accesses"), &race);
    return race;
}

static struct sm_hunt_failure parse_loose(const json_t *json)
{
    return (struct sm_hunt_failure){.failure = parse_failure(json),
                                    .witness = sm_copy_text(string_at(json, "witness")),
                                    .story = parse_lines(json_object_get(json, "story"))};
}

bool sm_hunt_json_parse(const json_t *json, struct sm_hunt_report *report)
{
    const char *command = string_at(json, "command");
    const json_t *races = json_object_get(json, "races"), *item;
    const json_t *failures = json_object_get(json, "failures");
    *report = (struct sm_hunt_report){0};
    if (!command || strcmp(command, "hunt") != 0 || !json_is_array(races))
        return false;
    report->seconds = json_number_value(json_object_get(json, "seconds"));
    report->executions = number_at(json, "executions");
    report->found = number_at(json, "remembered");
    report->out_of_time = json_is_false(json_object_get(json, "complete"));
    report->races = sm_new((json_array_size(races) + 1) * sizeof *report->races);
    report->failures = sm_new((json_array_size(failures) + 1) * sizeof *report->failures);
    size_t i;
    json_array_foreach(races, i, item) report->races[report->n_races++] = parse_race(item);
    json_array_foreach(failures, i, item) report->failures[report->n_failures++] =
        parse_loose(item);
    return true;
}
