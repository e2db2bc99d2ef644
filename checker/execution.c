#include "checker/execution.h"

#include <stdlib.h>
#include <string.h>

#include "checker/structure.h"

struct builder {
    struct sm_execution *x;
    struct sm_structure structure;
    struct sm_cells cells;
    SM_VECTOR(uint64_t) initial;       /* by cell: its initial value, if a read has returned it */
    SM_VECTOR(uint32_t) initial_shown; /* by cell: the first such record, or SM_NONE */
    uint32_t *thread_events;           /* by thread: events so far */
};

static bool is_access(uint8_t kind)
{
    return kind <= SM_EV_CAS_FAIL;
}
_Static_assert(SM_EV_LOAD == 0 && SM_EV_CAS_FAIL == 5, "accesses come first in events.def");

static bool reads(uint8_t kind)
{
    return is_access(kind) && kind != SM_EV_STORE && kind != SM_EV_ATOMIC_STORE;
}

static bool writes(uint8_t kind)
{
    return kind == SM_EV_STORE || kind == SM_EV_ATOMIC_STORE || kind == SM_EV_RMW;
}

static bool has_range(const struct sm_record *r)
{
    return is_access(r->kind) || r->kind == SM_EV_PART;
}

/* ---- well-formed records ---- */

static bool check_format(struct sm_execution *x, uint32_t i)
{
    const struct sm_record *r = &x->records[i];
    if (r->kind >= SM_EVENTS || r->order >= SM_ORDERS)
        return SM_BROKEN_RECORD(x, FORMAT, "{0} has a kind or an order that does not exist", i);
    bool names_thread = r->kind == SM_EV_SPAWN || r->kind == SM_EV_JOIN;
    if (r->thread >= x->n_threads || (names_thread && r->old >= x->n_threads))
        return SM_BROKEN_RECORD(x, THREADS, "{0} has to do with a thread that nobody creates", i);
    if (has_range(r) && (r->size < 1 || r->addr % 8 + r->size > 8))
        return SM_BROKEN_RECORD(x, FORMAT, "{0} is not within one granule of 8 bytes", i);
    return true;
}

static bool scan(struct builder *b)
{
    struct sm_execution *x = b->x;
    x->n_threads = 1; /* numbers are given in order of creation */
    for (uint32_t i = 0; i < x->n_records; i++)
        x->n_threads += x->records[i].kind == SM_EV_SPAWN;
    for (uint32_t i = 0; i < x->n_records; i++) {
        if (!check_format(x, i))
            return false;
        if (has_range(&x->records[i]))
            sm_cells_mark(&b->cells, x->records[i].addr, x->records[i].size);
    }
    return true;
}

/* ---- access modes, by the model ---- */

static uint8_t effective_order(const struct sm_execution *x, const struct sm_record *r)
{
    uint8_t order = r->order;
    if (r->kind == SM_EV_LOAD || r->kind == SM_EV_STORE) {
        order = r->flags & SM_RECORD_KEPT ? SM_ORDER_RELAXED : SM_ORDER_PLAIN;
        if (r->flags & SM_RECORD_VOLATILE)
            order = x->options.volatile_as == SM_VOLATILE_SEQ_CST   ? SM_ORDER_SEQ_CST
                    : x->options.volatile_as == SM_VOLATILE_RELAXED ? SM_ORDER_RELAXED
                                                                    : order;
    }
    if (order == SM_ORDER_PLAIN && (x->options.model < SM_MODEL_HB || r->kind > SM_EV_STORE))
        order = SM_ORDER_RELAXED;
    return order;
}

