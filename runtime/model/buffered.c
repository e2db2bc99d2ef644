/*
 * tso and pso: store buffers.
 *
 * Each thread has a buffer of stores that only it can see. Under tso it is one FIFO, as on x86;
 * under pso stores to different locations may land in any order, except that a release store lands
 * after all earlier ones, and no store after a release fence lands before those before it. A store
 * lands by a FLUSH choice, or when it must: at a seq_cst store, an RMW, a full fence, at
 * synchronisation, and when the buffer is full. Loads see the thread's own buffered bytes, then
 * memory.
 *
 * Memory holds the running thread's view (model.h), including its buffered stores. The landed
 * value under a buffered (covered) byte is saved, and restored when another thread runs.
 * Uninstrumented code may write a covered byte: this is detected at the switch, where all stores
 * in the thread's buffer then land first, which is legal at any time.
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

/* x86 processors have 40 to 80 entries; longer delays show nothing new. */
enum { BUFFER = 64 };

struct entry {
    uintptr_t addr;
    uint64_t value;
    uint64_t landed; /* while the thread runs: the landed value under the entry */
    uint64_t record;
    uint64_t number;  /* of the store, counted per thread */
    uint64_t barrier; /* stores with smaller numbers land first */
    struct sm_message *message;
    uint8_t size;
};

struct buffer {
    struct sm_thread *thread;
    uint64_t stores;  /* made so far */
    uint64_t barrier; /* number of the first store after the last release fence */
    uint32_t n;
    struct entry entries[BUFFER]; /* oldest first */
};

static uint32_t n_buffered;    /* over all threads */
static struct buffer *running; /* whose view memory holds */
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

/* Copies the bytes of the entry (`value`) that overlap `size` bytes at `addr` to `to`. */
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

/* Writes the thread's buffered stores to memory, saving what was there. */
static void cover(struct buffer *buffer)
{
    for (uint32_t i = 0; i < buffer->n; i++) {
        struct entry *entry = &buffer->entries[i];
        entry->landed = sm_memory_read(entry->addr, entry->size);
        sm_memory_write(entry->addr, entry->size, entry->value);
    }
}

/* The reverse, newest first, so that bytes covered twice are restored correctly. */
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

/* Another thread's store lands underneath the running thread's covered bytes. */
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
    /* The running thread's own: memory already has it, and covering entries have saved it. */
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

/* Uncovers what the running thread has covered; lands it instead if a covered byte was overwritten.
 */
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

/* Counts the stores that may land next; if there is a k-th, lands it. Order: by thread, then by
   age. */
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

/* Any number of delayed stores may land between two events: asks until the answer is none. */
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

/* An atomic store of 16 bytes has two pieces, which must land together. */
static bool is_delayed(const struct sm_event *event)
{
    bool is_piece = event->kind == SM_EV_ATOMIC_STORE && event->site && event->site->size > 8;
    return (event->flags & SM_RECORD_LIED) && event->order != SM_ORDER_SEQ_CST && !is_piece;
}

/* If uninstrumented code of the thread has overwritten bytes that it had buffered, all its buffered
   stores have landed. */
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
    /* Memory first: if it cannot be written, the program faults here, and may jump away. */
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

/* What must have landed before an undelayed store: under tso everything, else what a release store
   orders before itself, and older stores to the same bytes. */
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

/* For each byte of the load its record: the thread's own newest buffered store, else the landed
   one. (A thread's own store has no message for it.) */
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

/* A buffered store must not land in memory that was reused in the meantime. */
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

/* An unwatched store lands at once, unnoticed: what a release fence orders before it must have
   landed by then. */
static bool all_are_watched(void)
{
    return sm_control->watch_mode == SM_WATCH_ALL && sm_control->lie_mode == SM_LIE_ALL;
}

/* No store of the thread may be delayed past synchronisation. A release fence is a barrier in the
   buffer (under tso stores are in order anyway); an acquire fence orders loads, which are never
   delayed. */
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
