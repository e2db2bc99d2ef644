/*
 * tso and pso: stores that wait in buffers.
 *
 * Each thread has a buffer of stores that only it can see. Under tso it is one FIFO, as on
 * x86; under pso stores to different locations may land in any order, but for a release
 * store, which lands after all earlier ones, and a release fence, behind which no later
 * store lands before the earlier ones. A store lands when a FLUSH choice says so, or when
 * it must: at a seq_cst store, an RMW, a full fence, at synchronisation, and when the
 * buffer is full. Loads see the thread's own buffered bytes, then what has landed.
 *
 * Memory shows the running thread's view (model.h), buffered stores included. What has
 * landed under a byte that is so covered is kept aside, and put back when another thread
 * runs. Code that is not instrumented may write a covered byte: seen at the switch, where
 * everything the thread has buffered then lands first, which is legal at any time.
 */
#include <string.h>

#include "base/sys.h"
#include "runtime/choice.h"
#include "runtime/control.h"
#include "runtime/hb.h"
#include "runtime/model/memory.h"
#include "runtime/model/model.h"
#include "runtime/step.h"
#include "runtime/thread.h"
#include "runtime/trace.h"

/* x86 processors have 40 to 80 entries; a longer delay than this shows nothing new. */
enum { BUFFER = 64 };

struct entry {
    uintptr_t addr;
    uint64_t value;
    uint64_t landed; /* while the thread runs: what lies under the entry */
    uint64_t record;
    uint64_t number;  /* of the store, counted for each thread */
    uint64_t barrier; /* stores with smaller numbers land first */
    struct sm_message *message;
    uint8_t size;
};

struct buffer {
    struct sm_thread *thread;
    uint64_t stores;  /* made so far */
    uint64_t barrier; /* number of the first store behind the last release fence */
    uint32_t n;
    struct entry entries[BUFFER]; /* oldest first */
};

static uint32_t n_buffered;    /* over all threads */
static struct buffer *running; /* whose view memory shows */
static bool fifo;              /* tso */

static struct buffer *buffer_of(struct sm_thread *thread)
{
    if (!thread->model_state) {
        struct buffer *buffer = sm_alloc(sizeof *buffer);
        buffer->thread = thread;
        thread->model_state = buffer;
    }
    return thread->model_state;
}

static bool overlap(const struct entry *a, const struct entry *b)
{
    return a->addr < b->addr + b->size && b->addr < a->addr + a->size;
}

/* Copies to `to`, which holds `size` bytes at `addr`, the bytes it has in common with
   `value`, which holds the bytes of the entry. */
static void lay_over(uint64_t *to, uintptr_t addr, unsigned size, const struct entry *entry,
                     uint64_t value)
{
    uint8_t *bytes = (uint8_t *)to;
    for (unsigned i = 0; i < size; i++) {
        uintptr_t offset = addr + i - entry->addr;
        if (offset < entry->size)
            bytes[i] = (uint8_t)(value >> 8 * offset);
    }
}

/* ---- views ---- */

/* Puts the thread's buffered stores over memory, remembering what was there. */
static void cover(struct buffer *buffer)
{
    for (uint32_t i = 0; i < buffer->n; i++) {
        struct entry *entry = &buffer->entries[i];
        entry->landed = sm_memory_read(entry->addr, entry->size);
        sm_memory_write(entry->addr, entry->size, entry->value);
    }
}

/* The reverse, newest first, so that bytes covered twice come out as they went in. */
static void uncover(struct buffer *buffer)
{
    for (uint32_t i = buffer->n; i-- > 0;) {
        struct entry *entry = &buffer->entries[i];
        sm_memory_write(entry->addr, entry->size, entry->landed);
    }
}

static bool covered_bytes_changed(struct buffer *buffer)
{
    for (uint32_t i = 0; i < buffer->n; i++) {
        struct entry *entry = &buffer->entries[i];
        uint64_t expected = entry->value;
        for (uint32_t k = i + 1; k < buffer->n; k++)
            lay_over(&expected, entry->addr, entry->size, &buffer->entries[k],
                     buffer->entries[k].value);
        if (sm_memory_read(entry->addr, entry->size) != expected)
            return true;
    }
    return false;
}

/* ---- landing ---- */

static void take_off(struct buffer *buffer);

static bool may_land(const struct buffer *buffer, uint32_t i)
{
    const struct entry *entry = &buffer->entries[i];
    if (fifo)
        return i == 0;
    for (uint32_t k = 0; k < i; k++)
        if (buffer->entries[k].number < entry->barrier || overlap(&buffer->entries[k], entry))
            return false;
    return true;
}

