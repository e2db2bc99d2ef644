#include "findings/why.h"

#include <stdlib.h>
#include <string.h>

#include "checker/check.h"
#include "core/order.h"
#include "findings/story.h"
#include "findings/voice.h"

/* ---- happens-before ---- */

struct hb_edge {
    uint32_t before, after;
};

/* What a thread knows of each other thread: number + 1 of the last record that happens before; 0:
   none. It changes only where an edge arrives, so records share it. */
struct thread_knowledge {
    struct thread_knowledge *older;
    uint32_t at; /* record from which it holds */
    uint32_t last[];
};

struct sm_reasons {
    const struct sm_witness *witness;
    uint32_t n_threads;
    struct hb_edge *edges;
    size_t n_edges;
    struct thread_knowledge **known; /* by thread, the newest first */
};

static void add_edge(void *context, uint32_t before, uint32_t after)
{
    struct sm_reasons *reasons = context;
    if ((reasons->n_edges & (reasons->n_edges + 1)) == 0)
        reasons->edges =
            sm_resize(reasons->edges, 2 * (reasons->n_edges + 1) * sizeof *reasons->edges);
    reasons->edges[reasons->n_edges++] = (struct hb_edge){before, after};
}

static int by_end(const void *a, const void *b)
{
    const struct hb_edge *x = a, *y = b;
    return (x->after > y->after) - (x->after < y->after);
}

static const struct thread_knowledge *known_at(const struct sm_reasons *reasons, size_t record)
{
    const struct thread_knowledge *known = reasons->known[reasons->witness->records[record].thread];
    while (known && known->at > record)
        known = known->older;
    return known;
}

static void learn(struct sm_reasons *reasons, const struct hb_edge *edge)
{
    const struct sm_record *records = reasons->witness->records;
    uint32_t from = records[edge->before].thread, to = records[edge->after].thread;
    const struct thread_knowledge *theirs = known_at(reasons, edge->before);
    struct thread_knowledge *mine = sm_new(sizeof *mine + reasons->n_threads * sizeof *mine->last);
    mine->older = reasons->known[to];
    mine->at = edge->after;
    for (uint32_t t = 0; t < reasons->n_threads; t++) {
        uint32_t own = mine->older ? mine->older->last[t] : 0, other = theirs ? theirs->last[t] : 0;
        mine->last[t] = own > other ? own : other;
    }
    if (edge->before >= mine->last[from])
        mine->last[from] = edge->before + 1;
    reasons->known[to] = mine;
}

static uint32_t count_threads(const struct sm_witness *witness)
{
    uint32_t n = 0;
    for (size_t i = 0; i < witness->n_records; i++)
        if (witness->records[i].thread >= n)
            n = witness->records[i].thread + 1;
    return n;
}

struct sm_reasons *sm_reasons_open(const struct sm_witness *witness)
{
    struct sm_reasons *reasons = sm_new(sizeof *reasons);
    struct sm_check_options options = {.model = (enum sm_model_id)witness->options.model,
                                       .volatile_as =
                                           (enum sm_volatile_id)witness->options.volatile_as,
                                       .prescient = witness->options.prescient};
    reasons->witness = witness;
    reasons->n_threads = count_threads(witness);
    reasons->known = sm_new((reasons->n_threads + 1) * sizeof(struct thread_knowledge *));
    sm_check_edges(witness->records, witness->n_records, &options, add_edge, reasons);
    if (reasons->n_edges)
        qsort(reasons->edges, reasons->n_edges, sizeof *reasons->edges, by_end);
    for (size_t i = 0; i < reasons->n_edges; i++)
        learn(reasons, &reasons->edges[i]);
    return reasons;
}

void sm_reasons_close(struct sm_reasons *reasons)
{
    for (uint32_t t = 0; t < reasons->n_threads; t++)
        for (struct thread_knowledge *known = reasons->known[t], *older; known; known = older) {
            older = known->older;
            free(known);
        }
    free(reasons->known);
    free(reasons->edges);
    free(reasons);
}

