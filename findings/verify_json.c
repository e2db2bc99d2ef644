#include <string.h>

#include "base/words.h"
#include "findings/json.h"
#include "findings/verify.h"

static json_t *races_json(const struct sm_verify_report *report)
{
    json_t *array = json_array();
    for (size_t i = 0; i < report->n_races; i++)
        json_array_append_new(array, sm_json_race(&report->races[i]));
    return array;
}

static json_t *outcomes_json(const struct sm_verify_report *report)
{
    json_t *array = json_array();
    for (size_t i = 0; i < report->n_outcomes; i++) {
        const struct sm_verify_outcome *outcome = &report->outcomes[i];
        json_t *json = json_pack("{s:o, s:I}", "output", sm_json_text(outcome->output), "count",
                                 (json_int_t)outcome->count);
        if (report->expects)
            json_object_set_new(json, "allowed", json_boolean(!outcome->forbidden));
        if (outcome->witness)
            json_object_set_new(json, "witness", sm_json_text(outcome->witness));
        json_array_append_new(array, json);
    }
    return array;
}

static json_t *violations_json(const struct sm_verify_report *report)
{
    json_t *array = json_array();
    for (size_t i = 0; i < report->n_violations; i++) {
        json_t *violation = sm_json_failure(&report->violations[i].failure);
        json_object_set_new(violation, "witness", sm_json_text(report->violations[i].witness));
        json_array_append_new(array, violation);
    }
    return array;
}

/* By line of "assuming": was it executed? Only orders say so. */
static json_t *executed_json(const struct sm_verify_report *report)
{
    json_t *array = json_array();
    size_t i = 0;
    for (const char *line = report->repairs; line; i++) {
        json_array_append_new(array, json_boolean(report->repairs_met >> i & 1));
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    return array;
}

/* "explored": every execution with at most so many; null: not even all without one. */
static json_t *preemptions_json(const struct sm_verify_report *report)
{
    json_t *most = report->proved ? json_integer((json_int_t)report->proved - 1) : json_null();
    return json_pack("{s:I, s:o}", "asked", (json_int_t)report->preemptions, "explored", most);
}

static json_t *cuts_json(const struct sm_verify_report *report)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < SM_CUTS; i++)
        if (report->cut >> i & 1)
            json_array_append_new(array, json_string(sm_cut_words[i]));
    return array;
}

/* null: the number is too large. */
static json_t *stands_for_json(const struct sm_verify_report *report)
{
    return report->stands_for < SM_MOST_STOOD_FOR ? json_integer((json_int_t)report->stands_for)
                                                  : json_null();
}

static json_t *verify_json(const struct sm_verify_report *report)
{
    json_t *json = json_pack("{s:s, s:s, s:s, s:o, s:f, s:s, s:b, s:I, s:I, s:o, s:o, s:o}", "tool",
                             "stalemate", "version", SM_VERSION, "command", "verify", "target",
                             sm_json_target(report->target), "seconds", report->seconds, "model",
                             sm_model_words[report->model], "complete", (int)report->complete,
                             "executions", (json_int_t)report->executions, "blocked",
                             (json_int_t)report->blocked, "outcomes", outcomes_json(report),
                             "races", races_json(report), "violations", violations_json(report));
    if (report->model < SM_MODEL_HB)
        json_object_set_new(json, "stands_for", stands_for_json(report));
    json_object_set_new(json, "cut", cuts_json(report));
    json_object_set_new(json, "warnings",
                        sm_json_failures(report->warnings.items, report->warnings.n));
    if (report->repairs && *report->repairs)
        json_object_set_new(json, "assuming", sm_json_text(report->repairs));
    if (report->repairs && *report->repairs)
        json_object_set_new(json, "executed", executed_json(report));
    if (report->bounded)
        json_object_set_new(json, "preemptions", preemptions_json(report));
    if (report->iterations)
        json_object_set_new(
            json, "fixed_point",
            json_pack("{s:I, s:I, s:I}", "iterations", (json_int_t)report->iterations, "states",
                      (json_int_t)report->states, "write_set", (json_int_t)report->writes));
    return json;
}

char *sm_verify_json_text(const struct sm_verify_report *report)
{
    json_t *json = verify_json(report);
    char *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    return text;
}

bool sm_report_verify_json(const struct sm_verify_report *report, const char *path,
                           struct sm_error *error)
{
    json_t *json = verify_json(report);
    bool ok = sm_json_write(json, path, error);
    json_decref(json);
    return ok;
}
