/* The records of a witness, for the script of the page. */
#include "report/html.h"

#include <stdlib.h>

#include "base/words.h"
#include "findings/json.h"
#include "findings/story.h"
#include "findings/voice.h"
#include "findings/why.h"
#include "report/events.h"

/* A row is some 30 bytes: a megabyte and a half of page. Only a few reasons are ever read. */
enum { MOST_EVENTS = 50000, MOST_REASONS = 64 };

enum { INITIAL = -1, PARTS = -2 }; /* page/trace.js has the same */

/* ---- events ---- */

static int by_address(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Addresses are long and few: rows refer to this list by index. */
struct addresses {
    uint64_t *items;
    size_t n;
};

static struct addresses list_addresses(const struct sm_witness *witness, size_t first)
{
    size_t n = witness->n_records - first;
    struct addresses list = {sm_new((n + 1) * sizeof *list.items), 0};
    for (size_t i = 0; i < n; i++)
        list.items[i] = witness->records[first + i].addr;
    qsort(list.items, n, sizeof *list.items, by_address);
    for (size_t i = 0; i < n; i++)
        if (!i || list.items[i] != list.items[i - 1])
            list.items[list.n++] = list.items[i];
    return list;
}

static json_int_t address_number(const struct addresses *list, uint64_t address)
{
    const uint64_t *at = bsearch(&address, list->items, list->n, sizeof *list->items, by_address);
    return at ? (json_int_t)(at - list->items) : -1;
}

static json_t *addresses_json(const struct addresses *list)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list->n; i++) {
        char text[24];
        snprintf(text, sizeof text, "%lx", (unsigned long)list->items[i]);
        json_array_append_new(array, json_string(text));
    }
    return array;
}

