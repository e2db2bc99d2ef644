#include "findings/story.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/repair.h"
#include "base/words.h"
#include "findings/interleaving.h"
#include "findings/steps.h"
#include "findings/voice.h"
#include "target/symbols.h"

const char *sm_event_word(uint8_t kind)
{
    static const char *const words[] = {
#define SM_EVENT(name, word, hb) word,
#include "abi/events.def"
    };
    return kind < SM_EVENTS ? words[kind] : "access";
}

bool sm_is_store(const struct sm_record *record)
{
    return record->kind == SM_EV_STORE || record->kind == SM_EV_ATOMIC_STORE ||
           record->kind == SM_EV_RMW;
}

bool sm_is_read(const struct sm_record *record)
{
    return record->kind == SM_EV_LOAD || record->kind == SM_EV_ATOMIC_LOAD ||
           record->kind == SM_EV_CAS_FAIL;
}

bool sm_is_access(const struct sm_record *record)
{
    return sm_is_store(record) || sm_is_read(record);
}

bool sm_is_atomic(const struct sm_record *record)
{
    return record->kind == SM_EV_ATOMIC_LOAD || record->kind == SM_EV_ATOMIC_STORE ||
           record->kind == SM_EV_RMW || record->kind == SM_EV_CAS_FAIL;
}

bool sm_is_lock(const struct sm_record *record)
{
    return record->kind == SM_EV_LOCK || record->kind == SM_EV_READ_LOCK ||
           record->kind == SM_EV_WRITE_LOCK;
}

bool sm_is_unlock(const struct sm_record *record)
{
    return record->kind == SM_EV_UNLOCK || record->kind == SM_EV_READ_UNLOCK ||
           record->kind == SM_EV_WRITE_UNLOCK;
}

bool sm_is_same_memory(const struct sm_record *a, const struct sm_record *b)
{
    return a->addr < b->addr + b->size && b->addr < a->addr + a->size;
}

/* The store that a read before record i would have seen, had no store been delayed and no value
   been stale: the last to be executed. A delayed store that has reached memory by then counts from
   that moment. n_records if there is none. */
static size_t newest_before(const struct sm_witness *witness, size_t i,
                            const struct sm_record *read)
{
    const struct sm_record *records = witness->records;
    for (size_t k = i; k-- > 0;) {
        if (records[k].kind == SM_EV_FLUSH && records[k].rf < k &&
            sm_is_same_memory(&records[k], read))
            return records[k].rf;
        if (sm_is_store(&records[k]) && sm_is_same_memory(&records[k], read))
            return k;
    }
    return witness->n_records;
}

/* Which record the byte of the read is from. */
static uint64_t source_of(const struct sm_witness *witness, size_t i, uint64_t addr)
{
    const struct sm_record *records = witness->records;
    uint64_t at = records[i].addr;
    if (records[i].rf != SM_RF_PARTS)
        return records[i].rf;
    for (size_t k = i + 1; k < witness->n_records && records[k].kind == SM_EV_PART; k++) {
        if (addr < at + records[k].size)
            return records[k].rf;
        at += records[k].size;
    }
    return SM_RF_NONE;
}

/* A read that is composed of the newest store of each of its bytes has missed nothing. */
size_t sm_missed_store(const struct sm_witness *witness, size_t i)
{
    struct sm_record byte = witness->records[i];
    size_t missed = witness->n_records;
    byte.size = 1;
    for (unsigned b = 0; b < witness->records[i].size; b++) {
        byte.addr = witness->records[i].addr + b;
        size_t newest = newest_before(witness, i, &byte);
        bool other = newest != witness->n_records && newest != source_of(witness, i, byte.addr);
        if (other && (missed == witness->n_records || newest > missed))
            missed = newest;
    }
    /* A thread always sees its own last store: here uninstrumented code stored, which was noticed
       late. */
    bool own = missed != witness->n_records &&
               witness->records[missed].thread == witness->records[i].thread;
    return own ? witness->n_records : missed;
}

/* ---- words ---- */

void sm_record_value(const struct sm_record *record, struct sm_buffer *to)
{
    int64_t value = (int64_t)record->value;
    if (record->size == 4)
        value = (int32_t)record->value;
    if (value > -1000000 && value < 1000000)
        sm_buffer_print(to, "%ld", (long)value);
    else
        sm_buffer_print(to, "0x%lx", (unsigned long)record->value);
}