/* Of two records, a the earlier one. */
static bool is_ordered(const struct sm_reasons *reasons, size_t a, size_t b)
{
    const struct sm_record *records = reasons->witness->records;
    const struct thread_knowledge *known = known_at(reasons, b);
    return records[a].thread == records[b].thread || (known && known->last[records[a].thread] > a);
}

/* ---- words ---- */

static void add_line(struct sm_why *why, struct sm_buffer *line)
{
    sm_list_add(&why->lines, line->data);
    sm_buffer_free(line);
}

static void put_place(const struct sm_witness *witness, size_t i, struct sm_buffer *to)
{
    struct sm_place place = sm_voice_place(witness, i);
    if (place.file)
        sm_voice_line(to, &place);
    else
        sm_buffer_print(to, "event %zu", i + 1);
    sm_place_free(&place);
}

static void put_name(const struct sm_witness *witness, size_t i, struct sm_buffer *to)
{
    const char *name = sm_voice_memory(witness, i);
    sm_buffer_text(to, *name ? name : "the variable");
}

/* "the store of ready at ring.c:14, thread 1 (producer)" */
static void put_access(const struct sm_witness *witness, size_t i, struct sm_buffer *to)
{
    const struct sm_record *record = &witness->records[i];
    sm_buffer_print(to, "the %s of ", sm_is_store(record) ? "store" : "read");
    put_name(witness, i, to);
    sm_buffer_text(to, " at ");
    put_place(witness, i, to);
    sm_buffer_text(to, ", ");
    sm_voice_thread(to, witness, record->thread);
}

static void say_unordered(const struct sm_witness *witness, struct sm_why *why)
{
    struct sm_buffer line = {0};
    put_access(witness, why->from, &line);
    line.data[0] = 'T';
    sm_buffer_text(&line, ", does not happen before ");
    put_access(witness, why->to, &line);
    sm_buffer_text(&line, ".");
    add_line(why, &line);
}

/* ---- the reasons ---- */

/* The FLUSH of a delayed store, n_records if it never left the buffer. */
static size_t flush_of(const struct sm_witness *witness, size_t store)
{
    size_t i = store + 1;
    while (i < witness->n_records &&
           !(witness->records[i].kind == SM_EV_FLUSH && witness->records[i].rf == store))
        i++;
    return i;
}

/* The first read before `read`, by its thread, of the store `missed` or of a later one of that
   thread: a flag is tested before the data it guards. n_records if there is none. */
static size_t relay(const struct sm_witness *witness, size_t read, size_t missed)
{
    const struct sm_record *records = witness->records;
    for (size_t i = missed + 1; i < read; i++) {
        bool reads = sm_is_read(&records[i]) || records[i].kind == SM_EV_RMW;
        if (reads && records[i].thread == records[read].thread && records[i].rf >= missed &&
            records[i].rf < i && records[records[i].rf].thread == records[missed].thread)
            return i;
    }
    return witness->n_records;
}

/* Appended to a sentence about the store. */
static void put_missing_orders(const struct sm_witness *witness, const struct sm_why *why,
                               struct sm_buffer *line)
{
    bool released = sm_order_releases(witness->records[why->release].order);
    bool acquired = sm_order_acquires(witness->records[why->acquire].order);
    if (acquired && !released) {
        sm_buffer_text(line, "A release store there makes the edge.");
        return;
    }
    sm_buffer_text(line, released && !acquired ? "The store releases: an acquire load at "
                                               : "A release store there and an acquire load at ");
    put_place(witness, why->acquire, line);
    sm_buffer_text(line, released && !acquired ? " makes the edge." : " make the edge.");
}

