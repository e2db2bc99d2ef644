/*
 * SARIF 2.1.0, for code scanning: a rule for each verdict and each kind of finding, a result for
 * each racy variable and each finding, a code flow for each witness with one thread flow for each
 * thread.
 *
 * GitHub's requirements decide the rest: every location is a physical one, paths are relative to
 * the directory the report is made in, fingerprints do not depend on line numbers, and a result has
 * at most 10,000 steps.
 */
#include "report/sarif.h"

#include <stdlib.h>

#include "base/words.h"
#include "findings/json.h"
#include "findings/voice.h"

static const char *level_of(enum sm_verdict_kind verdict)
{
    return verdict == SM_VERDICT_DESTRUCTIVE ? "error"
           : verdict == SM_VERDICT_QOS       ? "warning"
                                             : "note";
}

/* ---- rules ---- */

/* The kinds of failure follow the verdicts, then findings.def. */
enum { FAILURE_RULES = SM_VERDICTS, FINDING_RULES = FAILURE_RULES + SM_FAILURES - 1 };

static char *failure_rule_id(int kind)
{
    return sm_print("failure/%s", sm_failure_words[kind]);
}

static const char *severity_of(int kind)
{
    return sm_failure_severities[kind] == SM_SEVERITY_ERROR ? "error" : "warning";
}

static json_t *rule_json(const char *id, const char *title, const char *help, const char *level)
{
    return json_pack("{s:s, s:{s:s}, s:{s:s}, s:{s:s}, s:{s:s}, s:{s:[s], s:s}}", "id", id,
                     "shortDescription", "text", title, "fullDescription", "text", help, "help",
                     "text", help, "defaultConfiguration", "level", level, "properties", "tags",
                     "concurrency", "precision", "very-high");
}

static json_t *rules_json(void)
{
    json_t *rules = json_array();
    for (int i = 0; i < SM_VERDICTS; i++) {
        char *id = sm_print("race/%s", sm_verdict_words[i]);
        char *title = sm_print("Data race: %s", sm_verdict_words[i]);
        char *help = sm_print("Two threads access a variable without ordering, at least one of "
                              "them writing. Verdict: %s. %s.",
                              sm_verdict_meanings[i], sm_verdict_advice[i]);
        json_array_append_new(rules, rule_json(id, title, help, level_of((enum sm_verdict_kind)i)));
        free(id);
        free(title);
        free(help);
    }
    for (int kind = SM_FAILURE_NONE + 1; kind < SM_FAILURES; kind++) {
        char *id = failure_rule_id(kind);
        char *title = sm_print("Failure: %s", sm_failure_texts[kind]);
        char *help = sm_print("The program fails in some order of its threads, without any stale "
                              "value: %s. %s.",
                              sm_failure_texts[kind], sm_failure_advice[kind]);
        json_array_append_new(rules, rule_json(id, title, help, severity_of(kind)));
        free(id);
        free(title);
        free(help);
    }
    for (int i = 0; i < SM_FINDING_RULES; i++) {
        char *id = sm_finding_rule_id((enum sm_finding_rule)i);
        const struct sm_rule *rule = &sm_finding_rules[i];
        json_array_append_new(rules, rule_json(id, rule->title, rule->help, rule->level));
        free(id);
    }
    return rules;
}

/* ---- results ---- */

static void add_story(struct sm_buffer *to, const struct sm_list *story, const char *witness)
{
    for (size_t i = 0; i < story->n; i++)
        sm_buffer_print(to, "\n%s", story->items[i]);
    if (witness)
        sm_buffer_print(to, "\nReplay with: stalemate replay %s", witness);
}

static char *message_of(const struct sm_results_hunt *hunt, const struct sm_hunt_race *race)
{
    struct sm_buffer text = {0};
    char *title = sm_hunt_race_title(race), *evidence = sm_hunt_race_evidence(race);
    sm_buffer_print(&text, "%s (%s, %s): %s", title, race->variable, hunt->target,
                    sm_verdict_meanings[race->verdict]);
    if (race->model < SM_MODELS)
        sm_buffer_print(&text, " under %s: %s", sm_model_words[race->model],
                        sm_model_needs[race->model]);
    sm_buffer_print(&text, " (%s).", evidence);
    free(title);
    free(evidence);
    add_story(&text, &race->story, race->witness);
    return text.data;
}

