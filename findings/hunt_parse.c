/* The way back from hunt_json.c. */
#include <string.h>

#include "base/words.h"
#include "findings/parse.h"

static int find_word(const char *const *words, int n, const char *word)
{
    for (int i = 0; word && i < n; i++)
        if (words[i] && strcmp(words[i], word) == 0)
            return i;
    return -1;
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

static struct sm_rate parse_rate(const json_t *json)
{
    return (struct sm_rate){.trials = sm_parse_number(json, "trials"),
                            .failures = sm_parse_number(json, "failures")};
}

static void parse_rates(const json_t *json, struct sm_tally *tally)
{
    for (int i = 0; i < SM_HEURISTICS; i++)
        tally->by_heuristic[i] = parse_rate(json_object_get(json, sm_heuristic_words[i]));
}

static void parse_accesses(const json_t *json, struct sm_hunt_race *race)
{
    size_t i;
    const json_t *access;
    race->accesses = sm_new((json_array_size(json) + 1) * sizeof *race->accesses);
    json_array_foreach(json, i, access) race->accesses[race->n_accesses++] =
        sm_parse_access(access);
}

static struct sm_coverage parse_coverage(const json_t *json)
{
    int ended =
        find_word(sm_trials_end_words, SM_TRIALS_END_EXPLORED + 1, sm_parse_string(json, "ended"));
    return (struct sm_coverage){.pairs = sm_parse_number(json, "pairs"),
                                .orders = sm_parse_number(json, "orders"),
                                .lost = sm_parse_number(json, "lost"),
                                .ended =
                                    ended < 0 ? SM_TRIALS_END_TRIALS : (enum sm_trials_end)ended};
}

static struct sm_hunt_race parse_race(const json_t *json)
{
    const char *variable = sm_parse_string(json, "variable"), *id = sm_parse_string(json, "id");
    int verdict = find_word(sm_verdict_words, SM_VERDICTS, sm_parse_string(json, "verdict"));
    int model = find_word(sm_model_words, SM_MODELS, sm_parse_string(json, "model"));
    struct sm_hunt_race race = {.id = sm_copy_text(id ? id : ""),
                                .variable = sm_copy_text(variable ? variable : "?"),
                                .object = sm_copy_text(sm_parse_string(json, "object")),
                                .type = sm_copy_text(sm_parse_string(json, "type")),
                                .verdict = verdict < 0 ? SM_VERDICT_UNDECIDED
                                                       : (enum sm_verdict_kind)verdict,
                                .exact = json_is_true(json_object_get(json, "exact")),
                                .model = model < 0 ? SM_MODELS : (enum sm_model_id)model,
                                .failure = sm_parse_failure(json_object_get(json, "failure")),
                                .witness = sm_copy_text(sm_parse_string(json, "witness")),
                                .remedy = sm_copy_text(sm_parse_string(json, "remedy")),
                                .cause = sm_copy_text(sm_parse_string(json, "cause")),
                                .story = parse_lines(json_object_get(json, "story"))};
    race.tally.trials = sm_parse_number(json, "trials");
    race.tally.failures = sm_parse_number(json, "failures");
    race.tally.stale_reads = sm_parse_number(json, "stale_reads");
    race.tally.future_reads = sm_parse_number(json, "future_reads");
    race.tally.unvalidated = sm_parse_number(json, "unvalidated");
    race.coverage = parse_coverage(json_object_get(json, "coverage"));
    parse_rates(json_object_get(json, "by_heuristic"), &race.tally);
    race.tally.by_future = parse_rate(json_object_get(json, "by_future"));
    parse_accesses(json_object_get(json, "accesses"), &race);
    race.cure = sm_cure_parse(json_object_get(json, "advice"));
    return race;
}

static struct sm_hunt_failure parse_loose(const json_t *json)
{
    int model = find_word(sm_model_words, SM_MODELS, sm_parse_string(json, "model"));
    return (struct sm_hunt_failure){.failure = sm_parse_failure(json),
                                    .model = model < 0 ? SM_MODEL_SC : (enum sm_model_id)model,
                                    .witness = sm_copy_text(sm_parse_string(json, "witness")),
                                    .cause = sm_copy_text(sm_parse_string(json, "cause")),
                                    .count = sm_parse_number(json, "count"),
                                    .racy = json_is_true(json_object_get(json, "racy")),
                                    .races = parse_lines(json_object_get(json, "races")),
                                    .remedy = sm_copy_text(sm_parse_string(json, "remedy")),
                                    .cure = sm_cure_parse(json_object_get(json, "advice")),
                                    .story = parse_lines(json_object_get(json, "story"))};
}

static void parse_baseline(const json_t *json, struct sm_hunt_report *report)
{
    report->baseline_exit = (int)json_integer_value(json_object_get(json, "exit"));
    report->always_fails = json_is_null(json_object_get(json, "exit"));
    report->baseline_events = sm_parse_number(json, "events");
    report->baseline_outcomes = sm_parse_number(json, "outcomes");
    report->baseline_errors = sm_copy_text(sm_parse_string(json, "errors"));
}

static struct sm_searched parse_search(const json_t *json)
{
    return (struct sm_searched){.executions = sm_parse_number(json, "executions"),
                                .last_new = sm_parse_number(json, "last_new"),
                                .coverage = parse_coverage(json)};
}

bool sm_hunt_json_parse(const json_t *json, struct sm_hunt_report *report)
{
    const char *command = sm_parse_string(json, "command");
    const json_t *races = json_object_get(json, "races"), *item;
    const json_t *failures = json_object_get(json, "failures");
    const json_t *warnings = json_object_get(json, "warnings");
    *report = (struct sm_hunt_report){0};
    if (!command || (strcmp(command, "hunt") != 0 && strcmp(command, "fix") != 0) ||
        !json_is_array(races))
        return false;
    report->seconds = json_number_value(json_object_get(json, "seconds"));
    report->executions = sm_parse_number(json, "executions");
    report->found = sm_parse_number(json, "remembered");
    parse_baseline(json_object_get(json, "baseline"), report);
    report->search = parse_search(json_object_get(json, "search"));
    report->out_of_time = json_is_false(json_object_get(json, "complete"));
    report->races = sm_new((json_array_size(races) + 1) * sizeof *report->races);
    report->failures = sm_new((json_array_size(failures) + 1) * sizeof *report->failures);
    size_t i;
    json_array_foreach(races, i, item) report->races[report->n_races++] = parse_race(item);
    json_array_foreach(failures, i, item) report->failures[report->n_failures++] =
        parse_loose(item);
    report->warnings = sm_new((json_array_size(warnings) + 1) * sizeof *report->warnings);
    json_array_foreach(warnings, i, item) report->warnings[report->n_warnings++] =
        (struct sm_hunt_warning){sm_parse_failure(item),
                                 json_is_true(json_object_get(item, "happens"))};
    return true;
}