static void note_landing(struct buffer *buffer, const struct entry *entry)
{
    if (sm_provenance_on()) {
        sm_provenance_set(entry->addr, entry->size, entry->value, entry->record);
        sm_provenance_set_message(entry->addr, entry->size, entry->message);
        sm_message_drop(entry->message);
    }
    sm_trace_flush(buffer->thread, entry->addr, entry->size, entry->value, entry->record);
}

/* Another thread's store lands beneath the running thread's covers. */
static void land_beneath(const struct entry *entry)
{
    if (running)
        take_off(running);
    sm_memory_write(entry->addr, entry->size, entry->value);
    if (running)
        cover(running);
}

static void land(struct buffer *buffer, uint32_t i)
{
    struct entry *entry = &buffer->entries[i];
    note_landing(buffer, entry);
    /* The running thread's own: memory shows it already, and what covers it has kept it. */
    if (buffer != running)
        land_beneath(entry);
    buffer->n--;
    memmove(entry, entry + 1, (buffer->n - i) * sizeof *entry);
    n_buffered--;
}

static void drain(struct sm_thread *thread)
{
    struct buffer *buffer = buffer_of(thread);
    while (buffer->n)
        land(buffer, 0);
}

/* Uncovers what the running thread has covered; unless somebody wrote over a cover. */
static void take_off(struct buffer *buffer)
{
    if (covered_bytes_changed(buffer))
        drain(buffer->thread);
    uncover(buffer);
}

static void switched(struct sm_thread *from, struct sm_thread *to)
{
    struct buffer *old = buffer_of(from), *new = buffer_of(to);
    take_off(old);
    cover(new);
    running = new;
}

/* ---- choices ---- */

/* Counts the stores that may land next; if `k` is among them, lands the k-th. Order: by
   thread, then by age. */
static uint32_t count_or_land(uint32_t k)
{
    uint32_t n = 0;
    for (struct sm_thread *t = sm_thread_by_id(0); t; t = t->next) {
        struct buffer *buffer = t->model_state;
        for (uint32_t i = 0; buffer && i < buffer->n; i++) {
            if (!may_land(buffer, i))
                continue;
            if (n++ == k) {
                land(buffer, i);
                return n;
            }
        }
    }
    return n;
}

/* Any number of delayed stores may land between two events: ask until the answer is none. */
static void point(struct sm_thread *self)
{
    running = buffer_of(self);
    while (n_buffered) {
        uint32_t pick = sm_choose(SM_PURPOSE_FLUSH, 1 + count_or_land(UINT32_MAX), NULL);
        if (!pick)
            return;
        count_or_land(pick - 1);
    }
}

/* ---- accesses ---- */

static void start(void)
{
    n_buffered = 0;
    running = NULL;
    sm_provenance_start();
}

static void start_tso(void)
{
    fifo = true;
    start();
}

static void start_pso(void)
{
    fifo = false;
    start();
}

/* An atomic store of 16 bytes comes in two pieces, which must land together. */
static bool is_delayed(const struct sm_event *event)
{
    bool is_piece = event->kind == SM_EV_ATOMIC_STORE && event->site && event->site->size > 8;
    return (event->flags & SM_RECORD_LIED) && event->order != SM_ORDER_SEQ_CST && !is_piece;
}

/* Uninstrumented code of the thread has stored over what it had buffered of these bytes: all
   it had buffered has landed. */
static void settle(const struct sm_event *event, struct buffer *buffer)
{
    if (!buffer->n)
        return;
    uint64_t memory = sm_memory_read(event->addr, event->size), expected = memory;
    for (uint32_t i = 0; i < buffer->n; i++)
        lay_over(&expected, event->addr, event->size, &buffer->entries[i],
                 buffer->entries[i].value);
    if (memory != expected)
        drain(event->thread);
}

static void delay(struct sm_event *event, struct buffer *buffer)
{
    settle(event, buffer);
    /* Memory first: where it cannot be written, the program dies, or jumps, from here. */
    uint64_t landed = sm_memory_read(event->addr, event->size);
    sm_memory_write(event->addr, event->size, event->value);
    if (buffer->n == BUFFER)
        land(buffer, 0);
    uint64_t number = buffer->stores++;
    event->flags |= SM_RECORD_DELAYED;
    buffer->entries[buffer->n++] = (struct entry){
        .addr = event->addr,
        .value = event->value,
        .landed = landed,
        .record = sm_trace_next(),
        .number = number,
        .barrier = event->order == SM_ORDER_RELEASE ? number : buffer->barrier,
        .message = sm_message_keep(event->message),
        .size = event->size,
    };
    n_buffered++;
    sm_count(DELAYED_STORE);
}

