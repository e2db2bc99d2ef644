/* Places, stacks and witnesses, for sarif.c. */
#include "report/sarif.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "findings/json.h"
#include "report/events.h"

/* A tenth of what GitHub takes: nobody reads more. */
enum { MOST_FLOW_STEPS = 1000 };

/* ---- places ---- */

static void add_encoded(struct sm_buffer *to, const char *path)
{
    static const char safe[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    for (; *path; path++) {
        if (strchr(safe, *path))
            sm_buffer_add(to, path, 1);
        else
            sm_buffer_print(to, "%%%02X", (unsigned char)*path);
    }
}

/* The part of the path below the working directory, or the path itself. */
static const char *below_here(const char *path)
{
    char *here = get_current_dir_name();
    size_t length = here ? strlen(here) : 0;
    if (length && strncmp(path, here, length) == 0 && path[length] == '/')
        path += length + 1;
    free(here);
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    return path;
}

static json_t *artifact_json(const char *file)
{
    struct sm_buffer uri = {0};
    const char *path = below_here(file);
    bool relative = path[0] != '/';
    sm_buffer_text(&uri, relative ? "" : "file://");
    add_encoded(&uri, path);
    json_t *json = json_pack("{s:s}", "uri", uri.data);
    if (relative)
        json_object_set_new(json, "uriBaseId", json_string("%SRCROOT%"));
    sm_buffer_free(&uri);
    return json;
}

json_t *sm_sarif_location(const char *file, uint32_t line, uint32_t column, json_t *message)
{
    json_t *region = json_pack("{s:i}", "startLine", line ? (int)line : 1);
    if (column)
        json_object_set_new(region, "startColumn", json_integer(column));
    json_t *json = json_pack("{s:{s:o, s:o}}", "physicalLocation", "artifactLocation",
                             artifact_json(file), "region", region);
    if (message)
        json_object_set_new(json, "message", json_pack("{s:o}", "text", message));
    return json;
}

json_t *sm_sarif_stack(const struct sm_access *access)
{
    json_t *frames = json_array();
    for (uint32_t i = 0; i < access->stack.n; i++) {
        const struct sm_place *place = &access->stack.frames[i];
        if (!place->file)
            continue;
        json_t *name = sm_json_text(place->function ? place->function : "?");
        json_array_append_new(
            frames, json_pack("{s:o}", "location",
                              sm_sarif_location(place->file, place->line, place->column, name)));
    }
    char *text = sm_print("%s by thread %u", access->kind, access->thread);
    json_t *json = json_pack("{s:{s:s}, s:o}", "message", "text", text, "frames", frames);
    free(text);
    return json;
}

/* ---- the witness ---- */

/* By event, owned: the last MOST_FLOW_STEPS that matter and have a place. */
static bool *choose_steps(const struct sm_witness *witness)
{
    bool *chosen = sm_events_that_matter(witness);
    size_t n = 0;
    for (size_t i = witness->n_records; i-- > 0;) {
        const struct sm_site_row *row = sm_sites_find(&witness->sites, witness->records[i].site);
        n += chosen[i] = chosen[i] && row && row->line && n < MOST_FLOW_STEPS;
    }
    return chosen;
}

static json_t *step_json(const struct sm_witness *witness, size_t i)
{
    const struct sm_record *record = &witness->records[i];
    const struct sm_site_row *row = sm_sites_find(&witness->sites, record->site);
    const char *surprise = sm_event_surprise(witness, i);
    struct sm_buffer text = {0};
    sm_buffer_print(&text, "thread %u: ", record->thread);
    sm_event_label(witness, i, &text);
    if (surprise)
        sm_buffer_print(&text, ", %s", surprise);
    json_t *json = json_pack(
        "{s:o, s:I, s:s}", "location",
        sm_sarif_location(row->file, row->line, row->column, sm_json_text(text.data)),
        "executionOrder", (json_int_t)i + 1, "importance", surprise ? "essential" : "important");
    sm_buffer_free(&text);
    return json;
}

static json_t *thread_flow_json(const struct sm_witness *witness, uint32_t thread,
                                const bool *chosen)
{
    json_t *steps = json_array();
    for (size_t i = 0; i < witness->n_records; i++)
        if (witness->records[i].thread == thread && chosen[i])
            json_array_append_new(steps, step_json(witness, i));
    if (!json_array_size(steps)) {
        json_decref(steps);
        return NULL;
    }
    char *id = sm_print("thread %u", thread);
    json_t *json = json_pack("{s:s, s:o}", "id", id, "locations", steps);
    free(id);
    return json;
}

json_t *sm_sarif_last_place(const struct sm_witness *witness)
{
    for (size_t i = witness->n_records; i-- > 0;) {
        const struct sm_site_row *row = sm_sites_find(&witness->sites, witness->records[i].site);
        if (row && row->line)
            return sm_sarif_location(row->file, row->line, row->column,
                                     json_string("the last event with a place"));
    }
    return NULL;
}

json_t *sm_sarif_code_flows(const struct sm_witness *witness)
{
    json_t *flows = json_array();
    uint32_t n_threads = sm_event_threads(witness);
    bool *chosen = choose_steps(witness);
    for (uint32_t thread = 0; thread < n_threads; thread++) {
        json_t *flow = thread_flow_json(witness, thread, chosen);
        if (flow)
            json_array_append_new(flows, flow);
    }
    free(chosen);
    if (json_array_size(flows))
        return json_pack("[{s:o}]", "threadFlows", flows);
    json_decref(flows);
    return NULL;
}
