#include "checker/happens.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t hb_class[] = {
#define SM_EVENT(name, word, hb) SM_HB_##hb,
#include "abi/events.def"
};

typedef SM_VECTOR(uint32_t) event_list;

/* A lock or another object, with the releases that its next acquire synchronises with. */
struct released_object {
    uint64_t addr;
    event_list releases;
    uint32_t next; /* of the same granule; SM_ABSENT: the last */
};
enum { INDEX_GRANULE = 64 };

struct thread {
    uint32_t *known;          /* by thread: time of its last event that happens before now */
    uint32_t clock;           /* `known` as last stored */
    bool acquired;            /* since then */
    uint32_t spawned_by, end; /* events, or SM_NONE */
    uint32_t release_fence;   /* its last, or SM_NONE */
    event_list unfenced;      /* read by relaxed loads, for the next acquire fence */
};

struct message {
    uint32_t first, n;
};

struct happens_state {
    struct sm_execution *x;
    struct thread *threads;
    uint32_t *message_of; /* by event: what a store publishes; 0 is the empty message */
    SM_VECTOR(struct message) messages;
    event_list message_events;
    /* By object; by granule, its newest object; by (thread, location). */
    struct sm_index object_index, object_granules, last_release;
    SM_VECTOR(struct released_object) objects;
};

/* ---- clocks ---- */

static void acquire(struct happens_state *s, uint32_t t, uint32_t e)
{
    const struct sm_execution *x = s->x;
    const struct sm_checked_event *event = &x->events.at[e];
    struct thread *thread = &s->threads[t];
    if (event->thread == t || thread->known[event->thread] >= event->time)
        return;
    const struct sm_event_clock *clock = &x->clocks->all.at[event->clock];
    for (uint32_t u = 0; u < clock->n; u++) {
        uint32_t time = x->clocks->times.at[clock->first + u];
        if (time > thread->known[u])
            thread->known[u] = time;
    }
    thread->known[event->thread] = event->time;
    thread->acquired = true;
}

static uint32_t store_clock(struct happens_state *s, uint32_t t)
{
    struct sm_event_clocks *clocks = s->x->clocks;
    struct thread *thread = &s->threads[t];
    struct sm_event_clock clock = {(uint32_t)clocks->times.n, s->x->n_threads};
    while (clock.n && !thread->known[clock.n - 1])
        clock.n--;
    for (uint32_t u = 0; u < clock.n; u++)
        SM_PUSH(&clocks->times, thread->known[u]);
    SM_PUSH(&clocks->all, clock);
    return (uint32_t)clocks->all.n - 1;
}

/* ---- lists of events, the last one of each thread ---- */

static void list_add(const struct sm_execution *x, event_list *list, uint32_t first, uint32_t e)
{
    for (size_t i = first; i < list->n; i++) {
        if (x->events.at[list->at[i]].thread != x->events.at[e].thread)
            continue;
        if (list->at[i] < e)
            list->at[i] = e;
        return;
    }
    SM_PUSH(list, e);
}

/* ---- locks and other objects ---- */

static uint64_t object_key(uint64_t addr, uint64_t aux)
{
    return (addr ^ aux * 0xd6e8feb86659fd93u) * 0xa0761d6478bd642fu;
}

static event_list *object_at(struct happens_state *s, uint64_t addr, uint64_t aux)
{
    uint64_t key = object_key(addr, aux), granule = addr / INDEX_GRANULE;
    uint32_t i = sm_index_get(&s->object_index, key);
    if (i == SM_ABSENT) {
        struct released_object fresh = {.addr = addr,
                                        .next = sm_index_get(&s->object_granules, granule)};
        i = (uint32_t)s->objects.n;
        SM_PUSH(&s->objects, fresh);
        sm_index_put(&s->object_index, key, i);
        sm_index_put(&s->object_granules, granule, i);
    }
    return &s->objects.at[i].releases;
}

static void forget_object(struct released_object *object, uint64_t low, uint64_t high)
{
    if (object->addr >= low && object->addr < high)
        object->releases.n = 0;
}

/* New objects in this memory do not synchronise with releases to the old ones. */
static void forget_objects(struct happens_state *s, uint64_t low, uint64_t high)
{
    if (!s->objects.n || low >= high)
        return;
    uint64_t first = low / INDEX_GRANULE, last = (high - 1) / INDEX_GRANULE;
    if (last - first >= s->objects.n) {
        for (size_t i = 0; i < s->objects.n; i++)
            forget_object(&s->objects.at[i], low, high);
        return;
    }
    for (uint64_t granule = first; granule <= last; granule++)
        for (uint32_t i = sm_index_get(&s->object_granules, granule); i != SM_ABSENT;
             i = s->objects.at[i].next)
            forget_object(&s->objects.at[i], low, high);
}

