#include "report/events.h"

#include <stdlib.h>

#include "base/words.h"
#include "findings/story.h"
#include "findings/voice.h"

/* A store that was delayed in its thread's buffer. */
static const struct sm_record *landing(const struct sm_witness *witness,
                                       const struct sm_record *record)
{
    return record->kind == SM_EV_FLUSH && record->rf < witness->n_records
               ? &witness->records[record->rf]
               : NULL;
}

void sm_event_label(const struct sm_witness *witness, size_t i, struct sm_buffer *to)
{
    const struct sm_record *record = &witness->records[i], *store = landing(witness, record);
    const char *memory = sm_voice_memory(witness, store ? (size_t)record->rf : i);
    sm_buffer_text(to, sm_event_word(record->kind));
    if (*memory)
        sm_buffer_print(to, " %s", memory);
    if (sm_is_access(record)) {
        sm_buffer_text(to, " = ");
        sm_record_value(record, to);
    }
    if (store)
        sm_buffer_print(to, " of #%lu", (unsigned long)record->rf + 1);
    if (record->kind == SM_EV_SPAWN || record->kind == SM_EV_JOIN)
        sm_buffer_print(to, " thread %lu", (unsigned long)record->old);
}

size_t sm_event_missed(const struct sm_witness *witness, size_t i)
{
    const struct sm_record *record = &witness->records[i];
    if (!sm_is_read(record) || !(record->flags & SM_RECORD_LIED))
        return witness->n_records;
    return sm_missed_store(witness, i);
}

size_t sm_event_source(const struct sm_witness *witness, size_t i)
{
    const struct sm_record *record = &witness->records[i];
    bool reads = sm_is_read(record) || record->kind == SM_EV_RMW;
    return reads && record->rf < witness->n_records ? record->rf : witness->n_records;
}

size_t sm_event_sources(const struct sm_witness *witness, size_t i,
                        size_t sources[SM_EVENT_SOURCES])
{
    const struct sm_record *records = witness->records;
    size_t n = 0;
    sources[n++] = sm_event_source(witness, i);
    if (records[i].rf != SM_RF_PARTS)
        return n;
    n = 0;
    for (size_t part = i + 1;
         part < witness->n_records && records[part].kind == SM_EV_PART && n < SM_EVENT_SOURCES;
         part++)
        sources[n++] =
            records[part].rf < witness->n_records ? records[part].rf : witness->n_records;
    return n;
}

const char *sm_event_surprise(const struct sm_witness *witness, size_t i)
{
    size_t source = sm_event_source(witness, i);
    if (source > i && source != witness->n_records)
        return "a value from the future";
    return sm_event_missed(witness, i) != witness->n_records ? "not the newest value" : NULL;
}

uint32_t sm_event_threads(const struct sm_witness *witness)
{
    uint32_t n = 0;
    for (size_t i = 0; i < witness->n_records; i++)
        if (witness->records[i].thread >= n)
            n = witness->records[i].thread + 1;
    return n;
}

void sm_event_edges(const struct sm_witness *witness, sm_edge_seen *see, void *context)
{
    struct sm_check_options options = sm_check_options_of(witness);
    sm_check_edges(witness->records, witness->n_records, &options, see, context);
}

void sm_event_modification_order(const struct sm_witness *witness, sm_edge_seen *see, void *context)
{
    struct sm_check_options options = sm_check_options_of(witness);
    sm_check_modification_order(witness->records, witness->n_records, &options, see, context);
}

/* ---- all witnesses ---- */

struct witness_walk {
    const struct sm_results *results;
    sm_witness_seen *see;
    void *context;
};

static void look_at(const struct witness_walk *walk, const char *target, const char *name,
                    const char *path)
{
    struct sm_witness witness;
    if (!sm_results_witness(walk->results, path, &witness))
        return;
    char *title = sm_print("%s: %s", target, name);
    walk->see(walk->context, title, &witness);
    free(title);
    sm_witness_free(&witness);
}

void sm_results_each_witness(const struct sm_results *results, sm_witness_seen *see, void *context)
{
    struct witness_walk walk = {results, see, context};
    for (size_t i = 0; i < results->n_hunts; i++) {
        const struct sm_hunt_report *report = &results->hunts[i].report;
        for (size_t k = 0; k < report->n_races; k++)
            look_at(&walk, results->hunts[i].target, report->races[k].variable,
                    report->races[k].witness);
        for (size_t k = 0; k < report->n_failures; k++)
            look_at(&walk, results->hunts[i].target,
                    sm_failure_words[report->failures[k].failure.kind],
                    report->failures[k].witness);
    }
    for (size_t i = 0; i < results->n_others; i++)
        for (size_t k = 0; k < results->others[i].findings.n; k++)
            look_at(&walk, results->others[i].target, results->others[i].findings.items[k].name,
                    results->others[i].findings.items[k].witness);
}