static void add_line(struct sm_list *lines, struct sm_buffer *line)
{
    sm_list_add(lines, line->data);
    sm_buffer_free(line);
}

/* ---- steps ---- */

/* "thread 3 · client", and where that is not the function at hand, "in put" */
static void add_who(struct sm_buffer *to, const struct sm_witness *witness, size_t i)
{
    uint32_t thread = witness->records[i].thread;
    struct sm_place place = sm_voice_place(witness, i);
    sm_voice_thread_label(to, witness, thread);
    if (place.function) {
        char *function = sm_function_name(sm_copy_text(place.function));
        if (strcmp(function, sm_voice_start(witness, thread)) != 0 && !strchr(function, '<'))
            sm_buffer_print(to, " in %s", function);
        free(function);
    }
    sm_place_free(&place);
}

/* "thread 3 · client unlocks pool.lock" */
static void add_sync_step(struct sm_buffer *to, const struct sm_witness *witness, size_t i)
{
    static const char *const acts[SM_EVENTS] = {[SM_EV_UNLOCK] = "unlocks",
                                                [SM_EV_READ_UNLOCK] = "unlocks",
                                                [SM_EV_WRITE_UNLOCK] = "unlocks",
                                                [SM_EV_WAIT] = "waits for",
                                                [SM_EV_WAKE] = "is woken, and leaves",
                                                [SM_EV_SIGNAL] = "signals",
                                                [SM_EV_BROADCAST] = "broadcasts",
                                                [SM_EV_FREE] = "frees"};
    const struct sm_record *record = &witness->records[i];
    const char *name = sm_voice_memory(witness, i), *act = acts[record->kind];
    bool condition = record->kind == SM_EV_WAIT || record->kind == SM_EV_WAKE ||
                     record->kind == SM_EV_SIGNAL || record->kind == SM_EV_BROADCAST;
    add_who(to, witness, i);
    sm_buffer_print(to, " %s %s%s", act ? act : "locks",
                    *name                        ? name
                    : condition                  ? "the condition"
                    : record->kind == SM_EV_FREE ? "the block"
                                                 : "the lock",
                    sm_is_unlock(record) ? ", so that others may come between" : "");
}

/* " (release)": of an atomic access weaker than seq_cst, which is often the end of a source line
   that is cut. */
static void add_order(struct sm_buffer *to, const struct sm_record *record)
{
    if (sm_is_atomic(record) && record->order < SM_ORDER_SEQ_CST)
        sm_buffer_print(to, " (%s)", sm_order_words[record->order]);
}

static void add_what(struct sm_buffer *to, const struct sm_witness *witness, size_t i)
{
    const struct sm_record *record = &witness->records[i];
    if (!sm_is_access(record)) {
        add_sync_step(to, witness, i);
        return;
    }
    const char *callee = sm_voice_callee(witness, i), *memory = sm_voice_memory(witness, i);
    add_who(to, witness, i);
    sm_buffer_text(to, " ");
    sm_voice_act(to, sm_event_word(record->kind), callee);
    bool calls = callee && to->data[to->size - 1] == ')';
    if (calls && !sm_voice_type(witness, i)) /* what the library does inside; the source line says
                                                more */
        return;
    sm_buffer_print(to, "%s %s", calls ? " on" : "", memory);
    if (callee)
        return;
    sm_buffer_text(to, " = ");
    sm_record_value(record, to);
    add_order(to, record);
    if (record->flags & SM_RECORD_DELAYED)
        sm_buffer_text(to, ", which stays in its store buffer");
}

static void add_step(struct sm_steps *steps, const struct sm_witness *witness, size_t i)
{
    struct sm_place place = sm_voice_place(witness, i);
    struct sm_buffer what = {0};
    add_what(&what, witness, i);
    sm_steps_add(steps, &place, witness->directory, what.data);
    sm_buffer_free(&what);
    sm_place_free(&place);
}

/* ---- lies: reads of what is stale, and of what is stored later ---- */

/* The store whose value should have been read, and the lie that this one repeats: the same two
   places, whatever the values. */
struct lie {
    size_t read, other; /* other: the store that was missed, or that comes later */
    uint32_t site, call, other_site, other_call;
    bool future;
    uint64_t count;
};

static bool is_same_lie(const struct lie *a, const struct lie *b)
{
    return a->site == b->site && a->call == b->call && a->other_site == b->other_site &&
           a->other_call == b->other_call && a->future == b->future;
}

