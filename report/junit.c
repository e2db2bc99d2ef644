/* JUnit XML: a suite for each result, a test case for each racy variable and each finding. */
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "base/write.h"
#include "report/results.h"

/* XML 1.0 cannot represent most control characters; bytes that are not UTF-8 were replaced when the
   result was stored. */
static void add_escaped(struct sm_buffer *to, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (strchr("<>&\"'\n\t", c))
            sm_buffer_print(to, "&#%u;", c);
        else
            sm_buffer_text(to, c < 0x20 ? "?" : (char[]){*text, 0});
    }
}

static void add_attribute(struct sm_buffer *to, const char *name, const char *value)
{
    sm_buffer_print(to, " %s=\"", name);
    add_escaped(to, value);
    sm_buffer_text(to, "\"");
}

static void add_story(struct sm_buffer *to, const struct sm_list *story, const char *witness)
{
    for (size_t i = 0; i < story->n; i++) {
        add_escaped(to, story->items[i]);
        sm_buffer_text(to, "\n");
    }
    if (!witness)
        return;
    sm_buffer_text(to, "replay with: stalemate replay ");
    add_escaped(to, witness);
    sm_buffer_text(to, "\n");
}

static void add_failure(struct sm_buffer *to, const struct sm_failure *failure,
                        const struct sm_list *story, const char *witness)
{
    sm_buffer_text(to, "      <failure");
    add_attribute(to, "type", sm_failure_words[failure->kind]);
    add_attribute(to, "message", failure->detail ? failure->detail : "");
    sm_buffer_text(to, ">");
    add_story(to, story, witness);
    sm_buffer_text(to, "</failure>\n");
}

static void open_case(struct sm_buffer *to, const char *target, const char *name)
{
    sm_buffer_text(to, "    <testcase");
    add_attribute(to, "classname", target);
    add_attribute(to, "name", name);
}

static void add_race(struct sm_buffer *to, const char *target, const struct sm_hunt_race *race)
{
    /* Without lines: CI identifies a test by its name. */
    char *name = sm_print("race on %s", race->variable);
    open_case(to, target, name);
    free(name);
    sm_buffer_text(to, ">\n");
    if (race->verdict == SM_VERDICT_DESTRUCTIVE) {
        add_failure(to, &race->failure, &race->story, race->witness);
    } else if (race->verdict == SM_VERDICT_UNDECIDED) {
        sm_buffer_text(to, "      <skipped");
        add_attribute(to, "message", sm_verdict_meanings[race->verdict]);
        sm_buffer_text(to, "/>\n");
    }
    sm_buffer_text(to, "      <system-out>");
    char *evidence = sm_hunt_race_evidence(race);
    sm_buffer_print(to, "%s: %s; %s", sm_verdict_words[race->verdict],
                    sm_verdict_meanings[race->verdict], evidence);
    free(evidence);
    sm_buffer_text(to, "</system-out>\n    </testcase>\n");
}

static void add_loose(struct sm_buffer *to, const char *target, size_t number,
                      const struct sm_hunt_failure *failure)
{
    char *name = sm_print("failure %zu under %s", number, sm_model_words[failure->model]);
    open_case(to, target, name);
    free(name);
    sm_buffer_text(to, ">\n");
    add_failure(to, &failure->failure, &failure->story, failure->witness);
    sm_buffer_text(to, "    </testcase>\n");
}

struct counts {
    size_t tests, failures, skipped;
};

static void open_suite(struct sm_buffer *to, const char *target, const char *finished,
                       double seconds, struct counts counts)
{
    sm_buffer_text(to, "  <testsuite");
    add_attribute(to, "name", target);
    sm_buffer_print(to, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\"",
                    counts.tests, counts.failures, counts.skipped);
    /* "2026-01-31 12:00:00" in the form of the schema. */
    sm_buffer_print(to, " timestamp=\"%.10sT%s\" time=\"%.3f\">\n", finished,
                    strlen(finished) > 11 ? finished + 11 : "00:00:00", seconds);
}

static void add_suite(struct sm_buffer *to, const struct sm_results_hunt *hunt)
{
    const struct sm_hunt_report *report = &hunt->report;
    open_suite(to, hunt->target, hunt->finished, report->seconds,
               (struct counts){.tests = report->n_races + report->n_failures,
                               .failures = sm_hunt_count(report, SM_VERDICT_DESTRUCTIVE) +
                                           report->n_failures,
                               .skipped = sm_hunt_count(report, SM_VERDICT_UNDECIDED)});
    for (size_t i = 0; i < report->n_races; i++)
        add_race(to, hunt->target, &report->races[i]);
    for (size_t i = 0; i < report->n_failures; i++)
        add_loose(to, hunt->target, i + 1, &report->failures[i]);
    sm_buffer_text(to, "  </testsuite>\n");
}

static void add_finding(struct sm_buffer *to, const char *target, const struct sm_finding *finding)
{
    char *rule = sm_finding_rule_id(finding->rule), *name = sm_print("%s: %s", rule, finding->name);
    open_case(to, target, name);
    sm_buffer_text(to, ">\n");
    if (sm_finding_rules[finding->rule].bad) {
        sm_buffer_text(to, "      <failure");
        add_attribute(to, "type", rule);
        add_attribute(to, "message", finding->message);
        sm_buffer_text(to, ">");
        add_story(to, &(struct sm_list){0}, finding->witness);
        sm_buffer_text(to, "</failure>\n");
    }
    sm_buffer_text(to, "    </testcase>\n");
    free(name);
    free(rule);
}

/* One without findings is a test that passed. */
static void add_other(struct sm_buffer *to, const struct sm_results_other *other)
{
    const struct sm_findings_list *list = &other->findings;
    struct counts counts = {.tests = list->n ? list->n : 1};
    for (size_t i = 0; i < list->n; i++)
        counts.failures += sm_finding_rules[list->items[i].rule].bad;
    open_suite(to, other->target, other->finished,
               json_number_value(json_object_get(other->json, "seconds")), counts);
    for (size_t i = 0; i < list->n; i++)
        add_finding(to, other->target, &list->items[i]);
    if (!list->n) {
        open_case(to, other->target, list->summary);
        sm_buffer_text(to, "/>\n");
    }
    sm_buffer_text(to, "  </testsuite>\n");
}

bool sm_report_results_junit(const struct sm_results *results, const char *path,
                             struct sm_error *error)
{
    struct sm_buffer text = {0};
    sm_buffer_text(&text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                          "<testsuites name=\"stalemate\">\n");
    for (size_t i = 0; i < results->n_hunts; i++)
        add_suite(&text, &results->hunts[i]);
    for (size_t i = 0; i < results->n_others; i++)
        add_other(&text, &results->others[i]);
    sm_buffer_text(&text, "</testsuites>\n");
    bool ok = sm_write_text(&text, path, error);
    sm_buffer_free(&text);
    return ok;
}
