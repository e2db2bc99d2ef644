#include <stdlib.h>

#include "base/words.h"
#include "findings/hunt.h"
#include "findings/json.h"
#include "findings/shards.h"

static json_t *accesses_json(const struct sm_hunt_race *race)
{
    json_t *array = json_array();
    for (size_t i = 0; i < race->n_accesses; i++)
        json_array_append_new(array, sm_json_access(&race->accesses[i]));
    return array;
}

static json_t *rate_json(const struct sm_rate *rate)
{
    return json_pack("{s:I, s:I}", "trials", (json_int_t)rate->trials, "failures",
                     (json_int_t)rate->failures);
}

static json_t *by_heuristic_json(const struct sm_tally *tally)
{
    json_t *object = json_object();
    for (int i = 0; i < SM_HEURISTICS; i++)
        if (tally->by_heuristic[i].trials)
            json_object_set_new(object, sm_heuristic_words[i], rate_json(&tally->by_heuristic[i]));
    return object;
}

/* Fewer trials than steps leave some empty. */
static json_t *course_json(const struct sm_tally *tally)
{
    json_t *array = json_array();
    for (int i = 0; i < SM_TALLY_STEPS; i++)
        if (tally->course[i].trials)
            json_array_append_new(array, rate_json(&tally->course[i]));
    return array;
}

static json_t *coverage_json(const struct sm_coverage *coverage)
{
    return json_pack("{s:I, s:I, s:I, s:s}", "pairs", (json_int_t)coverage->pairs, "orders",
                     (json_int_t)coverage->orders, "lost", (json_int_t)coverage->lost, "ended",
                     sm_trials_end_words[coverage->ended]);
}

static json_t *search_json(const struct sm_searched *search)
{
    json_t *json = coverage_json(&search->coverage);
    json_object_set_new(json, "executions", json_integer((json_int_t)search->executions));
    json_object_set_new(json, "last_new", json_integer((json_int_t)search->last_new));
    return json;
}

static json_t *race_json(const struct sm_hunt_race *race)
{
    const struct sm_tally *tally = &race->tally;
    char *title = sm_hunt_race_title(race), *evidence = sm_hunt_race_evidence(race);
    json_t *json = json_pack(
        "{s:o, s:o, s:o, s:s, s:b, s:o, s:o, s:o, s:I, s:I, s:o, s:o, s:o, s:I, s:I, s:I, s:o, "
        "s:o}",
        "id", sm_json_text(race->id), "variable", sm_json_text(race->variable), "accesses",
        accesses_json(race), "verdict", sm_verdict_words[race->verdict], "exact", (int)race->exact,
        "model", sm_json_text(sm_model_words[race->model]), "needs",
        sm_json_text(sm_model_needs[race->model]), "failure", sm_json_failure(&race->failure),
        "trials", (json_int_t)tally->trials, "failures", (json_int_t)tally->failures,
        "by_heuristic", by_heuristic_json(tally), "by_future", rate_json(&tally->by_future),
        "course", course_json(tally), "stale_reads", (json_int_t)tally->stale_reads, "future_reads",
        (json_int_t)tally->future_reads, "unvalidated", (json_int_t)tally->unvalidated, "witness",
        sm_json_text(race->witness), "story", sm_json_lines(&race->story));
    json_object_set_new(json, "title", sm_json_text(title));
    json_object_set_new(json, "evidence", sm_json_text(evidence));
    json_object_set_new(json, "coverage",
                        tally->trials ? coverage_json(&race->coverage) : json_null());
    json_object_set_new(json, "object", sm_json_text(race->object));
    json_object_set_new(json, "type", sm_json_text(race->type));
    json_object_set_new(json, "remedy", sm_json_text(race->remedy));
    json_object_set_new(json, "cause", sm_json_text(race->cause));
    if (race->cure)
        json_object_set_new(json, "advice", sm_cure_json(race->cure));
    free(title);
    free(evidence);
    return json;
}