static struct lie lie_of(const struct sm_witness *witness, size_t read, size_t other, bool future)
{
    const struct sm_record *records = witness->records;
    return (struct lie){.read = read,
                        .other = other,
                        .site = records[read].site,
                        .call = records[read].stack,
                        .other_site = records[other].site,
                        .other_call = records[other].stack,
                        .future = future,
                        .count = 1};
}

static bool find_lie(const struct sm_witness *witness, size_t i, struct lie *lie)
{
    const struct sm_record *read = &witness->records[i];
    if ((read->flags & SM_RECORD_FUTURE) && read->rf < witness->n_records) {
        *lie = lie_of(witness, i, read->rf, true);
        return true;
    }
    if (!sm_is_read(read) || !(read->flags & SM_RECORD_LIED) || (read->flags & SM_RECORD_FUTURE))
        return false;
    size_t missed = sm_missed_store(witness, i);
    if (missed != witness->n_records)
        *lie = lie_of(witness, i, missed, false);
    return missed != witness->n_records;
}

static const char *name_of(const struct sm_witness *witness, size_t i, const char *variable)
{
    const char *memory = sm_voice_memory(witness, i);
    return *memory ? memory : variable;
}

static void add_origin(struct sm_buffer *to, const struct sm_witness *witness,
                       const struct sm_record *read)
{
    if (read->rf == SM_RF_INITIAL) {
        sm_buffer_text(to, " still showed its initial ");
        sm_record_value(read, to);
    } else if (read->rf == SM_RF_PARTS) {
        sm_buffer_text(to, " showed ");
        sm_record_value(read, to);
        sm_buffer_text(to, ", put together from several stores");
    } else {
        sm_buffer_text(to, " still showed ");
        sm_record_value(read, to);
        if (read->rf < witness->n_records) {
            struct sm_place place = sm_voice_place(witness, read->rf);
            sm_buffer_text(to, place.file ? " of " : "");
            sm_voice_line(to, &place);
            sm_place_free(&place);
        }
    }
}

/* "ring[0] still showed its initial 0, though thread 1 (producer) had stored 1; nothing orders the
   two" */
static void add_sentence(struct sm_buffer *to, const struct sm_witness *witness,
                         const struct lie *lie, const char *variable)
{
    const struct sm_record *read = &witness->records[lie->read];
    const struct sm_record *other = &witness->records[lie->other];
    sm_buffer_text(to, name_of(witness, lie->read, variable));
    if (lie->future) {
        sm_buffer_text(to, " showed ");
        sm_record_value(read, to);
        sm_buffer_text(to, " from the future, before ");
    } else {
        add_origin(to, witness, read);
        sm_buffer_text(to, ", though ");
    }
    sm_voice_thread(to, witness, other->thread);
    sm_buffer_text(to, lie->future ? " stored it" : " had stored ");
    if (!lie->future)
        sm_record_value(other, to);
    sm_buffer_text(to, "; nothing orders the two");
    if (lie->count > 1) {
        sm_buffer_text(to, " (and ");
        sm_voice_count(to, lie->count - 1);
        sm_buffer_text(to, " more)");
    }
}

static void tell_lie(const struct sm_witness *witness, const struct lie *lie, const char *variable,
                     struct sm_list *lines)
{
    struct sm_buffer line = {0};
    struct sm_steps steps = {0};
    add_sentence(&line, witness, lie, variable);
    add_line(lines, &line);
    add_step(&steps, witness, lie->future ? lie->read : lie->other);
    add_step(&steps, witness, lie->future ? lie->other : lie->read);
    sm_steps_put(&steps, lines);
}

/* verify picks a store for a read, and does not record whether it is the newest. */
static bool may_be_old(const struct sm_witness *witness, const struct sm_record *record)
{
    return witness->options.explore && sm_is_read(record) && (record->flags & SM_RECORD_LIED);
}

bool sm_story_may_lie(const struct sm_witness *witness, size_t i, size_t *delayed)
{
    const struct sm_record *record = &witness->records[i];
    if (record->kind == SM_EV_FLUSH)
        --*delayed;
    else if (sm_is_store(record) && (record->flags & SM_RECORD_DELAYED))
        ++*delayed;
    return *delayed || (record->flags & (SM_RECORD_STALE | SM_RECORD_FUTURE)) ||
           may_be_old(witness, record);
}

