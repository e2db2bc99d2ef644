#include "base/words.h"
#include "findings/json.h"
#include "findings/run.h"

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
    json_object_set_new(json, "warnings", sm_json_failures(outcome->warnings, outcome->n_warnings));
    if (report->witness)
        json_object_set_new(json, "witness", sm_json_text(report->witness));
    if (*report->repairs)
        json_object_set_new(json, "assuming", sm_json_text(report->repairs));
    if (report->replayed) {
        json_object_set_new(json, "reproduced", json_boolean(!report->departure));
        json_object_set_new(json, "departure", sm_json_text(report->departure));
    }
    return json;
}

bool sm_report_run_json(const struct sm_run_report *report, const char *path,
                        struct sm_error *error)
{
    json_t *json = run_json(report);
    bool ok = sm_json_write(json, path, error);
    json_decref(json);
    return ok;
}