static uint8_t is_what(const struct sm_execution *x, const struct sm_record *r)
{
    bool fence = r->kind == SM_EV_FENCE || r->kind == SM_EV_ASM;
    if (!fence && !is_access(r->kind))
        return 0;
    uint8_t order = r->kind == SM_EV_ASM ? SM_ORDER_SEQ_CST : effective_order(x, r);
    bool both = order == SM_ORDER_ACQ_REL || order == SM_ORDER_SEQ_CST;
    bool acquires = both || order == SM_ORDER_ACQUIRE || order == SM_ORDER_CONSUME;
    bool releases = both || order == SM_ORDER_RELEASE;
    uint8_t is = fence ? SM_IS_FENCE : 0;
    is |= reads(r->kind) ? SM_IS_READ : 0;
    is |= writes(r->kind) ? SM_IS_WRITE : 0;
    is |= order != SM_ORDER_PLAIN ? SM_IS_ATOMIC : 0;
    is |= acquires && (fence || reads(r->kind)) ? SM_IS_ACQUIRE : 0;
    is |= releases && (fence || writes(r->kind)) ? SM_IS_RELEASE : 0;
    is |= order == SM_ORDER_SEQ_CST ? SM_IS_SEQ_CST : 0;
    is |= (is & (SM_IS_WRITE | SM_IS_ATOMIC)) && !fence ? SM_IS_COHERENT : 0;
    return is;
}

/* ---- events ---- */

static uint32_t add_event(struct builder *b, uint32_t record)
{
    struct sm_execution *x = b->x;
    const struct sm_record *r = &x->records[record];
    struct sm_checked_event event = {.record = record,
                                     .thread = r->thread,
                                     .time = ++b->thread_events[r->thread],
                                     .part = (uint32_t)x->parts.n,
                                     .location = SM_NONE,
                                     .flushed = SM_NONE,
                                     .kind = r->kind,
                                     .flags = r->flags,
                                     .is = is_what(x, r)};
    SM_PUSH(&x->events, event);
    x->event_of[record] = (uint32_t)x->events.n - 1;
    return (uint32_t)x->events.n - 1;
}

/* Adds a part for each cell of the range; source is a record number until resolve(). */
static bool add_parts(struct builder *b, uint32_t event, uint64_t addr, unsigned size,
                      uint32_t source)
{
    struct sm_execution *x = b->x;
    uint32_t cells[8];
    unsigned n = sm_cells_get(&b->cells, addr, size, cells);
    if (x->events.at[event].n_parts + n > UINT8_MAX)
        return SM_BROKEN(x, FORMAT, "{0} is an atomic access of too many bytes", event);
    for (unsigned i = 0; i < n; i++) {
        struct sm_event_part part = {event, cells[i], source};
        SM_PUSH(&x->parts, part);
    }
    x->events.at[event].n_parts += (uint8_t)n;
    return true;
}

static uint64_t slice(uint64_t value, uint64_t offset, unsigned size)
{
    value >>= 8 * offset;
    return size == 8 ? value : value & ((1ul << 8 * size) - 1);
}

static uint64_t value_read(const struct sm_record *r)
{
    return r->kind == SM_EV_RMW ? r->old : r->value;
}

uint32_t sm_part_at(const struct sm_execution *x, uint32_t event, uint32_t cell)
{
    const struct sm_checked_event *e = &x->events.at[event];
    for (uint32_t p = e->part; p < e->part + e->n_parts; p++)
        if (x->parts.at[p].cell == cell)
            return p;
    return SM_NONE;
}

static bool check_initial(struct builder *b, uint32_t record, uint64_t addr, unsigned size)
{
    const struct sm_record *r = &b->x->records[record];
    const struct sm_check_options *options = &b->x->options;
    if (options->begins &&
        !options->begins(options->memory, addr, size, slice(value_read(r), addr - r->addr, size)))
        return SM_BROKEN_RECORD(
            b->x, INITIAL, "{0} reads an initial value that memory does not begin with", record);
    uint32_t cells[8];
    unsigned n = sm_cells_get(&b->cells, addr, size, cells);
    while (b->initial.n < b->cells.all.n) {
        SM_PUSH(&b->initial, 0);
        SM_PUSH(&b->initial_shown, SM_NONE);
    }
    for (unsigned i = 0; i < n; i++) {
        const struct sm_access_cell *cell = &b->cells.all.at[cells[i]];
        uint64_t value = slice(value_read(r), cell->addr - r->addr, cell->size);
        uint32_t *shown = &b->initial_shown.at[cells[i]];
        if (*shown == SM_NONE) {
            *shown = record;
            b->initial.at[cells[i]] = value;
        } else if (b->initial.at[cells[i]] != value) {
            return SM_BROKEN_RECORD(b->x, INITIAL, "{0} and {1} read different initial values",
                                    *shown, record);
        }
    }
    return true;
}