static void explain_relay(const struct sm_witness *witness, struct sm_why *why)
{
    struct sm_buffer line = {0};
    sm_voice_thread(&line, witness, witness->records[why->to].thread);
    line.data[0] = 'T';
    sm_buffer_text(&line, " has seen ");
    put_access(witness, why->release, &line);
    sm_buffer_text(&line, ", before, but the two do not synchronise. ");
    put_missing_orders(witness, why, &line);
    add_line(why, &line);
}

static void explain_nothing(const struct sm_witness *witness, struct sm_why *why)
{
    struct sm_buffer line = {0};
    sm_buffer_text(&line, "Lock one mutex around both, or let the second thread wait with an "
                          "acquire load for a release store that follows ");
    put_place(witness, why->from, &line);
    sm_buffer_text(&line, ".");
    add_line(why, &line);
}

/* A read of the writer, after its store and up to `end`, that misses what the reader stored before
   its own read: each thread tests the other's flag. n_records: none. */
static size_t looks_across(const struct sm_witness *witness, size_t read, size_t missed, size_t end)
{
    const struct sm_record *records = witness->records;
    for (size_t i = missed + 1; i < end; i++) {
        if (records[i].thread != records[missed].thread || !sm_is_read(&records[i]))
            continue;
        for (size_t k = 0; k < read; k++)
            if (records[k].thread == records[read].thread && sm_is_store(&records[k]) &&
                sm_is_same_memory(&records[k], &records[i]) &&
                (records[i].rf == SM_RF_INITIAL || records[i].rf < k))
                return i;
    }
    return witness->n_records;
}

/* Store buffering: does the reader store, before its read, what the writer reads after its store,
   unseen? */
static bool explain_store_buffering(const struct sm_witness *witness, struct sm_why *why)
{
    struct sm_buffer line = {0};
    size_t other = looks_across(witness, why->to, why->from, witness->n_records);
    if (other == witness->n_records)
        return false;
    sm_buffer_text(&line, "Put a seq_cst fence before the load at ");
    put_place(witness, other, &line);
    sm_buffer_text(&line, " and before the one at ");
    put_place(witness, why->to, &line);
    sm_buffer_text(&line,
                   ", or make all four accesses seq_cst: each thread stores, then loads what "
                   "the other one has stored, and neither sees it.");
    add_line(why, &line);
    why->kind = SM_WHY_CROSSED;
    return true;
}

/* If the reader has seen what the writer stored later, that store should have released. */
static void explain_drain(const struct sm_witness *witness, size_t read, size_t missed,
                          struct sm_why *why)
{
    size_t seen = relay(witness, read, missed);
    struct sm_buffer line = {0};
    if (seen != witness->n_records && witness->records[seen].rf != missed) {
        struct sm_why relayed = {SM_WHY_RELAYED, missed, read, witness->records[seen].rf,
                                 seen,           {0}};
        explain_relay(witness, &relayed);
        sm_list_add(&why->lines, relayed.lines.items[0]);
        sm_list_free(&relayed.lines);
        return;
    }
    if (looks_across(witness, read, missed, flush_of(witness, missed)) == witness->n_records) {
        explain_nothing(witness, why);
        return;
    }
    sm_buffer_text(&line, "A seq_cst fence behind ");
    put_place(witness, missed, &line);
    sm_buffer_text(&line, ", or a seq_cst store there, drains the buffer before the thread's next "
                          "load.");
    add_line(why, &line);
}

static bool explain_buffer(const struct sm_witness *witness, size_t read, size_t missed,
                           struct sm_why *why)
{
    struct sm_buffer line = {0};
    if (!(witness->records[missed].flags & SM_RECORD_DELAYED) || flush_of(witness, missed) < read)
        return false;
    *why = (struct sm_why){SM_WHY_BUFFERED, missed, read, missed, flush_of(witness, missed), {0}};
    put_access(witness, missed, &line);
    line.data[0] = 'T';
    if (why->acquire < witness->n_records)
        sm_buffer_print(&line, ", waits in its store buffer until event %zu.", why->acquire + 1);
    else
        sm_buffer_text(&line, ", never leaves its store buffer.");
    add_line(why, &line);
    explain_drain(witness, read, missed, why);
    return true;
}