bool sm_story_lie(const struct sm_witness *witness, size_t i, const char *variable,
                  struct sm_list *lines)
{
    struct lie lie;
    if (!find_lie(witness, i, &lie))
        return false;
    tell_lie(witness, &lie, variable, lines);
    return true;
}

/* Each kind once, with its number of repetitions; of more than a few kinds, how many there are. */
static size_t tell_lies(const struct sm_witness *witness, const char *variable,
                        struct sm_list *lines)
{
    enum { MOST_LIES = 3 };
    struct lie lies[MOST_LIES], lie;
    size_t n = 0, further = 0, delayed = 0, k;
    for (size_t i = 0; i < witness->n_records; i++) {
        if (!sm_story_may_lie(witness, i, &delayed) || !find_lie(witness, i, &lie))
            continue;
        for (k = 0; k < n && !is_same_lie(&lies[k], &lie); k++)
            continue;
        if (k < n)
            lies[k].count++;
        else if (n < MOST_LIES)
            lies[n++] = lie;
        else
            further++;
    }
    for (k = 0; k < n; k++)
        tell_lie(witness, &lies[k], variable, lines);
    if (further) {
        struct sm_buffer line = {0};
        sm_buffer_text(&line, "and ");
        sm_voice_count(&line, further);
        sm_buffer_text(&line, further == 1 ? " more read of its kind at another place"
                                           : " more such reads at other places");
        add_line(lines, &line);
    }
    return n;
}

/* ---- no lie ---- */

/* One source line by one thread: what the library does inside a call is one step. */
static bool is_same_step(const struct sm_witness *witness, size_t a, size_t b)
{
    const struct sm_record *x = &witness->records[a], *y = &witness->records[b];
    return x->thread == y->thread && x->site == y->site && x->stack == y->stack;
}

static bool is_same_call(const struct sm_witness *witness, size_t a, size_t b)
{
    const char *x = sm_voice_callee(witness, a), *y = sm_voice_callee(witness, b);
    struct sm_place p = sm_voice_place(witness, a), q = sm_voice_place(witness, b);
    bool same = x && y && strcmp(x, y) == 0 && p.line == q.line && strcmp(p.file, q.file) == 0 &&
                witness->records[a].thread == witness->records[b].thread;
    sm_place_free(&p);
    sm_place_free(&q);
    return same;
}

/* Some access is in the user's code, or to the user's object: those explain more than accesses
   inside the library. */
static bool has_own(const struct sm_witness *witness, const bool *matters)
{
    for (size_t i = 0; i < witness->n_records; i++)
        if (matters[i] && sm_is_access(&witness->records[i]) &&
            (!sm_voice_callee(witness, i) || sm_voice_type(witness, i)))
            return true;
    return false;
}

/* The last accesses to the variable; repetitions of one step fold. Returns how many. */
static size_t find_last(const struct sm_witness *witness, const bool *matters,
                        size_t found[SM_MOST_STEPS])
{
    size_t n = 0, first[SM_MOST_STEPS];
    bool own = has_own(witness, matters);
    for (size_t i = witness->n_records; i-- > 0;) {
        if (!matters[i] || !sm_is_access(&witness->records[i]) ||
            (own && sm_voice_callee(witness, i) && !sm_voice_type(witness, i)))
            continue;
        if (n && (is_same_step(witness, i, first[n - 1]) || is_same_call(witness, i, first[n - 1])))
            first[n - 1] = i;
        else if (n < SM_MOST_STEPS)
            first[n++] = i;
        else
            break;
    }
    for (size_t i = 0; i < n; i++)
        found[i] = first[n - 1 - i];
    return n;
}

static enum sm_failure_kind kind_of(const char *word)
{
    int kind = SM_FAILURES;
    while (--kind > SM_FAILURE_NONE && strcmp(sm_failure_words[kind], word) != 0)
        continue;
    return (enum sm_failure_kind)kind;
}

static bool is_of_condition(const struct sm_record *record)
{
    return record->kind == SM_EV_WAIT || record->kind == SM_EV_WAKE ||
           record->kind == SM_EV_SIGNAL || record->kind == SM_EV_BROADCAST;
}

