/* The records of a witness, for the script of the page. */
#include "report/html.h"

#include <stdlib.h>

#include "findings/json.h"
#include "findings/story.h"
#include "report/events.h"
#include "target/symbols.h"

/* A row is some 40 bytes: two megabytes of page. */
enum { MOST_EVENTS = 50000 };

enum { INITIAL = -1, PARTS = -2 }; /* page.js has the same */

static bool has_value(const struct sm_record *record)
{
    return sm_is_store(record) || sm_is_read(record);
}

static json_t *value_json(const struct sm_record *record)
{
    struct sm_buffer text = {0};
    if (!has_value(record))
        return json_null();
    sm_record_value(record, &text);
    json_t *json = json_string(text.data);
    sm_buffer_free(&text);
    return json;
}

static json_t *origin_json(const struct sm_witness *witness, const struct sm_record *record)
{
    bool reads = sm_is_read(record) || record->kind == SM_EV_RMW || record->kind == SM_EV_PART ||
                 record->kind == SM_EV_FLUSH;
    if (reads && record->rf == SM_RF_INITIAL)
        return json_integer(INITIAL);
    if (reads && record->rf == SM_RF_PARTS)
        return json_integer(PARTS);
    return reads && record->rf < witness->n_records ? json_integer((json_int_t)record->rf)
                                                    : json_null();
}

static json_int_t missed_store(const struct sm_witness *witness, size_t i)
{
    size_t missed = sm_event_missed(witness, i);
    return missed == witness->n_records ? -1 : (json_int_t)missed;
}

static json_t *event_json(const struct sm_witness *witness, size_t i)
{
    const struct sm_record *record = &witness->records[i];
    json_int_t site = record->site == SM_NO_SITE ? -1 : (json_int_t)record->site;
    char *address = sm_print("%lx", (unsigned long)record->addr);
    json_t *json = json_pack("[i, i, I, o, i, o, I, s]", (int)record->thread, record->kind, site,
                             value_json(record), record->flags, origin_json(witness, record),
                             missed_store(witness, i), address);
    free(address);
    return json;
}

static json_t *sites_json(const struct sm_witness *witness)
{
    json_t *sites = json_object();
    for (uint32_t i = 0; i < witness->sites.n; i++) {
        const struct sm_site_row *row = &witness->sites.rows[i];
        char key[16], *function = sm_demangle(row->function);
        snprintf(key, sizeof key, "%u", row->number);
        json_object_set_new(sites, key,
                            json_pack("[o, i, o, o]", sm_json_text(row->file), (int)row->line,
                                      sm_json_text(function), sm_json_text(row->variable)));
        free(function);
    }
    return sites;
}

static json_t *kinds_json(void)
{
    json_t *kinds = json_array();
    for (int kind = 0; kind < SM_EVENTS; kind++)
        json_array_append_new(kinds, json_string(sm_event_word((uint8_t)kind)));
    return kinds;
}

/* What happens-before has beside program order, as pairs of numbers. */
struct edge_pairs {
    json_t *pairs;
    size_t first;
};

static void add_edge(void *context, uint32_t before, uint32_t after)
{
    struct edge_pairs *edges = context;
    if (before >= edges->first)
        json_array_append_new(edges->pairs,
                              json_pack("[I, I]", (json_int_t)before, (json_int_t)after));
}

static json_t *edges_json(const struct sm_witness *witness, size_t first)
{
    struct edge_pairs edges = {json_array(), first};
    sm_event_edges(witness, add_edge, &edges);
    return edges.pairs;
}

json_t *sm_html_trace(const struct sm_witness *witness)
{
    size_t n = witness->n_records, first = n > MOST_EVENTS ? n - MOST_EVENTS : 0;
    json_t *events = json_array();
    for (size_t i = first; i < n; i++)
        json_array_append_new(events, event_json(witness, i));
    return json_pack("{s:I, s:I, s:i, s:o, s:o, s:o, s:o}", "first", (json_int_t)first, "lost",
                     (json_int_t)witness->records_lost, "threads", (int)sm_event_threads(witness),
                     "events", events, "edges", edges_json(witness, first), "kinds", kinds_json(),
                     "sites", sites_json(witness));
}
