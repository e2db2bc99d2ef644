#include "runtime/model/speculation.h"

#include "base/sys.h"
#include "base/table.h"
#include "runtime/choice.h"
#include "runtime/end.h"
#include "runtime/hb.h"
#include "runtime/heap.h"
#include "runtime/module.h"
#include "runtime/policy/policy.h"
#include "runtime/sched/sched.h"
#include "runtime/trace.h"

struct speculation {
    struct speculation *next;
    uintptr_t addr;
    uint64_t value;
    uint64_t record; /* of the load */
    uint32_t thread, time;
    uint8_t size;
};

static struct speculation *waiting;
static struct sm_table loads; /* (site, thread) -> how many loads there were */
const char sm_speculation_queues[SM_SPECULATION_QUEUES];

void sm_speculation_start(void)
{
    waiting = NULL;
    sm_table_clear(&loads);
}

/* ---- looking ahead ---- */

void sm_speculation_name(struct sm_event *load)
{
    if (!sm_option(prescient) && !sm_option(profile))
        return;
    uintptr_t key = ((uintptr_t)sm_site_number(load->site) + 1) << 32 | load->thread->id;
    void **count = sm_table_at(&loads, key);
    *count = (char *)*count + 1;
    load->nth = (uint32_t)(uintptr_t)*count;
}

bool sm_foresee(const struct sm_event *load, uint64_t *value)
{
    struct sm_future_choice choice = {.event = load};
    if (!sm_option(prescient) || !sm_choose(SM_PURPOSE_FUTURE, 2, &choice))
        return false;
    *value = 0;
    for (unsigned at = 0; at < load->size; at += 2) {
        choice.shift = 8 * at;
        uint32_t n = load->size - at == 1 ? 1u << 8 : 1u << 16;
        *value |= (uint64_t)sm_choose(SM_PURPOSE_FUTURE_VALUE, n, &choice) << choice.shift;
    }
    return true;
}

void sm_speculation_add(struct sm_event *load, uint64_t value)
{
    struct speculation *speculation = sm_alloc(sizeof *speculation);
    *speculation = (struct speculation){.next = waiting,
                                        .addr = load->addr,
                                        .value = value,
                                        .record = sm_trace_next(),
                                        .thread = load->thread->id,
                                        .time = load->time,
                                        .size = load->size};
    waiting = speculation;
    load->value = value;
    load->rf = SM_RF_NONE;
    load->flags |= SM_RECORD_FUTURE;
    sm_control->unvalidated++;
    sm_count(FUTURE_READ);
    if (load->size == 8 && sm_heap_owns((void *)value))
        sm_heap_reserve((void *)value);
    sm_speculation_review();
}

/* ---- validation ---- */

static void settle(struct speculation **place)
{
    struct speculation *done = *place;
    *place = done->next;
    sm_free(done, sizeof *done);
    sm_count(VALIDATED);
    if (--sm_control->unvalidated == 0) {
        sm_wake_all(&sm_speculation_queues[SM_EXITING]);
        sm_end_settled();
    }
}

/* The store covers the load and has the value that it has seen. */
static bool holds(const struct sm_event *store, const struct speculation *load)
{
    uintptr_t offset = load->addr - store->addr;
    if (offset >= store->size || offset + load->size > store->size)
        return false;
    uint64_t differing = store->value >> 8 * offset ^ load->value;
    return (load->size == 8 ? differing : differing & ((1ul << 8 * load->size) - 1)) == 0;
}

void sm_speculation_store(const struct sm_event *store)
{
    if (SM_LIKELY(!waiting))
        return;
    struct sm_message *view = sm_hb_view_of_store(store);
    for (struct speculation **place = &waiting; *place;) {
        const struct speculation *load = *place;
        bool after = sm_clock_get(&view->view.hb, load->thread) >= load->time;
        if (after || !holds(store, load)) {
            place = &(*place)->next;
            continue;
        }
        sm_trace_set_source(load->record, sm_trace_next());
        settle(place);
    }
    sm_message_drop(view);
}

/* ---- speculations that cannot be validated ---- */

static bool is_over(const struct sm_thread *thread)
{
    return thread->state == SM_THREAD_ENDED ||
           thread->queue == &sm_speculation_queues[SM_EXITING] ||
           thread->queue == &sm_speculation_queues[SM_FAILED];
}

static bool may_store(const struct sm_thread *thread, const struct speculation *load)
{
    return !is_over(thread) && thread->hb_state &&
           sm_clock_get(&sm_hb_view(thread)->hb, load->thread) < load->time;
}

static bool has_hope(const struct speculation *load)
{
    for (const struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        if (may_store(t, load))
            return true;
    return false;
}

static _Noreturn void give_up(const struct speculation *load, const char *why)
{
    sm_end(SM_END_UNVALIDATED, 0, "thread %u was told 0x%lx, and %s", load->thread, load->value,
           why);
}

void sm_speculation_review(void)
{
    for (const struct speculation *load = waiting; load; load = load->next)
        if (!has_hope(load))
            give_up(load, "no thread is left that could store it");
}

void sm_speculation_forget(uintptr_t addr, size_t size)
{
    for (const struct speculation *load = waiting; load; load = load->next)
        if (load->addr < addr + size && addr < load->addr + load->size)
            give_up(load, "the memory it was read from is freed");
}
