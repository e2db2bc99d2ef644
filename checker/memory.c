/*
 * Checks reads against memory order, which is trace order with each delayed store at its
 * FLUSH. These are SPARC's axioms for TSO and PSO (Value, LoadOp, StoreStore, Atomicity)
 * with the total order given, so that one pass decides; sc is the case without delays.
 * In c11 and hb only accesses that must read the newest store are checked here.
 */
#include <stdlib.h>
#include <string.h>

#include "checker/execution.h"

/* The stores of one thread that have not reached memory, oldest first. */
struct store_buffer {
    uint32_t first, last; /* events, or SM_NONE */
    uint32_t fence;       /* time of the last store fence: pso does not reorder stores across it */
};

/* The newest delayed store of a thread at a cell: a list for each cell. */
struct own {
    uint32_t thread, event, next;
};

struct memory_state {
    struct sm_execution *x;
    uint32_t *memory; /* by cell: event of the newest store there, or SM_FROM_INITIAL */
    struct store_buffer *buffers;
    uint32_t *next, *prev; /* by event: links of its buffer; next[e] == e: not delayed now */
    uint32_t *fence;       /* by delayed store: time of the last store fence before it */
    uint32_t *own_first;   /* by cell: in owns, or SM_NONE */
    SM_VECTOR(struct own) owns;
};

static bool has_buffers(const struct sm_execution *x)
{
    return x->options.model == SM_MODEL_TSO || x->options.model == SM_MODEL_PSO;
}

static uint32_t *filled(size_t n, uint32_t value)
{
    uint32_t *array = sm_check_alloc(n, sizeof *array);
    for (size_t i = 0; i < n; i++)
        array[i] = value;
    return array;
}

static void start(struct memory_state *s)
{
    const struct sm_execution *x = s->x;
    s->memory = filled(x->n_cells, SM_FROM_INITIAL);
    s->own_first = filled(x->n_cells, SM_NONE);
    s->buffers = sm_check_alloc(x->n_threads, sizeof *s->buffers);
    for (uint32_t t = 0; t < x->n_threads; t++)
        s->buffers[t] = (struct store_buffer){SM_NONE, SM_NONE, 0};
    s->prev = filled(x->events.n, SM_NONE);
    s->fence = filled(x->events.n, 0);
    s->next = filled(x->events.n, SM_NONE);
    for (uint32_t e = 0; e < x->events.n; e++)
        s->next[e] = e;
    SM_PUSH(&s->owns,
            (struct own){SM_NONE, SM_NONE, SM_NONE}); /* a dummy, so that it is never empty */
}

static void stop(struct memory_state *s)
{
    free(s->memory);
    free(s->own_first);
    free(s->buffers);
    free(s->prev);
    free(s->next);
    free(s->fence);
    free(s->owns.at);
}

/* ---- own delayed stores ---- */

static uint32_t *own_slot(struct memory_state *s, uint32_t cell, uint32_t thread)
{
    uint32_t *link = &s->own_first[cell];
    while (*link != SM_NONE && s->owns.at[*link].thread != thread)
        link = &s->owns.at[*link].next;
    return link;
}

static uint32_t own_newest(struct memory_state *s, uint32_t cell, uint32_t thread)
{
    uint32_t at = *own_slot(s, cell, thread);
    return at == SM_NONE ? SM_NONE : s->owns.at[at].event;
}

static void own_set(struct memory_state *s, uint32_t cell, uint32_t thread, uint32_t event)
{
    uint32_t *link = own_slot(s, cell, thread);
    if (*link != SM_NONE) {
        s->owns.at[*link].event = event;
        return;
    }
    struct own fresh = {thread, event, SM_NONE};
    *link = (uint32_t)s->owns.n; /* before the push, which may move the array */
    SM_PUSH(&s->owns, fresh);
}

static void own_clear(struct memory_state *s, uint32_t cell, uint32_t thread, uint32_t event)
{
    uint32_t *link = own_slot(s, cell, thread);
    if (*link != SM_NONE && s->owns.at[*link].event == event)
        *link = s->owns.at[*link].next;
}

