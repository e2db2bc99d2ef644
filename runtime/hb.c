#include "runtime/hb.h"

#include "base/sys.h"
#include "base/table.h"
#include "core/edges.h"
#include "core/order.h"
#include "runtime/control.h"
#include "runtime/thread.h"

bool sm_hb_on;
static bool coherent_on;
static bool plain_counts; /* plain accesses are relaxed atomics */
static bool may_ignore;   /* sc: happens-before is for the analyses only */

struct state {
    struct sm_view view;
    struct sm_view acquired; /* by relaxed loads; takes effect at an acquire fence */
    struct sm_view released; /* at the last release fence; carried by relaxed stores */
    bool has_released;
    struct sm_message *snapshot; /* of view, until it changes; NULL: none made yet */
    uint64_t version;            /* of view: unique among all views of all threads */
};

/* What was released to a synchronisation object; or to an atomic location, by the thread `aux`: the
   head of its release sequence there (RC11: later stores of the same thread belong to the sequence
   that its release store heads). */
struct object {
    uintptr_t addr;
    uint64_t aux;
    struct sm_view view;
    struct object *next; /* of the same granule */
};
enum { OBJECT_GRANULE = 64 };

static struct sm_message *dropped; /* to be freed */
static struct sm_table objects;    /* granule + 1 -> struct object; an address may be NULL */
static struct sm_table heads;      /* the same, of atomic locations */
static struct sm_clock sc_fences;  /* the view at the seq_cst fences so far */
static uint64_t sc_stores;         /* seq_cst stores so far */
static uint64_t versions;          /* of views so far */

/* ---- threads ---- */

static struct state *state_of(const struct sm_thread *thread)
{
    return thread->hb_state;
}

static void changed(struct state *state)
{
    sm_message_drop(state->snapshot);
    state->snapshot = NULL;
    state->version = ++versions;
}

static void set_time(struct state *state, uint32_t thread, uint32_t time)
{
    sm_clock_set(&state->view.hb, thread, time);
    if (coherent_on)
        sm_clock_set(&state->view.coherent, thread, time);
    changed(state);
}

static struct state *new_state(struct sm_thread *thread)
{
    struct state *state = sm_alloc(sizeof *state);
    thread->hb_state = state;
    set_time(state, thread->id, 1);
    return state;
}

/* The thread acquires `from`. */
static void learn(const struct sm_thread *thread, const struct sm_view *from)
{
    struct state *state = state_of(thread);
    sm_view_join(&state->view, from);
    changed(state);
}

static void tick(const struct sm_thread *thread)
{
    set_time(state_of(thread), thread->id, sm_hb_time(thread) + 1);
}

/* The program says that this thread's synchronisation does not order: AnnotateIgnoreSyncBegin. Its
   annotations do. */
static bool is_ignored(const struct sm_event *event)
{
    if (SM_LIKELY(!event->thread->sync_ignored) || !may_ignore)
        return false;
    switch (event->kind) {
    case SM_EV_HAPPENS_BEFORE:
    case SM_EV_HAPPENS_AFTER:
    case SM_EV_SPAWN:
    case SM_EV_BEGIN:
    case SM_EV_END:
    case SM_EV_JOIN:
    case SM_EV_FREE:
        return false;
    default:
        return true;
    }
}

void sm_hb_start(bool on, bool coherent, bool plain_is_relaxed)
{
    may_ignore = sm_option(model) == SM_MODEL_SC;
    sm_hb_on = on;
    coherent_on = coherent;
    plain_counts = plain_is_relaxed;
    sm_table_clear(&objects);
    sm_table_clear(&heads);
    sm_clock_clear(&sc_fences);
    dropped = NULL;
    sc_stores = 0;
    versions = 0;
    if (on)
        new_state(sm_thread_by_id(0));
}

const struct sm_view *sm_hb_view(const struct sm_thread *thread)
{
    return &state_of(thread)->view;
}

uint64_t sm_hb_version(const struct sm_thread *thread)
{
    return state_of(thread)->version;
}

uint32_t sm_hb_time(const struct sm_thread *thread)
{
    return sm_clock_get(&state_of(thread)->view.hb, thread->id);
}

/* ---- messages ---- */

struct sm_message *sm_message_keep(struct sm_message *message)
{
    if (message)
        message->references++;
    return message;
}

/* A read-modify-write drops the message that it read when it stores, and acquires it only after
   that: so messages live until the next event. */
void sm_message_drop(struct sm_message *message)
{
    if (!message || --message->references)
        return;
    message->next = dropped;
    dropped = message;
}

