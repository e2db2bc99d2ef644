/*
 * Chrome trace events, which Perfetto (ui.perfetto.dev) and chrome://tracing open: a process for
 * each witness, a track for each thread, a microsecond for each event. Flows lead from a store to
 * the surprising read that saw it, and along what synchronisation adds to happens-before.
 */
#include <stdlib.h>

#include "findings/json.h"
#include "findings/voice.h"
#include "report/events.h"

struct chrome {
    json_t *events;
    const struct sm_witness *witness;
    int process, flows;
};

static void add_name(struct chrome *chrome, const char *what, uint32_t thread, json_t *name)
{
    json_array_append_new(chrome->events,
                          json_pack("{s:s, s:s, s:i, s:i, s:{s:o}}", "ph", "M", "name", what, "pid",
                                    chrome->process, "tid", (int)thread, "args", "name", name));
}

static void add_thread(struct chrome *chrome, uint32_t thread)
{
    struct sm_buffer label = {0};
    sm_voice_thread_label(&label, chrome->witness, thread);
    add_name(chrome, "thread_name", thread, sm_json_text(label.data));
    sm_buffer_free(&label);
}

static void add_event(struct chrome *chrome, size_t i)
{
    const struct sm_record *record = &chrome->witness->records[i];
    const struct sm_site_row *row = sm_sites_find(&chrome->witness->sites, record->site);
    struct sm_buffer label = {0};
    sm_event_label(chrome->witness, i, &label);
    json_t *arguments = json_pack("{s:I}", "event", (json_int_t)i + 1);
    if (row && row->line)
        json_object_set_new(arguments, "place",
                            json_sprintf("%s:%u (%s)", row->file, row->line, row->function));
    json_array_append_new(chrome->events,
                          json_pack("{s:s, s:o, s:s, s:i, s:i, s:I, s:i, s:o}", "ph", "X", "name",
                                    sm_json_text(label.data), "cat",
                                    sm_event_surprise(chrome->witness, i) ? "surprise" : "event",
                                    "pid", chrome->process, "tid", (int)record->thread, "ts",
                                    (json_int_t)i, "dur", 1, "args", arguments));
    sm_buffer_free(&label);
}

static void add_flow(struct chrome *chrome, const char *name, size_t from, size_t to)
{
    static const char *const ends[] = {"s", "f"};
    const size_t at[] = {from, to};
    int id = ++chrome->flows;
    for (int i = 0; i < 2; i++)
        json_array_append_new(chrome->events,
                              json_pack("{s:s, s:s, s:s, s:i, s:i, s:i, s:I, s:s}", "ph", ends[i],
                                        "name", name, "cat", name, "id", id, "pid", chrome->process,
                                        "tid", (int)chrome->witness->records[at[i]].thread, "ts",
                                        (json_int_t)at[i], "bp", "e"));
}

static void add_order(void *context, uint32_t before, uint32_t after)
{
    add_flow(context, "happens-before", before, after);
}

static void add_witness(void *context, const char *title, const struct sm_witness *witness)
{
    struct chrome *chrome = context;
    chrome->witness = witness;
    chrome->process++;
    add_name(chrome, "process_name", 0, sm_json_text(title));
    for (uint32_t thread = 0; thread < sm_event_threads(witness); thread++)
        add_thread(chrome, thread);
    for (size_t i = 0; i < witness->n_records; i++) {
        add_event(chrome, i);
        size_t missed = sm_event_missed(witness, i), source = sm_event_source(witness, i);
        if (source != witness->n_records && sm_event_surprise(witness, i))
            add_flow(chrome, "saw", source, i);
        if (missed != witness->n_records)
            add_flow(chrome, "did not see", missed, i);
    }
    sm_event_edges(witness, add_order, chrome);
}

bool sm_report_results_trace(const struct sm_results *results, const char *path,
                             struct sm_error *error)
{
    struct chrome chrome = {.events = json_array()};
    sm_results_each_witness(results, add_witness, &chrome);
    /* No displayTimeUnit: Perfetto's importer would use it as the unit of the timestamps. */
    json_t *json = json_pack("{s:o}", "traceEvents", chrome.events);
    bool ok = sm_json_write(json, path, error);
    json_decref(json);
    return ok;
}
