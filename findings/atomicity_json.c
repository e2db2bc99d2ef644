#include "findings/atomicity.h"
#include "findings/json.h"
#include "findings/shards.h"

static json_t *events_json(const struct sm_atomicity_violation *violation)
{
    json_t *array = json_array();
    for (size_t i = 0; i < violation->n_events; i++) {
        const struct sm_atomicity_event *event = &violation->events[i];
        json_t *access = sm_json_access(&event->access);
        json_object_set_new(access, "variable", sm_json_text(event->variable));
        json_object_set_new(access, "unit",
                            sm_json_text(event->other ? violation->other : violation->unit));
        json_array_append_new(array, access);
    }
    return array;
}

static json_t *violation_json(const struct sm_atomicity_violation *violation)
{
    return json_pack("{s:i, s:s, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:b, s:o, s:o, s:o}", "pattern",
                     (int)violation->pattern, "words", sm_pattern_words(violation->pattern), "set",
                     sm_json_text(violation->set), "fields", sm_json_text(violation->fields),
                     "unit", sm_json_text(violation->unit), "other_unit",
                     sm_json_text(violation->other), "events", events_json(violation), "count",
                     (json_int_t)violation->count, "execution", (json_int_t)violation->execution,
                     "harmful", (int)(violation->failure.kind != SM_FAILURE_NONE), "failure",
                     sm_json_failure(&violation->failure), "witness",
                     sm_json_text(violation->witness), "advice", sm_json_text(violation->advice));
}

static json_t *report_json(const struct sm_atomicity_report *report)
{
    json_t *violations = json_array();
    for (size_t i = 0; i < report->n_violations; i++)
        json_array_append_new(violations, violation_json(&report->violations[i]));
    json_t *json = json_pack(
        "{s:s, s:s, s:s, s:o, s:f, s:I, s:I, s:I, s:o, s:I, s:I, s:I, s:I, s:b}", "tool",
        "stalemate", "version", SM_VERSION, "command", "atomicity", "target",
        sm_json_target(report->target), "seconds", report->seconds, "executions",
        (json_int_t)report->executions, "events", (json_int_t)report->events, "tuples",
        (json_int_t)report->tuples, "violations", violations, "harmful",
        (json_int_t)sm_atomicity_harmful(report), "suppressed", (json_int_t)report->suppressed,
        "lost", (json_int_t)report->lost, "unseen", (json_int_t)report->unseen, "complete",
        (int)(!report->interrupted && !report->out_of_time));
    json_object_set_new(json, "failures",
                        sm_json_failures(report->failures.items, report->failures.n));
    json_object_set_new(json, "warnings",
                        sm_json_failures(report->warnings.items, report->warnings.n));
    if (report->merged)
        json_object_set_new(json, "shards", sm_json_merged(report->merged));
    return json;
}

char *sm_atomicity_json_text(const struct sm_atomicity_report *report)
{
    json_t *json = report_json(report);
    char *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    return text;
}

bool sm_report_atomicity_json(const struct sm_atomicity_report *report, const char *path,
                              struct sm_error *error)
{
    json_t *json = report_json(report);
    bool ok = sm_json_write(json, path, error);
    json_decref(json);
    return ok;
}
