#include "findings/story.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "target/symbols.h"

/* More than this and it is no story any more. */
enum { MOST_LINES = 8 };

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

static bool overlap(const struct sm_record *a, const struct sm_record *b)
{
    return a->addr < b->addr + b->size && b->addr < a->addr + a->size;
}

/* The store that a read before record i would have seen, had no store been delayed and no
   value been stale: the last to be executed. One that was delayed and has landed by then
   counts from when it landed. n_records if there is none. */
static size_t newest_before(const struct sm_witness *witness, size_t i,
                            const struct sm_record *read)
{
    const struct sm_record *records = witness->records;
    for (size_t k = i; k-- > 0;) {
        if (records[k].kind == SM_EV_FLUSH && records[k].rf < k && overlap(&records[k], read))
            return records[k].rf;
        if (sm_is_store(&records[k]) && overlap(&records[k], read))
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

/* A read that is put together from the newest store of each of its bytes has missed nothing. */
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
    return missed;
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

static void add_place(struct sm_buffer *to, const struct sm_witness *witness,
                      const struct sm_record *record)
{
    const struct sm_site_row *row = sm_sites_find(&witness->sites, record->site);
    if (!row)
        return;
    char *function = sm_demangle(row->function);
    sm_buffer_print(to, " at %s:%u (%s)", row->file, row->line, function);
    free(function);
}

static const char *name_of(const struct sm_witness *witness, const struct sm_record *record,
                           const char *variable)
{
    const struct sm_site_row *row = sm_sites_find(&witness->sites, record->site);
    return row && *row->variable ? row->variable : variable;
}

static void add_access(struct sm_buffer *to, const struct sm_witness *witness,
                       const struct sm_record *record, const char *variable)
{
    sm_buffer_print(to, "thread %u %s %s = ", record->thread,
                    sm_is_store(record) ? "wrote" : "read", name_of(witness, record, variable));
    sm_record_value(record, to);
    add_place(to, witness, record);
}

static void add_line(struct sm_list *lines, struct sm_buffer *line)
{
    sm_list_add(lines, line->data);
    sm_buffer_free(line);
}

/* ---- stale reads ---- */

static void add_origin(struct sm_buffer *to, const struct sm_witness *witness,
                       const struct sm_record *read)
{
    if (read->rf == SM_RF_INITIAL) {
        sm_buffer_text(to, ", which it held at the start");
    } else if (read->rf == SM_RF_PARTS) {
        sm_buffer_text(to, ", put together from several stores");
    } else if (read->rf < witness->n_records) {
        const struct sm_record *store = &witness->records[read->rf];
        sm_buffer_print(to, ", which thread %u had written", store->thread);
        add_place(to, witness, store);
    }
}

static void tell_read(const struct sm_witness *witness, size_t i, size_t newest,
                      const char *variable, struct sm_list *lines)
{
    const struct sm_record *read = &witness->records[i], *newer = &witness->records[newest];
    struct sm_buffer line = {0};
    add_access(&line, witness, read, variable);
    add_origin(&line, witness, read);
    add_line(lines, &line);
    sm_buffer_print(&line, "  although thread %u had since written ", newer->thread);
    sm_record_value(newer, &line);
    add_place(&line, witness, newer);
    if (newer->flags & SM_RECORD_DELAYED)
        sm_buffer_text(&line, ": still in its store buffer");
    add_line(lines, &line);
}

/* Tells of record i if it is a read of a stale value. */
static bool tell_stale(const struct sm_witness *witness, size_t i, const char *variable,
                       struct sm_list *lines)
{
    const struct sm_record *read = &witness->records[i];
    if (!sm_is_read(read) || !(read->flags & SM_RECORD_LIED) || (read->flags & SM_RECORD_FUTURE))
        return false;
    size_t missed = sm_missed_store(witness, i);
    if (missed == witness->n_records)
        return false;
    tell_read(witness, i, missed, variable, lines);
    return true;
}

/* ---- reads of what is stored later ---- */

static bool tell_future(const struct sm_witness *witness, size_t i, const char *variable,
                        struct sm_list *lines)
{
    struct sm_buffer line = {0};
    const struct sm_record *read = &witness->records[i];
    if (!(read->flags & SM_RECORD_FUTURE) || read->rf >= witness->n_records)
        return false;
    const struct sm_record *store = &witness->records[read->rf];
    sm_buffer_text(&line, name_of(witness, read, variable));
    add_place(&line, witness, read);
    sm_buffer_print(&line, ": thread %u read ", read->thread);
    sm_record_value(read, &line);
    sm_buffer_text(&line, " from the future: stored later");
    add_place(&line, witness, store);
    sm_buffer_print(&line, " by thread %u", store->thread);
    add_line(lines, &line);
    return true;
}

bool sm_story_lie(const struct sm_witness *witness, size_t i, const char *variable,
                  struct sm_list *lines)
{
    return tell_future(witness, i, variable, lines) || tell_stale(witness, i, variable, lines);
}

typedef bool (*tell_one)(const struct sm_witness *witness, size_t i, const char *variable,
                         struct sm_list *lines);

/* The first few, and whether there are more. */
static size_t tell_some(tell_one tell, const struct sm_witness *witness, const char *variable,
                        struct sm_list *lines)
{
    struct sm_list further = {0};
    size_t told = 0;
    for (size_t i = 0; i < witness->n_records && told <= MOST_LINES / 2; i++)
        told += tell(witness, i, variable, told < MOST_LINES / 2 ? lines : &further);
    if (further.n)
        sm_list_add(lines, "and more reads like these");
    sm_list_free(&further);
    return told;
}

/* ---- no lie ---- */

/* The last accesses to the variable: their order is what matters. */
static void tell_order(const struct sm_witness *witness, const char *variable,
                       struct sm_list *lines)
{
    size_t found[MOST_LINES], n = 0;
    for (size_t i = witness->n_records; i-- > 0 && n < MOST_LINES;)
        if ((witness->records[i].flags & SM_RECORD_LIED) &&
            !(witness->records[i].flags & SM_RECORD_MORE) &&
            (sm_is_store(&witness->records[i]) || sm_is_read(&witness->records[i])))
            found[n++] = i;
    if (n)
        sm_list_add(lines, "no stale value is needed, only this order:");
    while (n-- > 0) {
        struct sm_buffer line = {0};
        sm_buffer_text(&line, "  ");
        add_access(&line, witness, &witness->records[found[n]], variable);
        add_line(lines, &line);
    }
}

static void tell_end(const struct sm_witness *witness, struct sm_list *lines)
{
    struct sm_buffer line = {0};
    const char *detail = witness->failure_detail;
    size_t length = strcspn(detail, "\n");
    sm_buffer_print(&line, "then: %s: %.*s", witness->failure_kind, (int)length, detail);
    for (size_t i = 0; detail[length] && i < MOST_LINES; i++) {
        add_line(lines, &line);
        detail += length + 1;
        length = strcspn(detail, "\n");
        sm_buffer_print(&line, "  %.*s", (int)length, detail);
    }
    if (strcmp(witness->failure_kind, sm_failure_words[SM_FAILURE_DEADLOCK]) == 0) {
        add_line(lines, &line); /* every line has its place */
        return;
    }
    if (witness->place.file)
        sm_buffer_print(&line, ", in thread %u at %s:%u", (unsigned)witness->end_thread,
                        witness->place.file, witness->place.line);
    add_line(lines, &line);
}

void sm_story_close(const struct sm_witness *witness, size_t told, const char *variable,
                    struct sm_list *lines)
{
    if (witness->circular)
        sm_list_add(lines,
                    "not certified: from that read on, the thread alone does not make the store");
    if (!told)
        tell_order(witness, variable, lines);
    tell_end(witness, lines);
}

void sm_story_tell(const struct sm_witness *witness, const char *variable, struct sm_list *lines)
{
    size_t told = tell_some(tell_future, witness, variable, lines);
    told += tell_some(tell_stale, witness, variable, lines);
    sm_story_close(witness, told, variable, lines);
}

void sm_story_turn(const struct sm_witness *witness, size_t i, struct sm_list *lines)
{
    const struct sm_record *record = &witness->records[i];
    const struct sm_site_row *row = sm_sites_find(&witness->sites, record->site);
    struct sm_buffer line = {0};
    sm_buffer_print(&line, "thread %u goes on: %s", record->thread, sm_event_word(record->kind));
    if (row && *row->variable)
        sm_buffer_print(&line, " of %s", row->variable);
    add_place(&line, witness, record);
    add_line(lines, &line);
}