/* Related locations and stacks must be distinct. */
static void add_distinct(json_t *array, json_t *item)
{
    size_t i;
    const json_t *other;
    bool known = false;
    json_array_foreach(array, i, other) known |= json_equal(other, item);
    if (!known)
        json_array_append(array, item);
    json_decref(item);
}

static void add_places(json_t *result, const struct sm_access *accesses, size_t n)
{
    json_t *locations = json_array(), *related = json_array(), *stacks = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct sm_access *access = &accesses[i];
        const struct sm_place *place = sm_voice_user_place(access);
        if (!place->file)
            continue;
        json_t *text = json_sprintf("%s by thread %u", access->kind, access->thread);
        add_distinct(json_array_size(locations) ? related : locations,
                     sm_sarif_location(place->file, place->line, place->column, text));
        if (access->stack.n)
            add_distinct(stacks, sm_sarif_stack(access));
    }
    json_object_set_new(result, "locations", locations);
    json_object_set_new(result, "relatedLocations", related);
    json_object_set_new(result, "stacks", stacks);
}

/* GitHub refuses a file with a result that has no location. An exit status has no place: it gets
   the last one of the witness, or that of the program. */
static void locate(json_t *result, json_t *place)
{
    json_t *locations = json_object_get(result, "locations");
    if (!locations)
        json_object_set_new(result, "locations", locations = json_array());
    if (place && !json_array_size(locations))
        json_array_append(locations, place);
    json_decref(place);
}

static void add_witness(json_t *result, const struct sm_results *results, const char *path,
                        const json_t *command)
{
    struct sm_witness witness;
    if (sm_results_witness(results, path, &witness)) {
        json_t *flows = sm_sarif_code_flows(&witness);
        if (flows)
            json_object_set_new(result, "codeFlows", flows);
        locate(result, sm_sarif_last_place(&witness));
        sm_witness_free(&witness);
    }
    const char *program = json_string_value(json_array_get(json_object_get(command, "target"), 0));
    locate(result, sm_sarif_location(program ? program : "?", 1, 0, json_string("the program")));
}

static void add_fixes(json_t *result, const struct sm_cure_found *cure)
{
    json_t *fixes = sm_sarif_fixes(cure);
    if (fixes)
        json_object_set_new(result, "fixes", fixes);
}

/* The id of a race is made of names: it stays the same when lines move. */
static json_t *result_json(const char *rule, int index, const char *level, const char *message,
                           const char *fingerprint)
{
    return json_pack("{s:s, s:i, s:s, s:{s:o}, s:{s:o}}", "ruleId", rule, "ruleIndex", index,
                     "level", level, "message", "text", sm_json_text(message),
                     "partialFingerprints", "stalemate/v1", sm_json_text(fingerprint));
}

static json_t *race_json(const struct sm_results *results, const struct sm_results_hunt *hunt,
                         const struct sm_hunt_race *race)
{
    char *rule = sm_print("race/%s", sm_verdict_words[race->verdict]);
    char *message = message_of(hunt, race);
    json_t *result =
        result_json(rule, (int)race->verdict, level_of(race->verdict), message, race->id);
    free(rule);
    free(message);
    add_places(result, race->accesses, race->n_accesses);
    add_witness(result, results, race->witness, hunt->json);
    add_fixes(result, race->cure);
    return result;
}

/* The failing place first, then the further ones. */
static void add_failure_places(json_t *result, const struct sm_failure *failure)
{
    struct sm_access places[1 + SM_HARM_PLACES] = {{.place = failure->place,
                                                    .kind = sm_failure_words[failure->kind],
                                                    .thread = failure->thread,
                                                    .stack = failure->stack}};
    size_t n = 1;
    for (uint32_t i = 0; i < failure->n_related && i < SM_HARM_PLACES; i++)
        places[n++] = (struct sm_access){.place = failure->related[i].place,
                                         .kind = failure->related[i].role,
                                         .thread = failure->related[i].thread,
                                         .stack = failure->related[i].stack};
    add_places(result, places, n);
}