static int by_number(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* If threads wait for a condition for ever: its last events. */
static size_t add_conditions(const struct sm_witness *witness, size_t found[SM_MOST_STEPS],
                             size_t n)
{
    uint64_t condition = 0;
    for (size_t i = witness->n_records; i-- > 0 && n < SM_MOST_STEPS;) {
        const struct sm_record *record = &witness->records[i];
        if (!is_of_condition(record) || (condition && record->addr != condition))
            continue;
        condition = record->addr;
        found[n++] = i;
    }
    qsort(found, n, sizeof *found, by_number);
    return n;
}

/* How many accesses to the same memory come between this step and the next. */
static size_t count_left_out(const struct sm_witness *witness, const bool *matters,
                             const size_t *found, size_t n, size_t step)
{
    size_t left_out = 0;
    for (size_t i = found[step] + 1; step + 1 < n && i < found[step + 1]; i++) {
        bool same = false;
        for (size_t k = 0; k < n && matters[i] && sm_is_access(&witness->records[i]); k++)
            same |= sm_is_access(&witness->records[found[k]]) &&
                    sm_is_same_memory(&witness->records[found[k]], &witness->records[i]);
        left_out += same && !is_same_call(witness, i, found[step]);
    }
    return left_out;
}

/* Without a lie the model may still matter: under c11 a free is an error unless the last access
   happens before it; under sc it is not. */
static void tell_reach(const struct sm_witness *witness, struct sm_list *lines)
{
    struct sm_buffer line = {0};
    enum sm_model_id model = (enum sm_model_id)witness->options.model;
    sm_buffer_print(&line, "this order of the threads is enough%s%s:",
                    model == SM_MODEL_SC ? ", on every machine" : " under ",
                    model == SM_MODEL_SC ? "" : sm_model_words[model]);
    add_line(lines, &line);
}

static void tell_order(const struct sm_witness *witness, struct sm_list *lines)
{
    enum { MOST_LINES = 10 }; /* of twelve */
    bool *matters = sm_events_that_matter(witness);
    bool stalls = sm_failure_is_stall(kind_of(witness->failure_kind));
    size_t found[SM_MOST_STEPS];
    size_t n = sm_interleaved_steps(witness, matters, found, SM_MOST_STEPS);
    struct sm_steps steps = {0};
    /* The last line of a deadlock or similar failure already says what its last accesses would. */
    if (!n && !stalls)
        n = find_last(witness, matters, found);
    if (stalls)
        n = add_conditions(witness, found, n);
    if (n)
        tell_reach(witness, lines);
    for (size_t i = 0, room = MOST_LINES - n; i < n; i++) {
        size_t left_out = room ? count_left_out(witness, matters, found, n, i) : 0;
        add_step(&steps, witness, found[i]);
        sm_steps_skip(&steps, left_out);
        room -= left_out != 0;
    }
    sm_steps_put(&steps, lines);
    free(matters);
}

static void tell_end(const struct sm_witness *witness, struct sm_list *lines)
{
    struct sm_buffer line = {0}, who = {0};
    struct sm_failure failure = {.kind = kind_of(witness->failure_kind),
                                 .detail = witness->failure_detail,
                                 .place = witness->place};
    sm_voice_thread(&who, witness, (uint32_t)witness->end_thread);
    sm_buffer_text(&line, lines->n ? "then " : "");
    sm_voice_failure(&line, &failure, who.data);
    sm_buffer_free(&who);
    add_line(lines, &line);
}

void sm_story_close(const struct sm_witness *witness, size_t told, struct sm_list *lines)
{
    struct sm_buffer line = {0};
    sm_voice_repairs(&line, witness->repairs);
    if (line.size)
        add_line(lines, &line);
    if (witness->circular)
        sm_list_add(lines,
                    "not certified: from that read on, the thread alone does not make the store");
    if (!told)
        tell_order(witness, lines);
    tell_end(witness, lines);
}

void sm_story_tell(const struct sm_witness *witness, const char *variable, struct sm_list *lines)
{
    sm_story_close(witness, tell_lies(witness, variable, lines), lines);
}

void sm_story_turn(const struct sm_witness *witness, size_t i, struct sm_list *lines)
{
    const struct sm_record *record = &witness->records[i];
    const char *memory = sm_voice_memory(witness, i);
    struct sm_place place = sm_voice_place(witness, i);
    struct sm_buffer line = {0};
    sm_voice_thread_label(&line, witness, record->thread);
    sm_buffer_print(&line, " goes on: %s", sm_event_word(record->kind));
    if (*memory)
        sm_buffer_print(&line, " of %s", memory);
    sm_buffer_text(&line, place.file ? " at " : "");
    sm_voice_line(&line, &place);
    sm_place_free(&place);
    add_line(lines, &line);
}