static void acquire_object(struct happens_state *s, uint32_t t, uint64_t addr, uint64_t aux)
{
    event_list *list = object_at(s, addr, aux);
    for (size_t i = 0; i < list->n; i++)
        acquire(s, t, list->at[i]);
}

/* Releases that happen before this one are dropped: a mutex has a list of one. */
static void release_object(struct happens_state *s, uint32_t e)
{
    const struct sm_execution *x = s->x;
    const struct sm_record *r = &x->records[x->events.at[e].record];
    event_list *list = object_at(s, r->addr, r->old);
    size_t kept = 0;
    for (size_t i = 0; i < list->n; i++) {
        const struct sm_checked_event *old = &x->events.at[list->at[i]];
        if (old->thread != r->thread && s->threads[r->thread].known[old->thread] < old->time)
            list->at[kept++] = list->at[i];
    }
    list->n = kept;
    SM_PUSH(list, e);
}

static void sync_before(struct happens_state *s, uint32_t e)
{
    const struct sm_record *r = &s->x->records[s->x->events.at[e].record];
    struct thread *self = &s->threads[r->thread];
    if (r->kind == SM_EV_FREE)
        forget_objects(s, r->addr, r->addr + r->old);
    switch (hb_class[r->kind]) {
    case SM_HB_FORGET:
        forget_objects(s, r->addr, r->addr + 1);
        break;
    case SM_HB_ACQ:
        acquire_object(s, r->thread, r->addr, r->old);
        break;
    case SM_HB_ACQ_BOTH:
        acquire_object(s, r->thread, r->addr, 0);
        acquire_object(s, r->thread, r->addr, 1);
        break;
    case SM_HB_BEGIN:
        if (self->spawned_by != SM_NONE)
            acquire(s, r->thread, self->spawned_by);
        break;
    case SM_HB_JOIN:
        acquire(s, r->thread, s->threads[r->old].end);
        break;
    default:
        break;
    }
}

static void sync_after(struct happens_state *s, uint32_t e)
{
    const struct sm_record *r = &s->x->records[s->x->events.at[e].record];
    switch (hb_class[r->kind]) {
    case SM_HB_REL:
        release_object(s, e);
        break;
    case SM_HB_SPAWN:
        s->threads[r->old].spawned_by = e;
        break;
    case SM_HB_END:
        s->threads[r->thread].end = e;
        break;
    default:
        break;
    }
}

/* ---- atomics ---- */

static void read_message(struct happens_state *s, const struct sm_checked_event *event,
                         uint32_t store)
{
    if (!sm_is(event, SM_IS_ATOMIC))
        return;
    struct message m = s->messages.at[s->message_of[store]];
    for (uint32_t i = m.first; i < m.first + m.n; i++) {
        uint32_t e = s->message_events.at[i];
        if (sm_is(event, SM_IS_ACQUIRE))
            acquire(s, event->thread, e);
        else
            list_add(s->x, &s->threads[event->thread].unfenced, 0, e);
    }
}

static void atomic_before(struct happens_state *s, uint32_t e)
{
    const struct sm_execution *x = s->x;
    const struct sm_checked_event *event = &x->events.at[e];
    struct thread *self = &s->threads[event->thread];
    if (sm_is(event, SM_IS_FENCE | SM_IS_ACQUIRE)) {
        for (size_t i = 0; i < self->unfenced.n; i++)
            acquire(s, event->thread, self->unfenced.at[i]);
        self->unfenced.n = 0;
    }
    if (!sm_is(event, SM_IS_READ))
        return;
    for (uint32_t p = event->part; p < event->part + event->n_parts; p++) {
        uint32_t source = x->parts.at[p].source;
        if (source != SM_FROM_INITIAL && x->parts.at[source].event < e)
            read_message(s, event, x->parts.at[source].event);
    }
}

/* The event of its own thread that readers of this store synchronise with: the store, a
   release fence before it, or an earlier release store to the location (RC11's
   [W];po|loc;[W]), whichever is last; SM_NONE if there is none. */