static void free_dropped(void)
{
    while (dropped) {
        struct sm_message *message = dropped;
        dropped = message->next;
        sm_view_clear(&message->view);
        sm_free(message, sizeof *message);
    }
}

struct sm_message *sm_message_new(void)
{
    return sm_message_keep(sm_alloc(sizeof(struct sm_message)));
}

void sm_message_add(struct sm_message *to, const struct sm_message *from)
{
    if (from)
        sm_view_join(&to->view, &from->view);
}

struct sm_message *sm_hb_snapshot(const struct sm_thread *thread)
{
    struct state *state = state_of(thread);
    if (!state->snapshot) {
        state->snapshot = sm_message_new();
        sm_view_copy(&state->snapshot->view, &state->view);
    }
    return state->snapshot;
}

/* In hb and oota plain accesses do not synchronise, but those that the compiler must keep
   (volatile) take part in synchronisation by fences: they are relaxed. */
static bool is_kept(const struct sm_event *event)
{
    bool is_volatile = event->flags & SM_RECORD_VOLATILE;
    return (is_volatile && sm_option(volatile_as) != SM_VOLATILE_PLAIN) ||
           (event->flags & SM_RECORD_KEPT);
}

static bool is_atomic(const struct sm_event *event)
{
    return plain_counts || event->order != SM_ORDER_PLAIN || (coherent_on && is_kept(event));
}

static bool stores(const struct sm_event *event)
{
    return event->kind == SM_EV_ATOMIC_STORE || event->kind == SM_EV_RMW ||
           event->kind == SM_EV_STORE;
}

struct sm_message *sm_hb_view_of_store(const struct sm_event *event)
{
    struct sm_message *snapshot = sm_message_keep(sm_hb_snapshot(event->thread));
    if (event->kind != SM_EV_RMW || !event->message_read || !sm_order_acquires(event->order))
        return snapshot;
    struct sm_message *view = sm_message_new();
    sm_view_copy(&view->view, &snapshot->view);
    sm_view_join(&view->view, &event->message_read->view);
    sm_message_drop(snapshot);
    return view;
}

/* ---- objects ---- */

static struct object *find_object(const struct sm_table *table, uintptr_t addr, uint64_t aux)
{
    struct object *object = sm_table_get(table, addr / OBJECT_GRANULE + 1);
    while (object && (object->addr != addr || object->aux != aux))
        object = object->next;
    return object;
}

static struct sm_view *object_view(struct sm_table *table, uintptr_t addr, uint64_t aux)
{
    struct object *object = find_object(table, addr, aux);
    if (object)
        return &object->view;
    void **place = sm_table_at(table, addr / OBJECT_GRANULE + 1);
    object = sm_alloc(sizeof *object);
    *object = (struct object){.addr = addr, .aux = aux, .next = *place};
    *place = object;
    return &object->view;
}

static void forget_among(void **place, uintptr_t low, uintptr_t high)
{
    struct object *kept = NULL;
    for (struct object *object = *place, *next; object; object = next) {
        next = object->next;
        if (object->addr < low || object->addr >= high) {
            object->next = kept;
            kept = object;
            continue;
        }
        sm_view_clear(&object->view);
        sm_free(object, sizeof *object);
    }
    *place = kept;
}

/* The objects in a range of memory are gone: what is placed there later has no past. */
static void forget(struct sm_table *table, uintptr_t low, uintptr_t high)
{
    if (!table->n || low >= high)
        return;
    uintptr_t first = low / OBJECT_GRANULE, last = (high - 1) / OBJECT_GRANULE;
    if (last - first >= table->capacity) {
        for (size_t i = 0; i < table->capacity; i++)
            forget_among(&table->entries[i].value, low, high);
        return;
    }
    for (uintptr_t granule = first; granule <= last; granule++)
        if (sm_table_get(table, granule + 1))
            forget_among(sm_table_at(table, granule + 1), low, high);
}

static void forget_memory(uintptr_t low, uintptr_t high)
{
    forget(&objects, low, high);
    forget(&heads, low, high);
}

/* ---- atomics ---- */

/* The message of the store: what an acquire load of it learns of the storing thread. */
static void make_message(const struct sm_event *event, struct sm_view *message)
{
    struct state *state = state_of(event->thread);
    if (sm_order_releases(event->order)) {
        sm_view_copy(message, &state->view);
        return;
    }
    if (state->has_released)
        sm_view_join(message, &state->released);
    const struct object *head = find_object(&heads, event->addr, event->thread->id);
    if (head)
        sm_view_join(message, &head->view);
}