static json_t *failure_json(const struct sm_results *results, const struct sm_results_hunt *hunt,
                            const struct sm_hunt_failure *loose)
{
    const struct sm_place *place = &loose->failure.place;
    const char *kind = sm_failure_words[loose->failure.kind];
    struct sm_buffer text = {0};
    sm_buffer_print(&text, "%s fails under %s%s: %s", hunt->target, sm_model_words[loose->model],
                    loose->model == SM_MODEL_SC ? ", without a stale value" : "", kind);
    add_story(&text, &loose->story, loose->witness);
    char *name = sm_print("%s %s", kind, place->function ? place->function : "");
    char *rule = failure_rule_id(loose->failure.kind);
    json_t *result = result_json(rule, FAILURE_RULES + (int)loose->failure.kind - 1,
                                 severity_of(loose->failure.kind), text.data, name);
    free(name);
    free(rule);
    sm_buffer_free(&text);
    add_failure_places(result, &loose->failure);
    add_witness(result, results, loose->witness, hunt->json);
    add_fixes(result, loose->cure);
    return result;
}

static json_t *warning_json(const struct sm_failure *warning)
{
    const char *kind = sm_failure_words[warning->kind];
    const char *function = warning->place.function;
    char *text = sm_print("%s: %s. %s.", kind, warning->detail, sm_failure_advice[warning->kind]);
    char *name = sm_print("%s %s", kind, function ? function : "");
    char *rule = failure_rule_id(warning->kind);
    json_t *result = result_json(rule, FAILURE_RULES + (int)warning->kind - 1,
                                 severity_of(warning->kind), text, name);
    free(text);
    free(name);
    free(rule);
    add_failure_places(result, warning);
    return result;
}

static json_t *finding_json(const struct sm_results *results, const struct sm_results_other *other,
                            const struct sm_finding *finding)
{
    char *rule = sm_finding_rule_id(finding->rule);
    struct sm_buffer text = {0};
    sm_buffer_print(&text, "%s: %s.", other->target, finding->message);
    add_story(&text, &(struct sm_list){0}, finding->witness);
    json_t *result = result_json(rule, FINDING_RULES + (int)finding->rule,
                                 sm_finding_rules[finding->rule].level, text.data, finding->id);
    sm_buffer_free(&text);
    free(rule);
    add_places(result, finding->accesses, finding->n_accesses);
    add_witness(result, results, finding->witness, other->json);
    return result;
}

static json_t *results_json(const struct sm_results *results)
{
    json_t *list = json_array();
    for (size_t i = 0; i < results->n_hunts; i++) {
        const struct sm_results_hunt *hunt = &results->hunts[i];
        for (size_t k = 0; k < hunt->report.n_races; k++)
            json_array_append_new(list, race_json(results, hunt, &hunt->report.races[k]));
        for (size_t k = 0; k < hunt->report.n_failures; k++)
            json_array_append_new(list, failure_json(results, hunt, &hunt->report.failures[k]));
        for (size_t k = 0; k < hunt->report.n_warnings; k++)
            json_array_append_new(list, warning_json(&hunt->report.warnings[k].failure));
    }
    for (size_t i = 0; i < results->n_others; i++) {
        const struct sm_results_other *other = &results->others[i];
        for (size_t k = 0; k < other->findings.n; k++)
            json_array_append_new(list, finding_json(results, other, &other->findings.items[k]));
    }
    return list;
}

bool sm_report_results_sarif(const struct sm_results *results, const char *path,
                             struct sm_error *error)
{
    json_t *json = json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:s, s:o}]}", "$schema",
                             "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0",
                             "runs", "tool", "driver", "name", "Stalemate", "version", SM_VERSION,
                             "rules", rules_json(), "columnKind", "unicodeCodePoints", "results",
                             results_json(results));
    bool ok = sm_json_write(json, path, error);
    json_decref(json);
    return ok;
}
