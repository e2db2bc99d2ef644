/*
 * DOT, for Graphviz: each witness a cluster, its events in the order of each thread, with an arrow
 * from the store of another thread that a read saw (blue; red where that is surprising), a dashed
 * one from the newest if that is another, and what synchronisation adds to happens-before (green).
 * Only the last 500 events that matter: dot takes minutes for more, and the graph would be
 * unreadable.
 */
#include <stdlib.h>
#include <string.h>

#include "base/write.h"
#include "report/events.h"

enum { MOST_DOT_NODES = 500 };

struct dot {
    struct sm_buffer *to;
    const struct sm_witness *witness;
    int cluster;
    bool *shown; /* by event */
};

static void add_quoted(struct sm_buffer *to, const char *text)
{
    sm_buffer_text(to, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            sm_buffer_text(to, "\\");
        sm_buffer_add(to, text, 1);
    }
    sm_buffer_text(to, "\"");
}

static void add_node(struct dot *dot, size_t i)
{
    const struct sm_record *record = &dot->witness->records[i];
    const struct sm_site_row *row = sm_sites_find(&dot->witness->sites, record->site);
    struct sm_buffer label = {0};
    sm_buffer_print(&label, "#%zu ", i + 1);
    sm_event_label(dot->witness, i, &label);
    if (row)
        sm_buffer_print(&label, ", line %u", row->line);
    sm_buffer_print(dot->to, "    w%d_%zu [label=", dot->cluster, i);
    add_quoted(dot->to, label.data);
    sm_buffer_print(dot->to, ", group=w%d_t%u%s];\n", dot->cluster, record->thread,
                    sm_event_surprise(dot->witness, i) ? ", color=red, penwidth=2" : "");
    sm_buffer_free(&label);
}

static void add_arrow(struct dot *dot, size_t from, size_t to, const char *style)
{
    size_t n = dot->witness->n_records;
    if (from < n && to < n && dot->shown[from] && dot->shown[to])
        sm_buffer_print(dot->to, "    w%d_%zu -> w%d_%zu [%s];\n", dot->cluster, from, dot->cluster,
                        to, style);
}

static void add_order(void *context, uint32_t before, uint32_t after)
{
    add_arrow(context, before, after, "color=darkgreen, constraint=false");
}

/* What a read saw of other threads; its own thread's stores are already above it. */
static void add_sources(struct dot *dot, size_t i)
{
    const struct sm_record *records = dot->witness->records;
    size_t sources[SM_EVENT_SOURCES], n = sm_event_sources(dot->witness, i, sources);
    bool surprise = sm_event_surprise(dot->witness, i);
    for (size_t k = 0; k < n; k++)
        if (surprise)
            add_arrow(dot, sources[k], i, "color=red, label=saw, constraint=false");
        else if (sources[k] < dot->witness->n_records &&
                 records[sources[k]].thread != records[i].thread)
            add_arrow(dot, sources[k], i, "color=blue, constraint=false");
    if (surprise || n > 1 || sources[0] < dot->witness->n_records)
        add_arrow(dot, sm_event_missed(dot->witness, i), i,
                  "style=dashed, label=\"did not see\", constraint=false");
}

/* The last events that matter. */
static void choose(struct dot *dot)
{
    size_t n = 0;
    dot->shown = sm_events_that_matter(dot->witness);
    for (size_t i = dot->witness->n_records; i-- > 0;)
        n += dot->shown[i] = dot->shown[i] && n < MOST_DOT_NODES;
}

static void add_program_order(struct dot *dot)
{
    uint32_t threads = sm_event_threads(dot->witness);
    size_t none = dot->witness->n_records, *last = sm_new((threads + 1) * sizeof *last);
    for (uint32_t thread = 0; thread < threads; thread++)
        last[thread] = none;
    for (size_t i = 0; i < none; i++) {
        if (!dot->shown[i])
            continue;
        uint32_t thread = dot->witness->records[i].thread;
        add_arrow(dot, last[thread], i, "color=gray");
        last[thread] = i;
    }
    free(last);
}

static void add_witness(void *context, const char *title, const struct sm_witness *witness)
{
    struct dot *dot = context;
    dot->witness = witness;
    dot->cluster++;
    choose(dot);
    sm_buffer_print(dot->to, "  subgraph cluster_%d {\n    label=", dot->cluster);
    add_quoted(dot->to, title);
    sm_buffer_text(dot->to, ";\n");
    for (size_t i = 0; i < witness->n_records; i++) {
        if (!dot->shown[i])
            continue;
        add_node(dot, i);
        add_sources(dot, i);
    }
    add_program_order(dot);
    sm_event_edges(witness, add_order, dot);
    sm_buffer_text(dot->to, "  }\n");
    free(dot->shown);
}

bool sm_report_results_dot(const struct sm_results *results, const char *path,
                           struct sm_error *error)
{
    struct sm_buffer text = {0};
    struct dot dot = {.to = &text};
    sm_buffer_text(&text, "digraph stalemate {\n  node [shape=box, fontname=monospace];\n");
    sm_results_each_witness(results, add_witness, &dot);
    sm_buffer_text(&text, "}\n");
    bool ok = sm_write_text(&text, path, error);
    sm_buffer_free(&text);
    return ok;
}