static json_t *value_json(const struct sm_record *record)
{
    struct sm_buffer text = {0};
    if (!sm_is_store(record) && !sm_is_read(record))
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

/* Under sc no store can be missed. */
static json_int_t missed_store(const struct sm_witness *witness, size_t i)
{
    size_t missed =
        witness->options.model == SM_MODEL_SC ? witness->n_records : sm_event_missed(witness, i);
    return missed == witness->n_records ? -1 : (json_int_t)missed;
}

/* The thread that is created or joined. */
static json_int_t other_thread(const struct sm_record *record)
{
    return record->kind == SM_EV_SPAWN || record->kind == SM_EV_JOIN ? (json_int_t)record->old : -1;
}

/* Repeated texts: rows refer to the list by index, -1 for none. */
struct said {
    json_t *list, *places; /* places: by key */
};

static json_int_t say(struct said *said, const char *key, json_t *what)
{
    json_t *place = json_object_get(said->places, key);
    if (place) {
        json_decref(what);
        return json_integer_value(place);
    }
    json_int_t number = (json_int_t)json_array_size(said->list);
    if (json_object_set_new(said->places, key, json_integer(number)) != 0) { /* not UTF-8 */
        json_decref(what);
        return -1;
    }
    json_array_append_new(said->list, what);
    return number;
}

static json_int_t place_number(struct said *places, const struct sm_witness *witness, size_t i)
{
    struct sm_place place = sm_voice_place(witness, i);
    json_int_t number = -1;
    if (place.file) {
        char *key = sm_print("%u %s", place.line, place.file);
        number = say(places, key,
                     json_pack("[o, i, o]", sm_json_text(place.file), (int)place.line,
                               sm_json_text(place.function)));
        free(key);
    }
    sm_place_free(&place);
    return number;
}

static json_int_t name_number(struct said *names, const struct sm_witness *witness, size_t i)
{
    const char *name = sm_voice_memory(witness, i);
    return *name ? say(names, name, sm_json_text(name)) : -1;
}

struct rows {
    struct addresses addresses;
    struct said places, names;
};

static json_t *event_json(const struct sm_witness *witness, size_t i, struct rows *rows)
{
    const struct sm_record *record = &witness->records[i];
    return json_pack("[i, i, I, o, i, o, I, I, I, I]", (int)record->thread, record->kind,
                     place_number(&rows->places, witness, i), value_json(record), record->flags,
                     origin_json(witness, record), missed_store(witness, i),
                     address_number(&rows->addresses, record->addr), other_thread(record),
                     name_number(&rows->names, witness, i));
}

static json_t *events_json(const struct sm_witness *witness, size_t first, struct rows *rows)
{
    json_t *events = json_array();
    for (size_t i = first; i < witness->n_records; i++)
        json_array_append_new(events, event_json(witness, i, rows));
    return events;
}

static json_t *starts_json(const struct sm_witness *witness, uint32_t n_threads)
{
    json_t *starts = json_array();
    for (uint32_t thread = 0; thread < n_threads; thread++)
        json_array_append_new(starts, sm_json_text(sm_voice_start(witness, thread)));
    return starts;
}

/* ---- order ---- */

/* The edges of happens-before besides program order, as pairs of numbers. */
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

/* For the graph, which is drawn only for small executions. */
static json_t *modification_json(const struct sm_witness *witness, size_t first)
{
    enum { MOST_IN_GRAPH = 2000 };
    struct edge_pairs edges = {json_array(), first};
    if (witness->n_records <= MOST_IN_GRAPH)
        sm_event_modification_order(witness, add_edge, &edges);
    return edges.pairs;
}

/* ---- reasons ---- */

static void add_reason(json_t *reasons, const struct sm_reasons *of, size_t i)
{
    struct sm_why why = sm_why(of, i);
    char key[24];
    snprintf(key, sizeof key, "%zu", i);
    if (why.kind != SM_WHY_NOT)
        json_object_set_new(reasons, key,
                            json_pack("{s:i, s:I, s:I, s:I, s:I, s:o}", "kind", (int)why.kind,
                                      "from", (json_int_t)why.from, "to", (json_int_t)why.to,
                                      "release", (json_int_t)why.release, "acquire",
                                      (json_int_t)why.acquire, "lines", sm_json_lines(&why.lines)));
    sm_list_free(&why.lines);
}

/* Of surprising reads; in an execution without a lie, of the racing accesses. */
static json_t *reasons_json(const struct sm_witness *witness, size_t first)
{
    json_t *reasons = json_object();
    struct sm_reasons *of = sm_reasons_open(witness);
    for (int races = 0; races < 2 && !json_object_size(reasons); races++)
        for (size_t i = first; i < witness->n_records && json_object_size(reasons) < MOST_REASONS;
             i++)
            if (races ? (witness->records[i].flags & SM_RECORD_LIED) != 0
                      : missed_store(witness, i) >= 0 || sm_event_surprise(witness, i))
                add_reason(reasons, of, i);
    sm_reasons_close(of);
    return reasons;
}

/* ---- the end ---- */

static json_t *end_json(const struct sm_witness *witness)
{
    return json_pack("{s:o, s:o, s:o, s:I, s:i}", "kind", sm_json_text(witness->failure_kind),
                     "detail", sm_json_text(witness->failure_detail), "place",
                     sm_json_place(&witness->place), "thread", (json_int_t)witness->end_thread,
                     "status", (int)(int32_t)witness->status);
}

json_t *sm_html_trace(const struct sm_witness *witness)
{
    size_t n = witness->n_records, first = n > MOST_EVENTS ? n - MOST_EVENTS : 0;
    uint32_t n_threads = sm_event_threads(witness);
    struct rows rows = {.addresses = list_addresses(witness, first),
                        .places = {json_array(), json_object()},
                        .names = {json_array(), json_object()}};
    json_t *events = events_json(witness, first, &rows);
    json_t *json = json_pack("{s:s, s:I, s:I, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                             "model", sm_model_words[witness->options.model], "first",
                             (json_int_t)first, "lost", (json_int_t)witness->records_lost,
                             "threads", (int)n_threads, "starts", starts_json(witness, n_threads),
                             "events", events, "edges", edges_json(witness, first), "modification",
                             modification_json(witness, first), "places", rows.places.list, "names",
                             rows.names.list, "addresses", addresses_json(&rows.addresses),
                             "reasons", reasons_json(witness, first), "end", end_json(witness));
    json_decref(rows.places.places);
    json_decref(rows.names.places);
    free(rows.addresses.items);
    return json;
}
