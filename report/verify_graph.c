/*
 * The execution of a violation, in the terminal: its events in a possible order, each with its
 * thread and its place, each read with the write it read from. Of a long one only the end is shown;
 * the page of `stalemate report --html` shows all of it.
 */
#include <stdlib.h>
#include <string.h>

#include "abi/library_name.h"
#include "base/repair.h"
#include "findings/story.h"
#include "findings/verify.h"
#include "findings/voice.h"
#include "findings/why.h"
#include "report/events.h"

enum { MOST_SHOWN = 60, WIDEST_LABEL = 56 };

static void add_sources(const struct sm_witness *witness, size_t i, struct sm_buffer *label)
{
    size_t sources[SM_EVENT_SOURCES], n = sm_event_sources(witness, i, sources);
    for (size_t k = 0; k < n; k++) {
        sm_buffer_text(label, k == 0 ? " from " : " and ");
        if (sources[k] < witness->n_records)
            sm_buffer_print(label, "#%zu", sources[k] + 1);
        else
            sm_buffer_text(label, "the start");
    }
}

/* Memory order, and whether the read missed a store: these show the cause. */
static void add_strength(const struct sm_witness *witness, size_t i, struct sm_buffer *label)
{
    const struct sm_record *record = &witness->records[i];
    if ((sm_is_atomic(record) || record->kind == SM_EV_FENCE) && record->order < SM_ORDERS)
        sm_buffer_print(label, ", %s", sm_order_words[record->order]);
    if (sm_is_read(record) && sm_missed_store(witness, i) != witness->n_records)
        sm_buffer_text(label, ", not the newest");
}

/* What the library does inside a call, as with the arguments of a std::thread. */
static bool is_in_library(const struct sm_witness *witness, size_t i)
{
    const struct sm_record *record = &witness->records[i];
    struct sm_place place = sm_voice_place(witness, i);
    bool memory = record->kind == SM_EV_ALLOC || record->kind == SM_EV_FREE;
    bool inside = place.file ? sm_library_file(place.file) : memory;
    if (sm_is_access(record) || memory)
        inside |= sm_voice_callee(witness, i) && !sm_voice_type(witness, i);
    sm_place_free(&place);
    return inside;
}

/* Unless there is nothing else to show. */
static void drop_library(const struct sm_witness *witness, bool *matters)
{
    size_t own = 0;
    bool *inside = sm_new(witness->n_records + 1);
    for (size_t i = 0; i < witness->n_records; i++) {
        inside[i] = matters[i] && is_in_library(witness, i);
        own += matters[i] && !inside[i] && sm_is_access(&witness->records[i]);
    }
    for (size_t i = 0; own && i < witness->n_records; i++)
        matters[i] &= !inside[i];
    free(inside);
}

static int widest_start(const struct sm_witness *witness)
{
    size_t widest = 0;
    for (uint32_t thread = 0; thread < sm_event_threads(witness); thread++) {
        size_t length = strlen(sm_voice_start(witness, thread));
        widest = length > widest ? length : widest;
    }
    return widest > 24 ? 24 : (int)widest;
}

static void put_event(const struct sm_witness *witness, size_t i, int width, FILE *to)
{
    const struct sm_record *record = &witness->records[i];
    struct sm_place place = sm_voice_place(witness, i);
    struct sm_buffer label = {0};
    sm_event_label(witness, i, &label);
    if (sm_is_read(record) || record->kind == SM_EV_RMW)
        add_sources(witness, i, &label);
    add_strength(witness, i, &label);
    fprintf(to, "  #%-4zu thread %-2u %-*.*s  ", i + 1, record->thread, width, width,
            sm_voice_start(witness, record->thread));
    if (place.file)
        fprintf(to, "%-*s %s:%u", WIDEST_LABEL, label.data, place.file, place.line);
    else
        fputs(label.data, to);
    fputc('\n', to);
    free(label.data);
    sm_place_free(&place);
}

/* How the failure, which was already printed, came about, and what would have prevented it. */
static void put_story(const struct sm_witness *witness, FILE *to)
{
    struct sm_list lines = {0};
    sm_story_tell(witness, "it", &lines);
    for (size_t i = 0; i + 1 < lines.n; i++)
        fprintf(to, "    %s\n", lines.items[i]);
    sm_list_free(&lines);
    size_t publication = witness->n_records;
    struct sm_reasons *reasons = sm_reasons_open(witness);
    char *remedy = sm_why_remedy(reasons, &publication);
    if (remedy)
        fprintf(to, "  what to do: %s\n", remedy);
    free(remedy);
    sm_reasons_close(reasons);
}

void sm_report_verify_graph(const struct sm_witness *witness, FILE *to)
{
    bool *matters = sm_events_that_matter(witness);
    size_t first = witness->n_records, shown = 0;
    int width = widest_start(witness);
    drop_library(witness, matters);
    put_story(witness, to);
    while (first > 0 && shown < MOST_SHOWN)
        shown += matters[--first];
    if (first > 0)
        fprintf(to, "  the last %d events that matter, of %zu:\n", MOST_SHOWN, witness->n_records);
    for (size_t i = first; i < witness->n_records; i++)
        if (matters[i])
            put_event(witness, i, width, to);
    free(matters);
}
