#include "report/html.h"

#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "base/write.h"
#include "findings/json.h"
#include "findings/story.h"
#include "report/page.h"

/* Data collected for the page from the results. */
struct page {
    const struct sm_results *results;
    json_t *sources;
    json_t *witnesses;          /* by path: number of its script element, -1 if it cannot be read */
    struct sm_list traces;      /* JSON of each */
    struct sm_list directories; /* where the programs were started */
};

/* ---- data ---- */

static void want_access(struct page *page, const struct sm_access *access)
{
    enum { AROUND = 3 };
    sm_html_want_lines(page->sources, access->place.file, access->place.line, AROUND);
}

static bool add_trace(struct page *page, const char *path)
{
    enum { AROUND = 6 };
    struct sm_witness witness;
    if (!path || json_object_get(page->witnesses, path))
        return false;
    if (!sm_results_witness(page->results, path, &witness))
        return false;
    sm_list_add(&page->directories, witness.directory);
    sm_html_want_lines(page->sources, witness.place.file, witness.place.line, AROUND);
    for (uint32_t i = 0; i < witness.sites.n; i++)
        sm_html_want_lines(page->sources, witness.sites.rows[i].file, witness.sites.rows[i].line,
                           AROUND);
    for (size_t i = 0; i < witness.n_calls; i++)
        sm_html_want_lines(page->sources, witness.calls[i].place.file, witness.calls[i].place.line,
                           AROUND);
    json_t *json = sm_html_trace(&witness);
    char *text = json_dumps(json, JSON_COMPACT);
    json_object_set_new(page->witnesses, path, json_integer((json_int_t)page->traces.n));
    sm_list_add(&page->traces, text);
    free(text);
    json_decref(json);
    sm_witness_free(&witness);
    return true;
}

/* With the execution without lies, if the hunt has left one. */
static void add_witness(struct page *page, const char *path)
{
    if (!add_trace(page, path))
        return;
    char *newest = sm_witness_newest(path);
    add_trace(page, newest);
    free(newest);
}

static json_t *hunt_json(struct page *page, const struct sm_results_hunt *hunt)
{
    const struct sm_hunt_report *report = &hunt->report;
    for (size_t i = 0; i < report->n_races; i++) {
        const struct sm_hunt_race *race = &report->races[i];
        for (size_t k = 0; k < race->n_accesses; k++)
            want_access(page, &race->accesses[k]);
        add_witness(page, race->witness);
    }
    for (size_t i = 0; i < report->n_failures; i++)
        add_witness(page, report->failures[i].witness);
    return json_pack("{s:o, s:o, s:O}", "target", sm_json_text(hunt->target), "finished",
                     sm_json_text(hunt->finished), "result", hunt->json);
}

/* Those of `verify --examples`. */
static void add_examples(struct page *page, const json_t *result)
{
    size_t i;
    const json_t *outcome;
    json_array_foreach(json_object_get(result, "outcomes"), i, outcome)
        add_trace(page, json_string_value(json_object_get(outcome, "witness")));
}

static json_t *other_json(struct page *page, const struct sm_results_other *other)
{
    json_t *findings = json_array();
    add_examples(page, other->json);
    for (size_t i = 0; i < other->findings.n; i++) {
        const struct sm_finding *finding = &other->findings.items[i];
        for (size_t k = 0; k < finding->n_accesses; k++)
            want_access(page, &finding->accesses[k]);
        add_witness(page, finding->witness);
        json_array_append_new(findings, sm_finding_json(finding));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:O}", "target", sm_json_text(other->target), "finished",
                     sm_json_text(other->finished), "summary",
                     sm_json_text(other->findings.summary), "findings", findings, "result",
                     other->json);
}

static json_t *meanings_json(void)
{
    json_t *meanings = json_object();
    for (int i = 0; i < SM_VERDICTS; i++)
        json_object_set_new(meanings, sm_verdict_words[i], json_string(sm_verdict_meanings[i]));
    json_object_set_new(meanings, "failure",
                        json_string("the program fails under sc: an unlucky interleaving is "
                                    "enough, on every machine"));
    return meanings;
}

static json_t *models_json(void)
{
    json_t *models = json_object();
    for (int i = 0; i < SM_MODELS; i++)
        json_object_set_new(models, sm_model_words[i], json_string(sm_model_needs[i]));
    return models;
}

static json_t *kinds_json(void)
{
    json_t *kinds = json_array();
    for (int kind = 0; kind < SM_EVENTS; kind++)
        json_array_append_new(kinds, json_string(sm_event_word((uint8_t)kind)));
    return kinds;
}

static json_t *page_json(struct page *page)
{
    const struct sm_results *results = page->results;
    json_t *hunts = json_array();
    for (size_t i = 0; i < results->n_hunts; i++)
        json_array_append_new(hunts, hunt_json(page, &results->hunts[i]));
    json_t *others = json_array();
    for (size_t i = 0; i < results->n_others; i++)
        json_array_append_new(others, other_json(page, &results->others[i]));
    sm_html_read_lines(page->sources, &page->directories);
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:O, s:O}", "version", SM_VERSION, "meanings",
                     meanings_json(), "models", models_json(), "kinds", kinds_json(), "hunts",
                     hunts, "others", others, "sources", page->sources, "witnesses",
                     page->witnesses);
}

/* ---- text ---- */

/* Nothing in the data may end its script element; '<' occurs only in strings. */
static void add_json(struct sm_buffer *to, const char *id, const char *text)
{
    sm_buffer_print(to, "<script type=\"application/json\" id=\"%s\">", id);
    while (*text) {
        size_t length = strcspn(text, "<");
        sm_buffer_add(to, text, length);
        text += length;
        if (*text) {
            sm_buffer_text(to, "\\u003c");
            text++;
        }
    }
    sm_buffer_text(to, "</script>\n");
}

/* Each witness has its own element, which is parsed when it is opened. */
static void add_data(struct sm_buffer *to, const struct sm_results *results)
{
    struct page page = {.results = results, .sources = json_object(), .witnesses = json_object()};
    json_t *json = page_json(&page);
    char *text = json_dumps(json, JSON_COMPACT);
    add_json(to, "data", text);
    for (size_t i = 0; i < page.traces.n; i++) {
        char id[32];
        snprintf(id, sizeof id, "witness-%zu", i);
        add_json(to, id, page.traces.items[i]);
    }
    free(text);
    json_decref(json);
    json_decref(page.sources);
    json_decref(page.witnesses);
    sm_list_free(&page.traces);
    sm_list_free(&page.directories);
}

/* Adds the page up to the mark, and returns the rest. */
static const char *add_until(struct sm_buffer *to, const char *page, const char *mark)
{
    const char *at = strstr(page, mark);
    sm_buffer_add(to, page, (size_t)(at - page));
    return at + strlen(mark);
}

bool sm_report_results_html(const struct sm_results *results, const char *path,
                            struct sm_error *error)
{
    struct sm_buffer text = {0};
    const char *rest = add_until(&text, sm_page_html, "@STYLE@");
    sm_buffer_text(&text, sm_page_css);
    rest = add_until(&text, rest, "@DATA@");
    add_data(&text, results);
    rest = add_until(&text, rest, "@SCRIPT@");
    for (size_t i = 0; sm_page_scripts[i]; i++)
        sm_buffer_text(&text, sm_page_scripts[i]);
    sm_buffer_text(&text, rest);
    bool ok = sm_write_text(&text, path, error);
    sm_buffer_free(&text);
    return ok;
}
