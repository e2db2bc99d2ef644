#include "verify/states/seqcst.h"

#include <string.h>

#include "base/sys.h"
#include "verify/states/machine_parts.h"

static struct tracking {
    bool on, wanted, fenced;
} *tracking; /* outlives a run */

void sm_seq_cst_start(void)
{
    tracking = sm_map(NULL, sizeof *tracking);
}

void sm_seq_cst_want(void)
{
    tracking->wanted = true;
}

void sm_seq_cst_note_fence(void)
{
    tracking->fenced = true;
}

bool sm_seq_cst_is_tracked(void)
{
    return tracking->on;
}

bool sm_seq_cst_grew(void)
{
    bool on = tracking->wanted && !tracking->fenced, grew = on != tracking->on;
    tracking->on = on;
    return grew;
}

bool sm_seq_cst_is_cut(void)
{
    return tracking->wanted && tracking->fenced;
}

/* ---- numbers ---- */

static uint64_t spread(uint64_t set, uint32_t at)
{
    uint64_t low = (1ul << at) - 1;
    return (set & low) | (set & ~low) << 1;
}

static uint64_t contract(uint64_t set, uint32_t at)
{
    uint64_t low = (1ul << at) - 1;
    return (set & low) | (set >> 1 & ~low);
}

static struct sm_seq_cst_access *insert(struct sm_seq_cst *order, uint32_t thread, uint32_t *at)
{
    *at = 0;
    while (*at < order->n && order->at[*at].thread <= thread)
        ++*at;
    memmove(&order->at[*at + 1], &order->at[*at], (order->n++ - *at) * sizeof *order->at);
    memset(&order->at[*at], 0, sizeof order->at[*at]);
    for (uint32_t i = 0; i < order->n; i++)
        order->at[i].before = spread(order->at[i].before, *at);
    return &order->at[*at];
}

static void drop(struct sm_seq_cst *order, uint32_t at)
{
    memmove(&order->at[at], &order->at[at + 1], (--order->n - at) * sizeof *order->at);
    for (uint32_t i = 0; i < order->n; i++)
        order->at[i].before = contract(order->at[i].before, at);
}

/* ---- relations ---- */

/* Counted from 1; 0: the initial value, or a write that was dropped (no thread can read it). */
static uint16_t position(const struct sm_machine *machine, uint16_t loc, uint8_t thread,
                         uint16_t nth)
{
    uint16_t first, end;
    sm_machine_range(machine, loc, &first, &end);
    for (uint16_t i = first; i < end; i++)
        if (machine->writes[i].thread == thread && machine->writes[i].nth == nth)
            return (uint16_t)(i - first + 1);
    return 0;
}

static bool happens_before(const struct sm_machine *machine, const struct sm_seq_cst_access *a,
                           uint32_t thread)
{
    return a->thread == thread || machine->threads[thread].now.hb[a->thread] >= a->time;
}

struct access_places {
    uint16_t read, written;
};

/* `a` precedes the write by modification order or from-read. */
static bool precedes_write(const struct sm_machine *machine, const struct sm_seq_cst_access *a,
                           uint16_t written)
{
    return (a->writes && position(machine, a->loc, a->thread, a->write_nth) < written) ||
           (a->reads && position(machine, a->loc, a->read_thread, a->read_nth) < written);
}

static bool follows(const struct sm_machine *machine, const struct sm_seq_cst_access *a,
                    const struct access_places *places)
{
    if (!a->writes)
        return false;
    uint16_t at = position(machine, a->loc, a->thread, a->write_nth);
    return (places->written && at > places->written) ||
           (places->read != UINT16_MAX && at > places->read);
}

/* Adds the edge and closes transitively. */
static void add_edge(struct sm_seq_cst *order, uint32_t from, uint32_t to)
{
    uint64_t more = order->at[from].before | 1ul << from;
    for (uint32_t i = 0; i < order->n; i++)
        if (i == to || order->at[i].before >> to & 1)
            order->at[i].before |= more;
}

static bool is_acyclic(const struct sm_seq_cst *order)
{
    for (uint32_t i = 0; i < order->n; i++)
        if (order->at[i].before >> i & 1)
            return false;
    return true;
}

static void relate(struct sm_machine *machine, uint32_t new, const struct access_places *places)
{
    struct sm_seq_cst *order = &machine->seq_cst;
    uint32_t thread = order->at[new].thread;
    for (uint32_t i = 0; i < order->n; i++) {
        const struct sm_seq_cst_access *other = &order->at[i];
        bool same = other->loc == order->at[new].loc;
        if (i == new)
            continue;
        if (happens_before(machine, other, thread) ||
            (same && places->written && precedes_write(machine, other, places->written)))
            add_edge(order, i, new);
        if (same && follows(machine, other, places))
            add_edge(order, new, i);
    }
}

static void name(const struct sm_machine *machine, uint16_t loc, uint16_t place, uint8_t *thread,
                 uint16_t *nth)
{
    uint16_t first, end;
    sm_machine_range(machine, loc, &first, &end);
    *thread = SM_NOBODY;
    if (!place || place == UINT16_MAX)
        return;
    *thread = machine->writes[first + place - 1].thread;
    *nth = machine->writes[first + place - 1].nth;
}

bool sm_seq_cst_add(struct sm_machine *machine, uint32_t thread, uint16_t loc, uint16_t read,
                    uint16_t written)
{
    struct access_places places = {read, written};
    uint8_t writer;
    uint32_t at;
    if (!sm_seq_cst_is_tracked())
        return true;
    if (machine->seq_cst.n == SM_SEQ_CST_ACCESSES) {
        sm_machine_note_full();
        return false;
    }
    struct sm_seq_cst_access *access = insert(&machine->seq_cst, thread, &at);
    access->thread = (uint8_t)thread;
    access->loc = loc;
    access->time = sm_machine_time(machine, thread);
    access->reads = read != UINT16_MAX;
    access->writes = written != 0;
    name(machine, loc, read, &access->read_thread, &access->read_nth);
    name(machine, loc, written, &writer, &access->write_nth);
    relate(machine, at, &places);
    return is_acyclic(&machine->seq_cst);
}

/* ---- tidying ---- */

/* It happens before everything still to come. */
static bool is_known_to_all(const struct sm_machine *machine, const struct sm_seq_cst_access *a)
{
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++)
        if (machine->threads[t].node && !sm_machine_has_ended(machine, t) &&
            !happens_before(machine, a, t))
            return false;
    return true;
}

/* A later read of the thread reads from the same write: that one precedes whatever this one
   precedes, and so a spin loop returns to the same state. */
static bool is_repeated(const struct sm_seq_cst *order, uint32_t at)
{
    const struct sm_seq_cst_access *a = &order->at[at];
    for (uint32_t i = at + 1; i < order->n && order->at[i].thread == a->thread && !a->writes; i++) {
        const struct sm_seq_cst_access *b = &order->at[i];
        if (b->reads && b->loc == a->loc && b->read_thread == a->read_thread &&
            b->read_nth == a->read_nth)
            return true;
    }
    return false;
}

void sm_seq_cst_tidy(struct sm_machine *machine)
{
    for (uint32_t i = (uint32_t)machine->seq_cst.n; i-- > 0;)
        if (is_known_to_all(machine, &machine->seq_cst.at[i]) || is_repeated(&machine->seq_cst, i))
            drop(&machine->seq_cst, i);
}