/* A range of the read `record` is from the record rf: did that store write these bytes? */
static bool check_source(struct builder *b, uint32_t record, uint64_t addr, unsigned size,
                         uint64_t rf)
{
    struct sm_execution *x = b->x;
    const struct sm_record *r = &x->records[record];
    if (rf == SM_RF_INITIAL)
        return check_initial(b, record, addr, size);
    if (rf >= x->n_records || !writes(x->records[rf].kind))
        return SM_BROKEN_RECORD(x, FORMAT, "{0} reads from a record that is not a store", record);
    const struct sm_record *w = &x->records[rf];
    uint32_t store = (uint32_t)rf;
    if (addr < w->addr || addr + size > w->addr + w->size)
        return SM_BROKEN_RECORD(x, FORMAT, "{0} reads bytes from {1} that it did not store", record,
                                store);
    if (slice(value_read(r), addr - r->addr, size) != slice(w->value, addr - w->addr, size))
        return SM_BROKEN_RECORD(x, VALUE, "{0} reads from {1}, but not the value stored there",
                                record, store);
    bool may_see_future = x->options.model >= SM_MODEL_HB && x->options.prescient &&
                          (r->flags & SM_RECORD_FUTURE) && !(is_what(x, r) & SM_IS_ATOMIC);
    if (store >= record && !may_see_future)
        return SM_BROKEN_RECORD(x, THIN_AIR, "{0} reads from {1}, which has not happened yet",
                                record, store);
    return true;
}

/* The PART records after a read must cover it from its first byte to its last. */
static bool take_pieces(struct builder *b, uint32_t event, uint32_t record, uint32_t *next)
{
    struct sm_execution *x = b->x;
    const struct sm_record *r = &x->records[record];
    unsigned covered = 0;
    for (; *next < x->n_records && x->records[*next].kind == SM_EV_PART; ++*next) {
        const struct sm_record *p = &x->records[*next];
        if (p->addr != r->addr + covered || covered + p->size > r->size || p->thread != r->thread)
            return SM_BROKEN_RECORD(x, FORMAT, "{1} is not the next part of {0}", record, *next);
        if (!check_source(b, record, p->addr, p->size, p->rf) ||
            !add_parts(b, event, p->addr, p->size,
                       p->rf == SM_RF_INITIAL ? SM_FROM_INITIAL : (uint32_t)p->rf))
            return false;
        covered += p->size;
    }
    if (covered != r->size)
        return SM_BROKEN_RECORD(x, FORMAT, "the parts after {0} do not cover it", record);
    return true;
}

/* One record of an access, with the PART records that belong to it. */
static bool take_piece(struct builder *b, uint32_t event, uint32_t *next)
{
    struct sm_execution *x = b->x;
    uint32_t record = (*next)++;
    const struct sm_record *r = &x->records[record];
    x->event_of[record] = event;
    if (!reads(r->kind))
        return add_parts(b, event, r->addr, r->size, SM_NONE);
    if (r->rf == SM_RF_PARTS)
        return take_pieces(b, event, record, next);
    return check_source(b, record, r->addr, r->size, r->rf) &&
           add_parts(b, event, r->addr, r->size,
                     r->rf == SM_RF_INITIAL ? SM_FROM_INITIAL : (uint32_t)r->rf);
}

static bool check_blame(struct sm_execution *x, uint32_t i)
{
    const struct sm_record *r = &x->records[i];
    bool buffers = x->options.model == SM_MODEL_TSO || x->options.model == SM_MODEL_PSO;
    if ((r->flags & SM_RECORD_DELAYED) && (!buffers || r->kind == SM_EV_RMW || reads(r->kind)))
        return SM_BROKEN_RECORD(x, FORMAT, "{0} is delayed, which nothing is in this model", i);
    uint8_t lies = SM_RECORD_STALE | SM_RECORD_FUTURE | SM_RECORD_DELAYED;
    if ((r->flags & lies) && !(r->flags & SM_RECORD_LIED))
        return SM_BROKEN_RECORD(x, BLAME, "{0} is a lie about a variable that is not lied about",
                                i);
    return true;
}

