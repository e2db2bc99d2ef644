/* Places, stacks and witnesses, for sarif.c. */
#include "report/sarif.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "findings/json.h"
#include "findings/voice.h"
#include "report/events.h"
#include "target/symbols.h"

/* A tenth of what GitHub accepts: nobody reads more. */
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

/* The path without "." and "..", relative if it is below the working directory; to be freed. */
static char *normal_path(const char *file)
{
    char *here = get_current_dir_name();
    bool leaves = strncmp(file, "../", 3) == 0 || strstr(file, "/../");
    char *path =
        *file != '/' && leaves && here ? sm_print("%s/%s", here, file) : sm_copy_text(file);
    sm_simplify_path(path);
    const char *below = path;
    size_t length = here ? strlen(here) : 0;
    if (length && strncmp(path, here, length) == 0 && path[length] == '/')
        below += length + 1;
    while (strncmp(below, "./", 2) == 0)
        below += 2;
    char *result = sm_copy_text(below);
    free(path);
    free(here);
    return result;
}

json_t *sm_sarif_artifact(const char *file)
{
    struct sm_buffer uri = {0};
    char *path = normal_path(file);
    bool relative = path[0] != '/';
    sm_buffer_text(&uri, relative ? "" : "file://");
    add_encoded(&uri, path);
    json_t *json = json_pack("{s:s}", "uri", uri.data);
    if (relative)
        json_object_set_new(json, "uriBaseId", json_string("%SRCROOT%"));
    sm_buffer_free(&uri);
    free(path);
    return json;
}

json_t *sm_sarif_location(const char *file, uint32_t line, uint32_t column, json_t *message)
{
    json_t *region = json_pack("{s:i}", "startLine", line ? (int)line : 1);
    if (column)
        json_object_set_new(region, "startColumn", json_integer(column));
    json_t *json = json_pack("{s:{s:o, s:o}}", "physicalLocation", "artifactLocation",
                             sm_sarif_artifact(file), "region", region);
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

static bool has_place(const struct sm_witness *witness, size_t i)
{
    struct sm_place place = sm_voice_place(witness, i);
    bool has = place.file && place.line;
    sm_place_free(&place);
    return has;
}

/* By event, owned: the last MOST_FLOW_STEPS that matter and have a place; how many were left out.
 */
static bool *choose_steps(const struct sm_witness *witness, size_t *left_out)
{
    bool *chosen = sm_events_that_matter(witness);
    size_t n = 0;
    *left_out = 0;
    for (size_t i = witness->n_records; i-- > 0;) {
        if (!chosen[i] || (n < MOST_FLOW_STEPS && !has_place(witness, i))) {
            chosen[i] = false;
            continue;
        }
        chosen[i] = n < MOST_FLOW_STEPS;
        *left_out += !chosen[i];
        n += chosen[i];
    }
    return chosen;
}

static json_t *step_json(const struct sm_witness *witness, size_t i)
{
    struct sm_place place = sm_voice_place(witness, i);
    const char *surprise = sm_event_surprise(witness, i);
    struct sm_buffer text = {0};
    sm_voice_thread_label(&text, witness, witness->records[i].thread);
    sm_buffer_text(&text, ": ");
    sm_event_label(witness, i, &text);
    if (surprise)
        sm_buffer_print(&text, ", %s", surprise);
    json_t *json = json_pack(
        "{s:o, s:I, s:s}", "location",
        sm_sarif_location(place.file, place.line, place.column, sm_json_text(text.data)),
        "executionOrder", (json_int_t)i + 1, "importance", surprise ? "essential" : "important");
    sm_buffer_free(&text);
    sm_place_free(&place);
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
    struct sm_buffer id = {0};
    sm_voice_thread_label(&id, witness, thread);
    json_t *json = json_pack("{s:o, s:o}", "id", sm_json_text(id.data), "locations", steps);
    sm_buffer_free(&id);
    return json;
}

json_t *sm_sarif_last_place(const struct sm_witness *witness)
{
    for (size_t i = witness->n_records; i-- > 0;) {
        struct sm_place place = sm_voice_place(witness, i);
        json_t *json = place.file && place.line
                           ? sm_sarif_location(place.file, place.line, place.column,
                                               json_string("the last event with a place"))
                           : NULL;
        sm_place_free(&place);
        if (json)
            return json;
    }
    return NULL;
}

/* The reader must know that steps are missing. */
static json_t *flow_message(size_t left_out)
{
    struct sm_buffer text = {0};
    if (!left_out) {
        sm_buffer_text(&text, "the execution, by threads");
    } else {
        sm_buffer_text(&text, "the end of the execution, by threads: ");
        sm_voice_count(&text, left_out);
        sm_buffer_text(&text, " earlier events are left out; stalemate report --html shows them");
    }
    json_t *json = json_pack("{s:s}", "text", text.data);
    sm_buffer_free(&text);
    return json;
}

json_t *sm_sarif_code_flows(const struct sm_witness *witness)
{
    json_t *flows = json_array();
    uint32_t n_threads = sm_event_threads(witness);
    size_t left_out;
    bool *chosen = choose_steps(witness, &left_out);
    for (uint32_t thread = 0; thread < n_threads; thread++) {
        json_t *flow = thread_flow_json(witness, thread, chosen);
        if (flow)
            json_array_append_new(flows, flow);
    }
    free(chosen);
    if (json_array_size(flows))
        return json_pack("[{s:o, s:o}]", "message", flow_message(left_out), "threadFlows", flows);
    json_decref(flows);
    return NULL;
}
