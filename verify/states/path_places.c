#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/heap.h"
#include "runtime/model/memory.h"
#include "runtime/trace.h"
#include "verify/explore.h"
#include "verify/run/run.h"
#include "verify/run/script.h"
#include "verify/run/share.h"
#include "verify/states/path.h"

/* The record of a write in the trace; or of a read that precedes its write. */
struct path_note {
    struct sm_source name;
    uint16_t loc;
    uint64_t record;
};

/* State of this run. */
static struct sm_path_place *places;
static uint32_t place_capacity;
static struct path_note *notes, *debts;
static uint32_t n_notes, note_capacity, n_debts, debt_capacity;

void sm_path_places_begin(void)
{
    places = NULL;
    notes = debts = NULL;
    place_capacity = n_notes = note_capacity = n_debts = debt_capacity = 0;
}

/* ---- memory ---- */

struct sm_path_place *sm_path_place(uint16_t loc)
{
    if (loc >= place_capacity)
        places = sm_grow(places, &place_capacity, loc, sizeof *places);
    return &places[loc];
}

static void touch(const struct sm_event *event, uint16_t loc)
{
    struct sm_path_place *place = sm_path_place(loc);
    if (place->known)
        return;
    place->known = true;
    place->value = sm_memory_read(event->addr, event->size);
    if (sm_provenance_on())
        sm_provenance_get(event, place->value, place->rf);
    if (sm_exploring == SM_EXPLORE_ALL)
        sm_machine_initial(loc, place->value);
}

/* A foreseen pointer may lead to memory that is not allocated yet. */
uint16_t sm_path_location(const struct sm_event *event, bool write)
{
    if (!sm_share_threads())
        return SM_PRIVATE;
    if (sm_heap_owns((const void *)event->addr))
        sm_heap_reserve((const void *)event->addr);
    struct sm_pieces pieces = sm_share_access(event, write);
    if (!pieces.n)
        return SM_PRIVATE;
    touch(event, pieces.at[0].loc);
    return pieces.at[0].loc;
}

/* ---- the trace ---- */

static uint64_t record_of(struct sm_source name, uint16_t loc)
{
    for (uint32_t i = n_notes; i-- > 0;)
        if (notes[i].loc == loc && notes[i].name.thread == name.thread &&
            notes[i].name.nth == name.nth)
            return notes[i].record;
    return SM_RF_NONE;
}

bool sm_path_is_future(const struct sm_move *step, unsigned half)
{
    return step && step->from[half].thread != SM_NOBODY &&
           record_of(step->from[half], step->loc) == SM_RF_NONE;
}

/* Placeholder record for a write that is not in the trace yet. */
static uint64_t stand_in(uint16_t loc, struct sm_source name)
{
    return 1ul << 63 | (uint64_t)loc << 32 | (uint64_t)name.thread << 16 | name.nth;
}

static void owe(const struct sm_move *step, unsigned half)
{
    debts = sm_grow(debts, &debt_capacity, n_debts, sizeof *debts);
    debts[n_debts++] = (struct path_note){step->from[half], step->loc, sm_trace_next()};
}

/* The halves come from two writes. A replay does not know these, but its trace has a record for
   each part. */
static bool has_parts(const struct sm_event *event, const struct sm_move *step)
{
    bool parts = step && (step->from[0].thread != step->from[1].thread ||
                          step->from[0].nth != step->from[1].nth);
    if (event->size < 8 || sm_exploring == SM_EXPLORE_ALL)
        return parts;
    return sm_script_choose(SM_PURPOSE_VALUE, 2, parts);
}

void sm_path_say_where_from(struct sm_event *event, const struct sm_move *step, uint16_t loc)
{
    uint64_t rf[8];
    const struct sm_path_place *place = sm_path_place(loc);
    bool parts = has_parts(event, step);
    for (unsigned b = 0; b < event->size; b++) {
        unsigned half = event->size == 8 && b >= 4;
        struct sm_source from = step ? step->from[half] : (struct sm_source){0};
        if (!step && parts)
            rf[b] = stand_in(loc, (struct sm_source){0, (uint16_t)half});
        else if (!step && place->written)
            rf[b] = place->record;
        else if (!step || from.thread == SM_NOBODY)
            rf[b] = place->rf[b];
        else if (sm_path_is_future(step, half))
            rf[b] = stand_in(loc, from);
        else
            rf[b] = record_of(from, loc);
    }
    for (unsigned half = 0; half < 2; half++)
        if (sm_path_is_future(step, half))
            owe(step, half);
    sm_read_from(event, rf);
}

static void settle(const struct path_note *write)
{
    for (uint32_t i = 0; i < n_debts; i++) {
        uint64_t stands = stand_in(write->loc, write->name);
        for (uint64_t r = debts[i].record; r < debts[i].record + 3 && r < sm_control->trace_limit;
             r++)
            if (sm_option(record) && sm_trace[r].rf == stands)
                sm_trace[r].rf = write->record;
    }
}

void sm_path_note_write(const struct sm_event *event, uint16_t loc)
{
    uint32_t thread = event->thread->id;
    struct sm_path_place *place = sm_path_place(loc);
    place->written = true;
    place->value = event->value;
    place->record = sm_trace_next();
    if (!sm_provenance_on())
        return;
    notes = sm_grow(notes, &note_capacity, n_notes, sizeof *notes);
    notes[n_notes] =
        (struct path_note){{(uint8_t)thread, sm_path_last_name(thread)}, loc, place->record};
    settle(&notes[n_notes++]);
}

bool sm_path_is_settled(void)
{
    for (uint32_t i = 0; i < n_debts; i++)
        if (record_of(debts[i].name, debts[i].loc) == SM_RF_NONE)
            return false;
    return true;
}