static bool is_external(const struct sm_record *r)
{
    return r->kind == SM_EV_STORE && (r->flags & SM_RECORD_EXTERNAL);
}

/* Is the record at i the rest of a wide atomic access that began at `first`? */
static bool goes_on(const struct sm_execution *x, uint32_t first, uint32_t i)
{
    const struct sm_record *r = &x->records[i];
    return i < x->n_records && is_access(r->kind) && (r->flags & SM_RECORD_MORE) &&
           r->kind > SM_EV_STORE && r->kind == x->records[first].kind &&
           r->thread == x->records[first].thread;
}

/* The index of the last record of the access that begins at `first`. External stores, noticed by
   the runtime while it recorded the pieces of a wide access, are in between. */
static uint32_t last_piece(const struct sm_execution *x, uint32_t first)
{
    uint32_t last = first;
    for (uint32_t i = first + 1; i < x->n_records; i++) {
        if (goes_on(x, first, i))
            last = i;
        else if (x->records[i].kind != SM_EV_PART && !is_external(&x->records[i]))
            break;
    }
    return last;
}

static bool take_external(struct builder *b, uint32_t i)
{
    return take_piece(b, add_event(b, i), &i);
}

static bool take_access(struct builder *b, uint32_t *next)
{
    struct sm_execution *x = b->x;
    uint32_t first = *next, last = last_piece(x, first);
    bool atomic = x->records[first].kind > SM_EV_STORE;
    if (atomic && (x->records[first].flags & SM_RECORD_MORE))
        return SM_BROKEN_RECORD(x, FORMAT, "{0} continues an access that did not begin", first);
    if (last != first && (x->records[first].flags & SM_RECORD_DELAYED))
        return SM_BROKEN_RECORD(x, TEARING, "{0} is delayed, and could land in pieces", first);
    for (uint32_t i = first + 1; i < last; i++)
        if (is_external(&x->records[i]) && !take_external(b, i))
            return false;
    uint32_t event = add_event(b, first);
    while (*next <= last) {
        if (is_external(&x->records[*next]) && *next != first)
            ++*next;
        else if (!check_blame(x, *next) || !take_piece(b, event, next))
            return false;
    }
    return true;
}

static bool take_flush(struct builder *b, uint32_t i)
{
    struct sm_execution *x = b->x;
    const struct sm_record *r = &x->records[i];
    if (r->rf >= i || x->event_of[r->rf] == SM_NONE || x->records[r->rf].thread != r->thread ||
        !(x->records[r->rf].flags & SM_RECORD_DELAYED))
        return SM_BROKEN_RECORD(x, FORMAT, "{0} does not name a delayed store of its thread", i);
    const struct sm_record *w = &x->records[r->rf];
    uint32_t event = add_event(b, i);
    x->events.at[event].flushed = x->event_of[r->rf];
    return add_parts(b, event, w->addr, w->size, SM_NONE);
}

static bool take_other(struct builder *b, uint32_t i)
{
    const struct sm_record *r = &b->x->records[i];
    if (r->kind == SM_EV_PART)
        return SM_BROKEN_RECORD(b->x, FORMAT, "{0} is part of no read", i);
    if (r->kind == SM_EV_FLUSH)
        return take_flush(b, i);
    if (r->kind == SM_EV_FREE)
        sm_cells_free_range(&b->cells, r->addr, r->old);
    add_event(b, i);
    return true;
}

static bool take_all(struct builder *b)
{
    struct sm_execution *x = b->x;
    for (uint32_t i = 0; i < x->n_records;) {
        if (!sm_structure_take(x, &b->structure, i))
            return false;
        if (is_access(x->records[i].kind)) {
            if (!take_access(b, &i))
                return false;
        } else if (!take_other(b, i++)) {
            return false;
        }
    }
    return true;
}

/* ---- reads-from, as parts ---- */

