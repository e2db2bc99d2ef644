/*
 * The execution of a violation, in the terminal: its events in an order in which they can have
 * happened, each with its thread and its place, each read with the write it read from. Of a long
 * one only the end: the page of `stalemate report --html` shows all of it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/repair.h"
#include "findings/story.h"
#include "findings/verify.h"
#include "findings/voice.h"
#include "report/events.h"

enum { MOST_SHOWN = 60 };

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

/* Memory order, and whether the read missed a store: with these the cause can be seen. */
static void add_strength(const struct sm_witness *witness, size_t i, struct sm_buffer *label)
{
    const struct sm_record *record = &witness->records[i];
    bool atomic = record->kind == SM_EV_ATOMIC_LOAD || record->kind == SM_EV_ATOMIC_STORE ||
                  record->kind == SM_EV_RMW || record->kind == SM_EV_CAS_FAIL ||
                  record->kind == SM_EV_FENCE;
    if (atomic && record->order < SM_ORDERS)
        sm_buffer_print(label, ", %s", sm_order_words[record->order]);
    if (sm_is_read(record) && sm_missed_store(witness, i) != witness->n_records)
        sm_buffer_text(label, ", not the newest");
}

static int widest_label(const struct sm_witness *witness)
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
        fprintf(to, "%-36s %s:%u", label.data, place.file, place.line);
    else
        fputs(label.data, to);
    fputc('\n', to);
    free(label.data);
    sm_place_free(&place);
}

void sm_report_verify_graph(const struct sm_witness *witness, FILE *to)
{
    bool *matters = sm_events_that_matter(witness);
    size_t first = witness->n_records, shown = 0;
    int width = widest_label(witness);
    while (first > 0 && shown < MOST_SHOWN)
        shown += matters[--first];
    if (first > 0)
        fprintf(to, "  the last %d events that matter, of %zu:\n", MOST_SHOWN, witness->n_records);
    for (size_t i = first; i < witness->n_records; i++)
        if (matters[i])
            put_event(witness, i, width, to);
    free(matters);
}