static void explain_coherence(const struct sm_witness *witness, struct sm_why *why)
{
    struct sm_buffer line = {0};
    sm_buffer_text(&line, "Make ");
    put_name(witness, why->to, &line);
    sm_buffer_text(&line, " atomic, or read it once into a local variable: ");
    sm_voice_thread(&line, witness, witness->records[why->to].thread);
    sm_buffer_text(&line, " had already seen that store at ");
    put_place(witness, why->acquire, &line);
    sm_buffer_text(&line, ", but reads of a plain variable may go back.");
    add_line(why, &line);
}

static struct sm_why explain_stale(const struct sm_witness *witness, size_t read, size_t missed)
{
    size_t n = witness->n_records, seen = relay(witness, read, missed);
    size_t store = seen == n ? n : witness->records[seen].rf;
    struct sm_why why = {seen == n         ? SM_WHY_UNORDERED
                         : store == missed ? SM_WHY_COHERENCE
                                           : SM_WHY_RELAYED,
                         missed,
                         read,
                         store,
                         seen,
                         {0}};
    say_unordered(witness, &why);
    if (why.kind == SM_WHY_COHERENCE)
        explain_coherence(witness, &why);
    else if (why.kind == SM_WHY_RELAYED)
        explain_relay(witness, &why);
    else if (!explain_store_buffering(witness, &why))
        explain_nothing(witness, &why);
    return why;
}

static struct sm_why explain_future(const struct sm_witness *witness, size_t read)
{
    size_t n = witness->n_records;
    struct sm_why why = {SM_WHY_FUTURE, read, witness->records[read].rf, n, n, {0}};
    struct sm_buffer line = {0};
    say_unordered(witness, &why);
    sm_buffer_text(&line, "So the store may be made early, by the compiler or the processor. Lock "
                          "one mutex around both, or store with release order at ");
    put_place(witness, why.to, &line);
    sm_buffer_text(&line, " and load with acquire order at ");
    put_place(witness, why.from, &line);
    sm_buffer_text(&line, ".");
    add_line(&why, &line);
    return why;
}

/* ---- races ---- */

static bool is_plain(const struct sm_record *record)
{
    return record->kind == SM_EV_LOAD || record->kind == SM_EV_STORE;
}

static bool conflict(const struct sm_record *a, const struct sm_record *b)
{
    return (sm_is_store(a) || sm_is_store(b)) && (is_plain(a) || is_plain(b)) &&
           (sm_is_store(a) || sm_is_read(a)) && a->thread != b->thread &&
           a->addr < b->addr + b->size && b->addr < a->addr + a->size;
}

uint32_t sm_reasons_threads(const struct sm_reasons *reasons)
{
    return reasons->n_threads;
}

bool sm_reasons_race(const struct sm_reasons *reasons, size_t a, size_t b)
{
    const struct sm_record *records = reasons->witness->records;
    return conflict(&records[a], &records[b]) && !is_ordered(reasons, a, b);
}

static struct sm_why explain_race(const struct sm_reasons *reasons, size_t i)
{
    const struct sm_witness *witness = reasons->witness;
    size_t n = witness->n_records, k = i;
    while (k-- > 0)
        if (sm_reasons_race(reasons, k, i))
            break;
    if (k == SIZE_MAX)
        return (struct sm_why){SM_WHY_NOT, n, n, n, n, {0}};
    struct sm_why why = {SM_WHY_RACE, k, i, n, n, {0}};
    struct sm_buffer line = {0};
    say_unordered(witness, &why);
    sm_buffer_text(&line, "Either can come first. Lock one mutex around both, or make ");
    put_name(witness, i, &line);
    sm_buffer_text(&line, " atomic.");
    add_line(&why, &line);
    return why;
}