/* A store delayed past a free reaches other cells than it was made to: then the part is that of its
   FLUSH. */
static void landed_parts(const struct sm_execution *x, uint32_t *flush_of)
{
    memset(flush_of, 0xff, x->events.n * sizeof *flush_of);
    for (uint32_t e = 0; e < x->events.n; e++)
        if (x->events.at[e].flushed != SM_NONE)
            flush_of[x->events.at[e].flushed] = e;
}

static bool resolve(struct sm_execution *x)
{
    uint32_t *flush_of = sm_check_alloc(x->events.n, sizeof *flush_of);
    bool ok = true;
    landed_parts(x, flush_of);
    for (uint32_t p = 0; p < x->parts.n && ok; p++) {
        struct sm_event_part *part = &x->parts.at[p];
        if (part->source == SM_NONE || part->source == SM_FROM_INITIAL)
            continue;
        uint32_t store = x->event_of[part->source];
        part->source = sm_part_at(x, store, part->cell);
        if (part->source == SM_NONE && flush_of[store] != SM_NONE)
            part->source = sm_part_at(x, flush_of[store], part->cell);
        if (part->source == SM_NONE)
            ok = SM_BROKEN(x, LIFETIME, "{0} reads from {1}, but the memory was freed in between",
                           part->event, store);
    }
    free(flush_of);
    return ok;
}

/* ---- locations ---- */

static uint32_t root(uint32_t *parent, uint32_t cell)
{
    while (parent[cell] != cell)
        cell = parent[cell] = parent[parent[cell]];
    return cell;
}

static void find_locations(struct sm_execution *x)
{
    uint32_t *parent = sm_check_alloc(x->n_cells, sizeof *parent);
    for (uint32_t c = 0; c < x->n_cells; c++)
        parent[c] = c;
    for (uint32_t p = 1; p < x->parts.n; p++)
        if (x->parts.at[p].event == x->parts.at[p - 1].event)
            parent[root(parent, x->parts.at[p].cell)] = root(parent, x->parts.at[p - 1].cell);
    for (uint32_t e = 0; e < x->events.n; e++)
        if (x->events.at[e].n_parts)
            x->events.at[e].location = root(parent, x->parts.at[x->events.at[e].part].cell);
    free(parent);
}

static void sort_by_thread(struct sm_execution *x, const uint32_t *thread_events)
{
    x->thread_first = sm_check_alloc(x->n_threads + 1ul, sizeof *x->thread_first);
    x->by_thread = sm_check_alloc(x->events.n, sizeof *x->by_thread);
    for (uint32_t t = 0; t < x->n_threads; t++)
        x->thread_first[t + 1] = x->thread_first[t] + thread_events[t];
    for (uint32_t e = 0; e < x->events.n; e++) {
        const struct sm_checked_event *event = &x->events.at[e];
        x->by_thread[x->thread_first[event->thread] + event->time - 1] = e;
    }
}

bool sm_execution_build(struct sm_execution *x)
{
    struct builder b = {.x = x};
    bool ok = scan(&b);
    if (!ok)
        goto out;
    x->event_of = sm_check_alloc(x->n_records, sizeof *x->event_of);
    memset(x->event_of, 0xff, x->n_records * sizeof *x->event_of);
    b.thread_events = sm_check_alloc(x->n_threads, sizeof *b.thread_events);
    sm_structure_start(&b.structure, x->n_threads);
    ok = take_all(&b);
    x->n_cells = (uint32_t)b.cells.all.n;
    x->cells = b.cells.all.at;
    b.cells.all.at = NULL;
    if (!ok || !(ok = resolve(x)))
        goto out;
    find_locations(x);
    sort_by_thread(x, b.thread_events);
out:
    sm_structure_destroy(&b.structure);
    sm_cells_destroy(&b.cells);
    free(b.initial.at);
    free(b.initial_shown.at);
    free(b.thread_events);
    return ok;
}

void sm_execution_free(struct sm_execution *x)
{
    free(x->events.at);
    free(x->parts.at);
    free(x->cells);
    free(x->event_of);
    free(x->by_thread);
    free(x->thread_first);
    free(x->mo_prev);
}