/* ---- stores ---- */

static void delay(struct memory_state *s, uint32_t e)
{
    const struct sm_checked_event *event = &s->x->events.at[e];
    struct store_buffer *buffer = &s->buffers[event->thread];
    s->next[e] = SM_NONE;
    s->fence[e] = buffer->fence;
    s->prev[e] = buffer->last;
    *(buffer->last == SM_NONE ? &buffer->first : &s->next[buffer->last]) = e;
    buffer->last = e;
    for (uint32_t p = event->part; p < event->part + event->n_parts; p++)
        own_set(s, s->x->parts.at[p].cell, event->thread, e);
}

static void remove_delayed(struct memory_state *s, uint32_t e)
{
    const struct sm_checked_event *event = &s->x->events.at[e];
    struct store_buffer *buffer = &s->buffers[event->thread];
    uint32_t next = s->next[e], prev = s->prev[e];
    *(prev == SM_NONE ? &buffer->first : &s->next[prev]) = next;
    *(next == SM_NONE ? &buffer->last : &s->prev[next]) = prev;
    s->next[e] = e;
    for (uint32_t p = event->part; p < event->part + event->n_parts; p++)
        own_clear(s, s->x->parts.at[p].cell, event->thread, e);
}

static bool share_a_cell(const struct sm_execution *x, uint32_t a, uint32_t b)
{
    const struct sm_checked_event *ea = &x->events.at[a], *eb = &x->events.at[b];
    for (uint32_t p = ea->part; p < ea->part + ea->n_parts; p++)
        for (uint32_t q = eb->part; q < eb->part + eb->n_parts; q++)
            if (x->parts.at[p].cell == x->parts.at[q].cell)
                return true;
    return false;
}

/* The delayed store of the thread that must reach memory before store e may, or SM_NONE.
   Store buffers are short, so pso may scan them. */
static uint32_t in_the_way(const struct memory_state *s, uint32_t e, uint32_t fence)
{
    const struct sm_execution *x = s->x;
    const struct sm_checked_event *event = &x->events.at[e];
    uint32_t d = s->buffers[event->thread].first;
    if (x->options.model == SM_MODEL_TSO)
        return d == e ? SM_NONE : d;
    uint32_t before = sm_is(event, SM_IS_RELEASE) ? event->time : fence;
    for (; d != SM_NONE && d != e; d = s->next[d])
        if (x->events.at[d].time < before || share_a_cell(x, d, e))
            return d;
    return SM_NONE;
}

static void land(struct memory_state *s, const struct sm_checked_event *where, uint32_t store)
{
    for (uint32_t p = where->part; p < where->part + where->n_parts; p++)
        s->memory[s->x->parts.at[p].cell] = store;
}

static bool take_flush(struct memory_state *s, uint32_t e)
{
    struct sm_execution *x = s->x;
    const struct sm_checked_event *event = &x->events.at[e];
    uint32_t store = event->flushed;
    if (s->next[store] == store)
        return SM_BROKEN(x, FORMAT, "{0} flushes {1}, which has reached memory already", e, store);
    uint32_t d = in_the_way(s, store, s->fence[store]);
    if (d != SM_NONE)
        return SM_BROKEN(x, FIFO, "{0} lets {1} reach memory before {2}", e, store, d);
    remove_delayed(s, store);
    land(s, event, store);
    return true;
}

static bool take_store(struct memory_state *s, uint32_t e)
{
    struct sm_execution *x = s->x;
    const struct sm_checked_event *event = &x->events.at[e];
    if (has_buffers(x) && !(event->flags & SM_RECORD_EXTERNAL)) {
        if (event->flags & SM_RECORD_DELAYED) {
            delay(s, e);
            return true;
        }
        uint32_t d = in_the_way(s, e, s->buffers[event->thread].fence);
        if (d != SM_NONE)
            return SM_BROKEN(x, FIFO, "{0} reaches memory before {1}", e, d);
    }
    land(s, event, e);
    return true;
}

