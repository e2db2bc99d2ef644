#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "findings/hunt.h"
#include "findings/json.h"
#include "findings/report.h"
#include "report/results.h"

json_t *sm_json_text(const char *string)
{
    if (!string)
        return json_null();
    json_t *json = json_string(string);
    if (json)
        return json;
    struct sm_buffer clean = {0};
    for (; *string; string++)
        sm_buffer_text(&clean, (unsigned char)*string < 0x80 ? (char[]){*string, 0} : "\uFFFD");
    json = json_string(clean.data);
    sm_buffer_free(&clean);
    return json;
}

json_t *sm_json_place(const struct sm_place *place)
{
    if (!place->file && !place->function)
        return json_null();
    return json_pack("{s:o, s:i, s:i, s:o}", "file", sm_json_text(place->file), "line",
                     (int)place->line, "column", (int)place->column, "function",
                     sm_json_text(place->function));
}

json_t *sm_json_stack(const struct sm_stack *stack)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < stack->n; i++)
        json_array_append_new(array, sm_json_place(&stack->frames[i]));
    return array;
}

json_t *sm_json_failure(const struct sm_failure *failure)
{
    if (failure->kind == SM_FAILURE_NONE)
        return json_null();
    return json_pack("{s:s, s:o, s:o, s:o, s:i, s:b}", "kind", sm_failure_words[failure->kind],
                     "detail", sm_json_text(failure->detail), "place",
                     sm_json_place(&failure->place), "stack", sm_json_stack(&failure->stack),
                     "thread", (int)failure->thread, "circular", (int)failure->circular);
}

json_t *sm_json_access(const struct sm_hunt_access *access)
{
    const struct sm_place *place = &access->place;
    return json_pack("{s:o, s:i, s:i, s:o, s:s, s:i, s:o}", "file", sm_json_text(place->file),
                     "line", (int)place->line, "column", (int)place->column, "function",
                     sm_json_text(place->function), "kind", access->kind, "thread",
                     (int)access->thread, "stack", sm_json_stack(&access->stack));
}

json_t *sm_json_target(char *const *target)
{
    json_t *array = json_array();
    for (; *target; target++)
        json_array_append_new(array, sm_json_text(*target));
    return array;
}

static json_t *counters_json(const uint64_t *counters)
{
    static const char *const names[] = {
#define SM_COUNTER(name, word) #name,
#include "abi/counters.def"
    };
    json_t *object = json_object();
    for (int i = 0; i < SM_COUNTERS; i++)
        json_object_set_new(object, names[i], json_integer((json_int_t)counters[i]));
    return object;
}

static json_t *run_json(const struct sm_run_report *report)
{
    const struct sm_outcome *outcome = report->outcome;
    char hash[17];
    snprintf(hash, sizeof hash, "%016lx", (unsigned long)outcome->trace_hash);
    json_t *json = json_pack(
        "{s:s, s:s, s:s, s:o, s:f, s:o, s:o, s:I, s:s, s:I, s:s, s:s, s:I, s:b, s:o}", "tool",
        "stalemate", "version", SM_VERSION, "command", report->command, "target",
        sm_json_target(report->target), "seconds", outcome->seconds, "exit",
        outcome->exited ? json_integer(outcome->exit_status) : json_null(), "failure",
        sm_json_failure(&outcome->failure), "events", (json_int_t)outcome->events, "trace_hash",
        hash, "seed", (json_int_t)report->options->seed, "model",
        sm_model_words[report->options->model], "schedule",
        sm_schedule_words[report->options->schedule], "threads", (json_int_t)outcome->n_threads,
        "assumed", (int)outcome->assumed, "counters", counters_json(report->counters));
    if (report->witness)
        json_object_set_new(json, "witness", sm_json_text(report->witness));
    if (report->replayed) {
        json_object_set_new(json, "reproduced", json_boolean(!report->departure));
        json_object_set_new(json, "departure", sm_json_text(report->departure));
    }
    return json;
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
    bool ok = sm_report_write(&text, path, error);
    sm_buffer_free(&text);
    return ok;
}

bool sm_report_run_json(const struct sm_run_report *report, const char *path,
                        struct sm_error *error)
{
    json_t *json = run_json(report);
    bool ok = sm_json_write(json, path, error);
    json_decref(json);
    return ok;
}
