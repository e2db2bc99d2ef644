/*
 * Workflow commands of GitHub Actions: a line for each finding, which the service shows next to the
 * source line. The errors come first: the service shows ten of each level and step.
 */
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "base/write.h"
#include "findings/voice.h"
#include "report/results.h"

/* Of a property: what ends one is encoded. */
static void add_encoded(struct sm_buffer *to, const char *text, const char *special)
{
    for (; *text; text++)
        if (strchr(special, *text))
            sm_buffer_print(to, "%%%02X", (unsigned char)*text);
        else
            sm_buffer_add(to, text, 1);
}

static void annotate(struct sm_buffer *to, const char *level, const struct sm_place *place,
                     const char *title, const char *message)
{
    sm_buffer_print(to, "::%s ", level);
    if (place && place->file && place->line) {
        sm_buffer_text(to, "file=");
        add_encoded(to, place->file, "%\r\n:,");
        sm_buffer_print(to, ",line=%u,", place->line);
    }
    sm_buffer_text(to, "title=");
    add_encoded(to, title, "%\r\n:,");
    sm_buffer_text(to, "::");
    add_encoded(to, message, "%\r\n");
    sm_buffer_text(to, "\n");
}

static char *story_of(const char *first, const struct sm_list *story)
{
    struct sm_buffer text = {0};
    sm_buffer_text(&text, first);
    for (size_t i = 0; i < story->n; i++)
        sm_buffer_print(&text, "\n%s", story->items[i]);
    return text.data;
}

static void annotate_race(struct sm_buffer *to, const struct sm_hunt_race *race)
{
    bool bad = race->verdict == SM_VERDICT_DESTRUCTIVE;
    char *title = sm_hunt_race_title(race);
    char *message = story_of(bad ? sm_voice_model(race->model) : sm_verdict_meanings[race->verdict],
                             &race->story);
    annotate(to,
             bad                               ? "error"
             : race->verdict == SM_VERDICT_QOS ? "warning"
                                               : "notice",
             race->n_accesses ? sm_voice_user_place(&race->accesses[0]) : NULL, title, message);
    free(message);
    free(title);
}

static void annotate_hunt(struct sm_buffer *to, const struct sm_hunt_report *report, bool errors)
{
    for (size_t i = 0; i < report->n_races; i++)
        if ((report->races[i].verdict == SM_VERDICT_DESTRUCTIVE) == errors)
            annotate_race(to, &report->races[i]);
    for (size_t i = 0; errors && i < report->n_failures; i++) {
        const struct sm_hunt_failure *failure = &report->failures[i];
        char *message = story_of(failure->failure.detail, &failure->story);
        annotate(to, "error", &failure->failure.place, sm_failure_words[failure->failure.kind],
                 message);
        free(message);
    }
}

static void annotate_other(struct sm_buffer *to, const struct sm_findings_list *list, bool errors)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct sm_finding *finding = &list->items[i];
        if (sm_finding_rules[finding->rule].bad == errors)
            annotate(to, errors ? "error" : "notice",
                     finding->n_accesses ? sm_voice_user_place(&finding->accesses[0]) : NULL,
                     finding->name, finding->message);
    }
}

bool sm_report_results_annotations(const struct sm_results *results, const char *path,
                                   struct sm_error *error)
{
    struct sm_buffer text = {0};
    sm_buffer_text(&text, "");
    for (int errors = 1; errors >= 0; errors--) {
        for (size_t i = 0; i < results->n_hunts; i++)
            annotate_hunt(&text, &results->hunts[i].report, errors);
        for (size_t i = 0; i < results->n_others; i++)
            annotate_other(&text, &results->others[i].findings, errors);
    }
    bool ok = sm_write_text(&text, path, error);
    sm_buffer_free(&text);
    return ok;
}