static uint32_t own_release(struct happens_state *s, uint32_t e)
{
    const struct sm_checked_event *event = &s->x->events.at[e];
    uint64_t key = (uint64_t)event->thread << 32 | event->location;
    if (sm_is(event, SM_IS_RELEASE)) {
        sm_index_put(&s->last_release, key, e);
        return e;
    }
    uint32_t fence = s->threads[event->thread].release_fence;
    uint32_t earlier = sm_index_get(&s->last_release, key);
    if (fence == SM_NONE || earlier == SM_ABSENT)
        return fence == SM_NONE ? earlier : fence;
    return fence > earlier ? fence : earlier;
}
_Static_assert(SM_ABSENT == SM_NONE, "a missing entry is no event");

/* An RMW continues the release sequence it reads from. */
static void inherit(struct happens_state *s, const struct sm_checked_event *event, uint32_t own,
                    uint32_t first)
{
    const struct sm_execution *x = s->x;
    for (uint32_t p = event->part; p < event->part + event->n_parts; p++) {
        uint32_t source = x->parts.at[p].source;
        if (source == SM_FROM_INITIAL)
            continue;
        struct message m = s->messages.at[s->message_of[x->parts.at[source].event]];
        for (uint32_t i = m.first; i < m.first + m.n; i++) {
            uint32_t e = s->message_events.at[i];
            if (own == SM_NONE || !sm_happens_before(x, e, own))
                list_add(x, &s->message_events, first, e);
        }
    }
}

static void publish(struct happens_state *s, uint32_t e)
{
    const struct sm_checked_event *event = &s->x->events.at[e];
    uint32_t own = own_release(s, e);
    struct message m = {(uint32_t)s->message_events.n, 0};
    if (own != SM_NONE)
        SM_PUSH(&s->message_events, own);
    if (sm_is(event, SM_IS_READ))
        inherit(s, event, own, m.first);
    m.n = (uint32_t)s->message_events.n - m.first;
    if (!m.n)
        return;
    s->message_of[e] = (uint32_t)s->messages.n;
    SM_PUSH(&s->messages, m);
}

static void atomic_after(struct happens_state *s, uint32_t e)
{
    const struct sm_checked_event *event = &s->x->events.at[e];
    if (sm_is(event, SM_IS_FENCE | SM_IS_RELEASE))
        s->threads[event->thread].release_fence = e;
    if (sm_is(event, SM_IS_WRITE | SM_IS_ATOMIC))
        publish(s, e);
}

/* ---- the pass ---- */

static void start(struct happens_state *s)
{
    struct sm_execution *x = s->x;
    x->clocks = sm_check_alloc(1, sizeof *x->clocks);
    s->threads = sm_check_alloc(x->n_threads, sizeof *s->threads);
    s->message_of = sm_check_alloc(x->events.n, sizeof *s->message_of);
    SM_PUSH(&s->messages, (struct message){0, 0});
    for (uint32_t t = 0; t < x->n_threads; t++) {
        struct thread *thread = &s->threads[t];
        thread->known = sm_check_alloc(x->n_threads, sizeof *thread->known);
        thread->acquired = true;
        thread->spawned_by = thread->end = thread->release_fence = SM_NONE;
    }
}

static void stop(struct happens_state *s)
{
    for (uint32_t t = 0; t < s->x->n_threads; t++) {
        free(s->threads[t].known);
        free(s->threads[t].unfenced.at);
    }
    for (size_t i = 0; i < s->objects.n; i++)
        free(s->objects.at[i].releases.at);
    free(s->threads);
    free(s->message_of);
    free(s->messages.at);
    free(s->message_events.at);
    free(s->object_index.slots);
    free(s->object_granules.slots);
    free(s->last_release.slots);
    free(s->objects.at);
}

void sm_happens_compute(struct sm_execution *x)
{
    struct happens_state s = {.x = x};
    start(&s);
    for (uint32_t e = 0; e < x->events.n; e++) {
        struct sm_checked_event *event = &x->events.at[e];
        struct thread *self = &s.threads[event->thread];
        sync_before(&s, e);
        atomic_before(&s, e);
        if (self->acquired)
            self->clock = store_clock(&s, event->thread);
        self->acquired = false;
        event->clock = self->clock;
        sync_after(&s, e);
        atomic_after(&s, e);
    }
    stop(&s);
}

void sm_happens_free(struct sm_execution *x)
{
    if (!x->clocks)
        return;
    free(x->clocks->times.at);
    free(x->clocks->all.at);
    free(x->clocks);
}