void sm_hb_before(struct sm_event *event)
{
    free_dropped();
    event->message = event->message_read = NULL;
    event->time = sm_hb_time(event->thread); /* a release ticks only after the access */
    if (!stores(event) || !is_atomic(event) || is_ignored(event))
        return;
    event->message = sm_message_new();
    make_message(event, &event->message->view);
}

static void acquire(const struct sm_event *event)
{
    if (sm_order_acquires(event->order))
        learn(event->thread, &event->message_read->view);
    else
        sm_view_join(&state_of(event->thread)->acquired, &event->message_read->view);
}

/* After the access: a compare-exchange may have failed, and a successful one may have acquired. */
static void begin_sequence(const struct sm_event *event)
{
    sm_view_copy(object_view(&heads, event->addr, event->thread->id), sm_hb_view(event->thread));
    tick(event->thread);
}

void sm_hb_after(struct sm_event *event)
{
    if (is_ignored(event))
        return;
    if (is_atomic(event) && event->message_read)
        acquire(event);
    if (event->kind == SM_EV_RMW && event->message && event->message_read)
        sm_view_join(&event->message->view, &event->message_read->view);
    if (stores(event) && sm_order_releases(event->order))
        begin_sequence(event);
    sm_message_drop(event->message);
    event->message = NULL;
}

/* ---- fences ---- */

const struct sm_clock *sm_hb_sc_fences(void)
{
    return &sc_fences;
}

uint64_t sm_hb_sc_store(void)
{
    return ++sc_stores;
}

static void sc_fence(struct state *state)
{
    if (!coherent_on)
        return;
    sm_clock_join(&state->view.coherent, &sc_fences);
    sm_clock_join(&sc_fences, &state->view.coherent);
    state->view.sc_fence = sc_stores;
    changed(state);
}

static void fence(const struct sm_event *event)
{
    struct state *state = state_of(event->thread);
    if (sm_order_acquires(event->order))
        learn(event->thread, &state->acquired);
    if (event->order == SM_ORDER_SEQ_CST)
        sc_fence(state);
    if (sm_order_releases(event->order)) {
        sm_view_copy(&state->released, &state->view);
        state->has_released = true;
        tick(event->thread);
    }
}

/* Unknown assembly may have released to any thread, through an unknown location, and acquired from
   any: it is ordered with all of them, so that no race or stale value is reported that it could
   forbid. */
static void order_all(const struct sm_thread *self)
{
    for (uint32_t i = 0; i < sm_thread_count(); i++) {
        const struct sm_thread *other = sm_thread_by_id(i);
        if (!other || other == self || !other->hb_state)
            continue;
        learn(self, sm_hb_view(other));
        tick(other);
    }
    for (uint32_t i = 0; i < sm_thread_count(); i++) {
        const struct sm_thread *other = sm_thread_by_id(i);
        if (other && other != self && other->hb_state)
            learn(other, sm_hb_view(self));
    }
    tick(self);
}

/* ---- everything else ---- */

static void spawn(const struct sm_event *event)
{
    struct sm_thread *child = sm_thread_by_id((uint32_t)event->old);
    if (!child->hb_state)
        new_state(child);
    learn(child, sm_hb_view(event->thread));
    tick(event->thread);
}

void sm_hb_sync(const struct sm_event *event)
{
    const struct sm_thread *self = event->thread;
    if (is_ignored(event))
        return;
    if (event->kind == SM_EV_FENCE || event->kind == SM_EV_ASM) {
        fence(event);
        if (event->kind == SM_EV_ASM)
            order_all(event->thread);
        return;
    }
    if (event->kind == SM_EV_FREE)
        forget_memory(event->addr, event->addr + event->old);
    switch (sm_hb_of(event->kind)) {
    case SM_HB_ACQ_BOTH:
        learn(self, object_view(&objects, event->addr, SM_PART_READERS));
        learn(self, object_view(&objects, event->addr, SM_PART_WRITERS));
        break;
    case SM_HB_ACQ:
        learn(self, object_view(&objects, event->addr, event->old));
        break;
    case SM_HB_REL:
        sm_view_join(object_view(&objects, event->addr, event->old), sm_hb_view(self));
        tick(self);
        break;
    case SM_HB_SPAWN:
        spawn(event);
        break;
    case SM_HB_JOIN:
        learn(self, sm_hb_view(sm_thread_by_id((uint32_t)event->old)));
        break;
    case SM_HB_FORGET:
        forget(&objects, event->addr, event->addr + 1);
        break;
    default:
        break;
    }
}