struct sm_why sm_why(const struct sm_reasons *reasons, size_t i)
{
    const struct sm_witness *witness = reasons->witness;
    const struct sm_record *record = &witness->records[i];
    struct sm_why why = {SM_WHY_NOT, i, i, i, i, {0}};
    if (!sm_is_read(record) && !sm_is_store(record))
        return why;
    if ((record->flags & SM_RECORD_FUTURE) && record->rf < witness->n_records)
        return explain_future(witness, i);
    size_t missed = sm_is_read(record) && (record->flags & SM_RECORD_LIED)
                        ? sm_missed_store(witness, i)
                        : witness->n_records;
    if (missed == witness->n_records || witness->options.model == SM_MODEL_SC)
        return explain_race(reasons, i);
    if (!explain_buffer(witness, i, missed, &why))
        why = explain_stale(witness, i, missed);
    return why;
}

/* One of the two has its order already: "Load tail with acquire order at ring.c:18; its store at
   ring.c:11 has release order". */
static char *complete_pair(const struct sm_witness *witness, size_t weak, size_t strong, bool load)
{
    struct sm_buffer text = {0};
    sm_buffer_text(&text, load ? "Load " : "Store ");
    put_name(witness, weak, &text);
    sm_buffer_text(&text, load ? " with acquire order at " : " with release order at ");
    put_place(witness, weak, &text);
    sm_buffer_text(&text, load ? "; its store at " : "; its load at ");
    put_place(witness, strong, &text);
    sm_buffer_text(&text, load ? " has release order" : " has acquire order");
    return text.data;
}

/* "Store ready with release order at ring.c:11, and load it with acquire order at ring.c:18." */
static char *publish(const struct sm_witness *witness, size_t store, size_t load)
{
    struct sm_buffer text = {0};
    bool released = sm_order_releases(witness->records[store].order),
         acquired = sm_order_acquires(witness->records[load].order);
    if (released != acquired)
        return released ? complete_pair(witness, load, store, true)
                        : complete_pair(witness, store, load, false);
    sm_buffer_text(&text, "Store ");
    put_name(witness, store, &text);
    sm_buffer_text(&text, " with release order at ");
    put_place(witness, store, &text);
    sm_buffer_text(&text, ", and load it with acquire order at ");
    put_place(witness, load, &text);
    return text.data;
}

static char *remedy_of(const struct sm_witness *witness, const struct sm_why *why,
                       size_t *publication)
{
    bool late = why->kind == SM_WHY_BUFFERED || why->kind == SM_WHY_RELAYED;
    size_t seen = late ? relay(witness, why->to, why->from) : witness->n_records;
    if (seen != witness->n_records && witness->records[seen].rf != why->from) {
        *publication = witness->records[seen].rf;
        return publish(witness, *publication, seen);
    }
    if (why->kind == SM_WHY_FUTURE)
        return publish(witness, why->to, why->from);
    char *text = sm_copy_text(why->lines.items[1]);
    text[strlen(text) - 1] = 0; /* its full stop */
    return text;
}

char *sm_why_remedy(const struct sm_reasons *reasons, size_t *publication)
{
    const struct sm_witness *witness = reasons->witness;
    char *remedy = NULL;
    size_t delayed = 0;
    bool vague = true;
    for (size_t i = 0; i < witness->n_records && vague; i++) {
        if (!sm_story_may_lie(witness, i, &delayed))
            continue;
        struct sm_why why = sm_why(reasons, i);
        bool says = why.kind != SM_WHY_NOT && why.kind != SM_WHY_RACE && why.lines.n > 1;
        if (says && (!remedy || why.kind != SM_WHY_UNORDERED)) {
            free(remedy);
            remedy = remedy_of(witness, &why, publication);
            vague = why.kind == SM_WHY_UNORDERED;
        }
        sm_list_free(&why.lines);
    }
    return remedy;
}