/* ---- drains ---- */

static const uint8_t hb_class[] = {
#define SM_EVENT(name, word, hb) SM_HB_##hb,
#include "abi/events.def"
};

static bool drains(const struct sm_checked_event *event)
{
    switch (event->kind) {
    case SM_EV_RMW:
    case SM_EV_CAS_FAIL:
    case SM_EV_ASM:
    case SM_EV_TRYLOCK_FAIL:
    case SM_EV_WAIT:
    case SM_EV_WAKE:
    case SM_EV_SIGNAL:
    case SM_EV_BROADCAST:
        return true;
    case SM_EV_FENCE:
        return sm_is(event, SM_IS_SEQ_CST);
    default:
        return sm_is(event, SM_IS_WRITE | SM_IS_SEQ_CST) || hb_class[event->kind] != SM_HB_NONE;
    }
}

static bool check_drain(struct memory_state *s, uint32_t e)
{
    struct sm_execution *x = s->x;
    const struct sm_checked_event *event = &x->events.at[e];
    struct store_buffer *buffer = &s->buffers[event->thread];
    if (event->kind == SM_EV_FENCE && sm_is(event, SM_IS_RELEASE))
        buffer->fence = event->time;
    if (!drains(event))
        return true;
    if (event->flags & SM_RECORD_DELAYED)
        return SM_BROKEN(x, DRAIN, "{0} is delayed, but drains the buffer it would wait in", e);
    if (buffer->first != SM_NONE)
        return SM_BROKEN(x, DRAIN, "{0} is done while {1} is still delayed", e, buffer->first);
    return true;
}

/* ---- reads ---- */

static uint32_t store_of(const struct sm_execution *x, uint32_t source)
{
    if (source == SM_FROM_INITIAL)
        return SM_FROM_INITIAL;
    uint32_t e = x->parts.at[source].event;
    return x->events.at[e].flushed == SM_NONE ? e : x->events.at[e].flushed;
}

static bool wrong_store(struct memory_state *s, uint32_t e, uint32_t should, bool own)
{
    struct sm_execution *x = s->x;
    if (should == SM_FROM_INITIAL)
        return SM_BROKEN(x, NEWEST, "{0} reads a store that has not reached memory", e);
    if (own)
        return SM_BROKEN(x, FORWARD, "{0} does not read {1}, delayed in its own thread", e, should);
    return SM_BROKEN(x, NEWEST, "{0} does not read {1}, the newest store in memory", e, should);
}

static bool take_read(struct memory_state *s, uint32_t e)
{
    struct sm_execution *x = s->x;
    const struct sm_checked_event *event = &x->events.at[e];
    for (uint32_t p = event->part; p < event->part + event->n_parts; p++) {
        const struct sm_event_part *part = &x->parts.at[p];
        uint32_t own = has_buffers(x) ? own_newest(s, part->cell, event->thread) : SM_NONE;
        uint32_t should = own != SM_NONE ? own : s->memory[part->cell];
        if (store_of(x, part->source) != should)
            return wrong_store(s, e, should, own != SM_NONE);
    }
    return true;
}

static bool is_judged(const struct sm_execution *x, const struct sm_checked_event *event)
{
    return sm_is(event, SM_IS_READ) &&
           (x->options.model < SM_MODEL_C11 || !(event->flags & SM_RECORD_LIED));
}

bool sm_check_memory(struct sm_execution *x)
{
    struct memory_state s = {.x = x};
    bool ok = true;
    start(&s);
    for (uint32_t e = 0; e < x->events.n && ok; e++) {
        const struct sm_checked_event *event = &x->events.at[e];
        ok = !has_buffers(x) || check_drain(&s, e);
        if (ok && is_judged(x, event))
            ok = take_read(&s, e);
        if (ok && event->kind == SM_EV_FLUSH)
            ok = take_flush(&s, e);
        else if (ok && sm_is(event, SM_IS_WRITE))
            ok = take_store(&s, e);
    }
    stop(&s);
    return ok;
}