/* What must have landed before a store that does so at once: under tso everything, else
   what a release store orders before itself, and older stores to the same bytes. */
static bool must_drain(const struct sm_event *event, const struct buffer *buffer)
{
    struct entry self = {.addr = event->addr, .size = event->size};
    if (fifo || event->order == SM_ORDER_RELEASE || event->order == SM_ORDER_SEQ_CST)
        return true;
    for (uint32_t i = 0; i < buffer->n; i++)
        if (overlap(&buffer->entries[i], &self))
            return true;
    return false;
}

static void store(struct sm_event *event)
{
    struct buffer *buffer = buffer_of(event->thread);
    if (is_delayed(event)) {
        delay(event, buffer);
        return;
    }
    if (must_drain(event, buffer))
        drain(event->thread);
    sm_memory_store(event);
}

/* For each byte of the load the record it is from: the thread's own newest buffered store,
   else what has landed. (Its own store has nothing to tell it.) */
static void read_from(struct sm_event *event, struct buffer *buffer)
{
    uint64_t landed = event->value, rf[8];
    for (uint32_t i = buffer->n; i-- > 0;)
        lay_over(&landed, event->addr, event->size, &buffer->entries[i], buffer->entries[i].landed);
    sm_provenance_get(event, landed, rf);
    event->message_read = sm_provenance_message(event->addr, event->size);
    for (uint32_t i = 0; i < buffer->n; i++) {
        const struct entry *entry = &buffer->entries[i];
        for (unsigned b = 0; b < event->size; b++) {
            if (event->addr + b - entry->addr >= entry->size)
                continue;
            rf[b] = entry->record;
            event->message_read = NULL;
        }
    }
    sm_read_from(event, rf);
}

static void load(struct sm_event *event)
{
    settle(event, buffer_of(event->thread));
    event->value = sm_memory_read(event->addr, event->size);
    if (sm_provenance_on())
        read_from(event, buffer_of(event->thread));
}

static void rmw(struct sm_event *event)
{
    drain(event->thread);
    sm_memory_rmw(event);
}

/* A store that waits must not land in memory that belongs to somebody else by then. */
static void forget(uintptr_t addr, size_t size)
{
    for (struct sm_thread *t = sm_thread_by_id(0); t && n_buffered; t = t->next) {
        struct buffer *buffer = t->model_state;
        for (uint32_t i = 0; buffer && i < buffer->n; i++) {
            const struct entry *entry = &buffer->entries[i];
            if (entry->addr < addr + size && addr < entry->addr + entry->size)
                drain(t);
        }
    }
    sm_provenance_forget(addr, size);
}

/* A store that is not watched lands at once, behind our back: what a release fence orders
   before it must have landed by then. */
static bool all_are_watched(void)
{
    return sm_control->watch_mode == SM_WATCH_ALL && sm_control->lie_mode == SM_LIE_ALL;
}

/* Nothing of the thread's may overtake synchronisation. A release fence is a barrier in the
   buffer (under tso stores are in order anyway); an acquire fence orders loads, which
   never wait. */
static void sync(struct sm_event *event)
{
    struct buffer *buffer = buffer_of(event->thread);
    if (event->kind != SM_EV_FENCE || event->order == SM_ORDER_SEQ_CST)
        drain(event->thread);
    else if (event->order != SM_ORDER_ACQUIRE && !all_are_watched())
        drain(event->thread);
    else if (event->order != SM_ORDER_ACQUIRE)
        buffer->barrier = buffer->stores;
}

static bool lands(const struct sm_thread *thread)
{
    const struct buffer *buffer = thread->model_state;
    const struct sm_event *event = thread->pending;
    if (!buffer || !buffer->n || !event)
        return false;
    switch (event->kind) {
    case SM_EV_LOAD:
    case SM_EV_ATOMIC_LOAD:
        return false;
    case SM_EV_STORE:
    case SM_EV_ATOMIC_STORE:
        return !sm_is_lied_about(event) && must_drain(event, buffer);
    default:
        return true;
    }
}

const struct sm_model sm_model_tso = {.start = start_tso,
                                      .point = point,
                                      .switched = switched,
                                      .load = load,
                                      .store = store,
                                      .rmw = rmw,
                                      .sync = sync,
                                      .forget = forget,
                                      .lands = lands};

const struct sm_model sm_model_pso = {.start = start_pso,
                                      .point = point,
                                      .switched = switched,
                                      .load = load,
                                      .store = store,
                                      .rmw = rmw,
                                      .sync = sync,
                                      .forget = forget,
                                      .lands = lands};
