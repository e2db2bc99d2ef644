#include "report/html.h"

#include <stdlib.h>
#include <string.h>

#include "base/write.h"
#include "findings/json.h"
#include "report/page.h"

/* What is gathered for the page while the results are walked. */
struct page {
    const struct sm_results *results;
    json_t *sources;
    struct sm_list directories; /* where the programs were started */
};

/* ---- data ---- */

static void want_access(struct page *page, const struct sm_access *access)
{
    enum { AROUND = 3 };
    sm_html_want_lines(page->sources, access->place.file, access->place.line, AROUND);
}

static void add_trace(struct page *page, json_t *witnesses, const char *path)
{
    enum { AROUND = 2 };
    struct sm_witness witness;
    if (!sm_results_witness(page->results, path, &witness))
        return;
    sm_list_add(&page->directories, witness.directory);
    for (uint32_t i = 0; i < witness.sites.n; i++)
        sm_html_want_lines(page->sources, witness.sites.rows[i].file, witness.sites.rows[i].line,
                           AROUND);
    json_object_set_new(witnesses, path, sm_html_trace(&witness));
    sm_witness_free(&witness);
}

static json_t *hunt_json(struct page *page, const struct sm_results_hunt *hunt)
{
    const struct sm_hunt_report *report = &hunt->report;
    json_t *witnesses = json_object();
    for (size_t i = 0; i < report->n_races; i++) {
        const struct sm_hunt_race *race = &report->races[i];
        for (size_t k = 0; k < race->n_accesses; k++)
            want_access(page, &race->accesses[k]);
        add_trace(page, witnesses, race->witness);
    }
    for (size_t i = 0; i < report->n_failures; i++)
        add_trace(page, witnesses, report->failures[i].witness);
    return json_pack("{s:o, s:o, s:O, s:o}", "target", sm_json_text(hunt->target), "finished",
                     sm_json_text(hunt->finished), "result", hunt->json, "witnesses", witnesses);
}

static json_t *other_json(struct page *page, const struct sm_results_other *other)
{
    json_t *witnesses = json_object(), *findings = json_array();
    for (size_t i = 0; i < other->findings.n; i++) {
        const struct sm_finding *finding = &other->findings.items[i];
        for (size_t k = 0; k < finding->n_accesses; k++)
            want_access(page, &finding->accesses[k]);
        add_trace(page, witnesses, finding->witness);
        json_array_append_new(findings, sm_finding_json(finding));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:O, s:o}", "target", sm_json_text(other->target),
                     "finished", sm_json_text(other->finished), "summary",
                     sm_json_text(other->findings.summary), "findings", findings, "result",
                     other->json, "witnesses", witnesses);
}

static json_t *meanings_json(void)
{
    json_t *meanings = json_object();
    for (int i = 0; i < SM_VERDICTS; i++)
        json_object_set_new(meanings, sm_verdict_words[i], json_string(sm_verdict_meanings[i]));
    json_object_set_new(meanings, "failure",
                        json_string("the program fails under sc: an unlucky interleaving is "
                                    "enough, no stale value is needed"));
    return meanings;
}

static json_t *page_json(const struct sm_results *results)
{
    struct page page = {.results = results, .sources = json_object()};
    json_t *hunts = json_array();
    for (size_t i = 0; i < results->n_hunts; i++)
        json_array_append_new(hunts, hunt_json(&page, &results->hunts[i]));
    json_t *others = json_array();
    for (size_t i = 0; i < results->n_others; i++)
        json_array_append_new(others, other_json(&page, &results->others[i]));
    sm_html_read_lines(page.sources, &page.directories);
    sm_list_free(&page.directories);
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "version", SM_VERSION, "meanings",
                     meanings_json(), "hunts", hunts, "others", others, "sources", page.sources);
}

/* ---- text ---- */

/* Nothing in the data may end the script element it stands in; '<' is only ever in strings. */
static void add_data(struct sm_buffer *to, const struct sm_results *results)
{
    json_t *json = page_json(results);
    char *text = json_dumps(json, JSON_COMPACT);
    for (const char *from = text; *from;) {
        size_t length = strcspn(from, "<");
        sm_buffer_add(to, from, length);
        from += length;
        if (*from) {
            sm_buffer_text(to, "\\u003c");
            from++;
        }
    }
    free(text);
    json_decref(json);
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
    sm_buffer_text(&text, sm_page_js);
    sm_buffer_text(&text, rest);
    bool ok = sm_write_text(&text, path, error);
    sm_buffer_free(&text);
    return ok;
}
