/* A badge as SVG: "races | 2 destructive". Widths are estimated by the number of characters. */
#include "base/write.h"
#include "report/results.h"

enum { CHARACTER = 7, MARGIN = 10, HEIGHT = 20 };

struct badge {
    size_t bad, races;
};

static struct badge count(const struct sm_results *results)
{
    struct badge badge = {0};
    for (size_t i = 0; i < results->n_hunts; i++) {
        const struct sm_hunt_report *report = &results->hunts[i].report;
        badge.bad += sm_hunt_count(report, SM_VERDICT_DESTRUCTIVE) + report->n_failures;
        badge.races += report->n_races;
    }
    for (size_t i = 0; i < results->n_others; i++)
        for (size_t k = 0; k < results->others[i].findings.n; k++)
            badge.bad += sm_finding_rules[results->others[i].findings.items[k].rule].bad;
    return badge;
}

static void add_half(struct sm_buffer *to, int x, int width, const char *color, const char *text)
{
    sm_buffer_print(to,
                    "  <rect x=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n"
                    "  <text x=\"%d\" y=\"14\" fill=\"#fff\" text-anchor=\"middle\" "
                    "font-family=\"Verdana, sans-serif\" font-size=\"11\">%s</text>\n",
                    x, width, HEIGHT, color, x + width / 2, text);
}

bool sm_report_results_badge(const struct sm_results *results, const char *path,
                             struct sm_error *error)
{
    static const char label[] = "stalemate";
    struct badge badge = count(results);
    struct sm_buffer text = {0}, words = {0};
    if (badge.bad)
        sm_buffer_print(&words, "%zu bad finding%s", badge.bad, badge.bad == 1 ? "" : "s");
    else if (badge.races)
        sm_buffer_print(&words, "%zu race%s, none destructive", badge.races,
                        badge.races == 1 ? "" : "s");
    else
        sm_buffer_text(&words, "nothing found");
    int left = CHARACTER * (int)(sizeof label - 1) + MARGIN;
    int right = CHARACTER * (int)words.size + MARGIN;
    sm_buffer_print(&text,
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                    "role=\"img\" aria-label=\"%s: %s\">\n",
                    left + right, HEIGHT, label, words.data);
    add_half(&text, 0, left, "#444", label);
    add_half(&text, left, right,
             badge.bad     ? "#b3261e"
             : badge.races ? "#8a6d00"
                           : "#1b7f3b",
             words.data);
    sm_buffer_text(&text, "</svg>\n");
    bool ok = sm_write_text(&text, path, error);
    sm_buffer_free(&words);
    sm_buffer_free(&text);
    return ok;
}
