#include "findings/trials.h"

#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "findings/json.h"
#include "findings/shards.h"
#include "findings/text.h"
#include "findings/voice.h"

void sm_trials_report_free(struct sm_trials_report *report)
{
    for (size_t i = 0; i < report->n_failures; i++) {
        struct sm_trials_failure *failure = &report->failures[i];
        struct sm_outcome outcome = {.failure = failure->failure};
        sm_outcome_free(&outcome);
        free(failure->witness);
        free(failure->again);
    }
    sm_failures_free(&report->warnings);
    free(report->failures);
}

static void print_failure(const struct sm_trials_failure *failure, const struct sm_paint *paint,
                          FILE *to)
{
    struct sm_buffer text = {0};
    sm_voice_failure_kind(&text, &failure->failure);
    fprintf(to, "%sfailure%s: %s", paint->bad, paint->off, text.data);
    sm_buffer_free(&text);
    fprintf(to, "\n  %lu execution%s, the first with seed %lu: %s\n", (unsigned long)failure->count,
            failure->count == 1 ? "" : "s", (unsigned long)failure->seed, failure->again);
    if (failure->witness)
        fprintf(to, "  replay with: stalemate replay %s\n", failure->witness);
}

void sm_report_trials_text(const struct sm_trials_report *report, bool color, FILE *to)
{
    struct sm_paint paint = sm_paint_choose(color);
    for (size_t i = 0; i < report->n_failures; i++)
        print_failure(&report->failures[i], &paint, to);
    sm_failures_text(&report->warnings, "warning", to);
    fprintf(to, "%zu distinct failure%s in %lu execution%s under %s in %.1f s%s\n",
            report->n_failures, report->n_failures == 1 ? "" : "s",
            (unsigned long)report->executions, report->executions == 1 ? "" : "s",
            sm_model_words[report->model], report->seconds,
            report->complete ? ""
            : report->merged ? "; not complete: executions of shards are missing"
                             : "; the time was over before all were made");
    if (report->merged)
        sm_merged_text(report->merged, to);
}

static json_t *failure_json(const struct sm_trials_failure *failure)
{
    json_t *json = sm_json_failure(&failure->failure);
    json_object_set_new(json, "seed", json_integer((json_int_t)failure->seed));
    json_object_set_new(json, "schedule", sm_json_text(sm_schedule_words[failure->schedule]));
    json_object_set_new(json, "count", json_integer((json_int_t)failure->count));
    json_object_set_new(json, "witness", sm_json_text(failure->witness));
    json_object_set_new(json, "again", sm_json_text(failure->again));
    return json;
}

bool sm_report_trials_json(const struct sm_trials_report *report, const char *path,
                           struct sm_error *error)
{
    json_t *failures = json_array();
    for (size_t i = 0; i < report->n_failures; i++)
        json_array_append_new(failures, failure_json(&report->failures[i]));
    json_t *json = json_pack(
        "{s:s, s:s, s:s, s:o, s:f, s:s, s:I, s:b, s:o}", "tool", "stalemate", "version", SM_VERSION,
        "command", "run", "target", sm_json_target(report->target), "seconds", report->seconds,
        "model", sm_model_words[report->model], "executions", (json_int_t)report->executions,
        "complete", (int)report->complete, "failures", failures);
    json_object_set_new(json, "warnings",
                        sm_json_failures(report->warnings.items, report->warnings.n));
    if (report->merged)
        json_object_set_new(json, "shards", sm_json_merged(report->merged));
    bool ok = sm_json_write(json, path, error);
    json_decref(json);
    return ok;
}