static json_t *failures_json(const struct sm_hunt_report *report)
{
    json_t *array = json_array();
    for (size_t i = 0; i < report->n_failures; i++) {
        json_t *failure = sm_json_failure(&report->failures[i].failure);
        json_object_set_new(failure, "witness", sm_json_text(report->failures[i].witness));
        json_object_set_new(failure, "model",
                            json_string(sm_model_words[report->failures[i].model]));
        json_object_set_new(failure, "count", json_integer((json_int_t)report->failures[i].count));
        json_object_set_new(failure, "racy", json_boolean(report->failures[i].racy));
        json_object_set_new(failure, "races", sm_json_lines(&report->failures[i].races));
        json_object_set_new(failure, "remedy", sm_json_text(report->failures[i].remedy));
        json_object_set_new(failure, "cause", sm_json_text(report->failures[i].cause));
        json_object_set_new(failure, "story", sm_json_lines(&report->failures[i].story));
        if (report->failures[i].cure)
            json_object_set_new(failure, "advice", sm_cure_json(report->failures[i].cure));
        json_array_append_new(array, failure);
    }
    return array;
}

static json_t *summary_json(const struct sm_hunt_report *report)
{
    json_t *object = json_object();
    static const struct {
        const char *key;
        enum sm_verdict_kind verdict;
    } rows[] = {{"destructive", SM_VERDICT_DESTRUCTIVE},
                {"benign", SM_VERDICT_BENIGN},
                {"qos", SM_VERDICT_QOS},
                {"undecided", SM_VERDICT_UNDECIDED},
                {"proved_benign", SM_VERDICT_PROVED_BENIGN}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        json_object_set_new(object, rows[i].key,
                            json_integer((json_int_t)sm_hunt_count(report, rows[i].verdict)));
    return object;
}

static json_t *warnings_json(const struct sm_hunt_report *report)
{
    json_t *array = json_array();
    for (size_t i = 0; i < report->n_warnings; i++) {
        json_t *json = sm_json_failure(&report->warnings[i].failure);
        if (report->warnings[i].failure.kind == SM_FAILURE_LOCK_ORDER)
            json_object_set_new(json, "happens", json_boolean(report->warnings[i].happens));
        json_array_append_new(array, json);
    }
    return array;
}

static json_t *hunt_json(const struct sm_hunt_report *report)
{
    json_t *races = json_array();
    for (size_t i = 0; i < report->n_races; i++)
        json_array_append_new(races, race_json(&report->races[i]));
    json_t *json = json_pack(
        "{s:s, s:s, s:s, s:o, s:f, s:I, s:I, s:{s:o, s:I, s:I, s:o}, s:o, s:o, s:o, s:b, s:I, s:I, "
        "s:o}",
        "tool", "stalemate", "version", SM_VERSION, "command",
        report->command ? report->command : "hunt", "target", sm_json_target(report->target),
        "seconds", report->seconds, "executions", (json_int_t)report->executions, "remembered",
        (json_int_t)report->found, "baseline", "exit",
        report->always_fails ? json_null() : json_integer(report->baseline_exit), "events",
        (json_int_t)report->baseline_events, "outcomes", (json_int_t)report->baseline_outcomes,
        "errors", sm_json_text(report->baseline_errors), "races", races, "failures",
        failures_json(report), "summary", summary_json(report), "complete",
        (int)(!report->interrupted && !report->out_of_time), "known", (json_int_t)report->known,
        "suppressed", (json_int_t)report->suppressed, "proof", sm_json_text(report->proof));
    json_object_set_new(json, "search", search_json(&report->search));
    json_object_set_new(json, "warnings", warnings_json(report));
    json_object_set_new(json, "weak_atomics", sm_json_lines(&report->weak_atomics));
    if (report->merged)
        json_object_set_new(json, "shards", sm_json_merged(report->merged));
    return json;
}

char *sm_hunt_json_text(const struct sm_hunt_report *report)
{
    json_t *json = hunt_json(report);
    char *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    return text;
}

bool sm_report_hunt_json(const struct sm_hunt_report *report, const char *path,
                         struct sm_error *error)
{
    json_t *json = hunt_json(report);
    bool ok = sm_json_write(json, path, error);
    json_decref(json);
    return ok;
}
