#include "runtime/step.h"

#include "base/sys.h"
#include "core/openmp/openmp.h"
#include "runtime/analysis.h"
#include "runtime/aside.h"
#include "runtime/control.h"
#include "runtime/engine.h"
#include "runtime/harm.h"
#include "runtime/hb.h"
#include "runtime/model/memory.h"
#include "runtime/model/model.h"
#include "runtime/module.h"
#include "runtime/sample.h"
#include "runtime/sched/livelock.h"
#include "runtime/sched/sched.h"
#include "runtime/trace.h"

bool sm_is_lied_about(const struct sm_event *event)
{
    if (!event->site)
        return sm_op_ends_memory(event->op) && sm_control->lie_mode == SM_LIE_ALL;
    return sm_control->lie_mode == SM_LIE_ALL || sm_lies_at(sm_site_number(event->site));
}

static void ask_model(struct sm_event *event)
{
    switch (event->kind) {
    case SM_EV_LOAD:
    case SM_EV_ATOMIC_LOAD:
        sm_model->load(event);
        break;
    case SM_EV_STORE:
    case SM_EV_ATOMIC_STORE:
        sm_model->store(event);
        break;
    case SM_EV_RMW:
        sm_model->rmw(event);
        break;
    default:
        sm_model->sync(event);
    }
}

static void show(struct sm_event *event)
{
    sm_trace_append(event);
    if (sm_hb_on && !event->time)
        event->time = sm_hb_time(event->thread);
    sm_analyses_event(event);
}

static bool is_access(const struct sm_event *event)
{
    return event->kind != SM_EV_FENCE && event->kind != SM_EV_ASM;
}

/* A read of the newest store, according to the model. */
static bool is_fresh_read(const struct sm_event *event)
{
    bool reads = event->kind == SM_EV_LOAD || event->kind == SM_EV_ATOMIC_LOAD ||
                 event->kind == SM_EV_RMW || event->kind == SM_EV_CAS_FAIL;
    return reads && !(event->flags & SM_RECORD_STALE);
}

/* For livelock.h. */
static void note_progress(struct sm_event *event, bool fresh)
{
    bool keeps = event->kind != SM_EV_RMW || event->value == event->old;
    bool lied = (event->flags & SM_RECORD_LIED) && sm_option(model) != SM_MODEL_SC;
    if (fresh && keeps && !lied)
        sm_livelock_read(event);
    else if (event->kind != SM_EV_FENCE)
        sm_livelock_effect();
}

/* Performs the event. */
static void take(struct sm_event *event)
{
    bool access = is_access(event);
    event->thread->pending = event; /* if the access faults, this is its place */
    if (sm_hb_on && access)
        sm_hb_before(event);
    ask_model(event);
    bool fresh = is_fresh_read(event);
    if (fresh)
        event->thread->loaded = sm_control->counters[SM_COUNT_POINT];
    if (sm_hb_on && access)
        sm_hb_after(event);
    else if (sm_hb_on)
        sm_hb_sync(event);
    show(event);
    note_progress(event, fresh);
    event->thread->pending = NULL;
}

void sm_step_more(struct sm_event *event)
{
    if (sm_is_lied_about(event))
        event->flags |= SM_RECORD_LIED;
    take(event);
}

static bool is_quiet(const struct sm_event *event)
{
    return sm_option(narrow) && (event->kind == SM_EV_LOAD || event->kind == SM_EV_STORE) &&
           !sm_is_lied_about(event);
}

void sm_step(struct sm_event *event)
{
    if (sm_engine->replay && sm_engine->replay(event))
        return;
    if (!is_quiet(event))
        sm_point(event);
    sm_step_more(event);
}

void sm_step_newest(struct sm_event *event)
{
    if (sm_engine->replay && sm_engine->replay(event))
        return;
    sm_point(event);
    take(event);
}

/* libomp's internal synchronisation is scheduled, but not the program's. */
static bool is_inside_openmp(const struct sm_event *event)
{
    return event->pc && sm_openmp_calls((const void *)event->pc) && event->kind >= SM_EV_LOCK;
}

/* In a handler that interrupts the program anywhere, perhaps in the middle of the same function. */
static void check_handler(const struct sm_event *event)
{
    static const char *const unsafe[SM_EVENTS] = {
#define SM_UNSAFE(kind, text) [SM_EV_##kind] = text,
#include "runtime/unsafe.def"
    };
    if (unsafe[event->kind] && sm_option(memory))
        sm_harm(SM_FAILURE_HANDLER_UNSAFE, event->addr, NULL, 0, "%s", unsafe[event->kind]);
}

/* Memory begins or ends. */
static void sync_memory(struct sm_event *event)
{
    if (event->kind == SM_EV_FREE) {
        sm_model->forget(event->addr, event->old);
        sm_sample_forget(event->addr, event->old);
    } else if (sm_engine->allocated) {
        sm_engine->allocated(event);
    }
    if (sm_hb_on)
        sm_hb_sync(event);
}

static bool is_delayed_free(const struct sm_event *event)
{
    return event->kind == SM_EV_FREE && sm_model->delays_free && sm_model->delays_free(event);
}

static void sync_threads(struct sm_event *event)
{
    sm_model->sync(event);
    if (sm_hb_on) {
        sm_aside_sync(event);
        sm_hb_sync(event);
    }
    sm_taken_note(event);
    sm_progress_note(event);
}

void sm_sync(struct sm_event *event)
{
    if (SM_UNLIKELY(event->thread->interrupting))
        check_handler(event);
    if (event->kind != SM_EV_YIELD)
        sm_livelock_effect();
    if (SM_UNLIKELY(is_inside_openmp(event))) {
        sm_taken_note(event);
        return;
    }
    if (event->kind == SM_EV_FREE || event->kind == SM_EV_ALLOC)
        sync_memory(event);
    else
        sync_threads(event);
    if (!is_delayed_free(event))
        show(event);
}

static uint8_t range_order(int kind)
{
    return kind == SM_EV_LOAD || kind == SM_EV_STORE ? SM_ORDER_PLAIN : SM_ORDER_SEQ_CST;
}

/* `data`: the bytes to write there; NULL: they have been written, or are read. */
static void range(int kind, const void *addr, const char *data, size_t size,
                  const struct sm_site *site, bool point)
{
    struct sm_thread *self = sm_self();
    if (!self)
        return;
    uintptr_t at = (uintptr_t)addr, end = at + size;
    uint8_t more = 0;
    while (at < end) {
        unsigned piece = 8 - at % 8;
        if (piece > end - at)
            piece = (unsigned)(end - at);
        if (!sm_sample_has(at, site)) {
            at += piece;
            continue;
        }
        struct sm_event event = {.kind = (uint8_t)kind,
                                 .size = (uint8_t)piece,
                                 .order = range_order(kind),
                                 .flags = more,
                                 .thread = self,
                                 .site = site,
                                 .addr = at,
                                 .rf = SM_RF_NONE};
        if ((point || sm_engine->by_bytes) && !more)
            sm_point(&event);
        event.value = sm_memory_read(data ? (uintptr_t)data + (at - (uintptr_t)addr) : at, piece);
        if (sm_engine->by_bytes && sm_is_lied_about(&event))
            event.flags |= SM_RECORD_LIED;
        take(&event);
        more = sm_engine->by_bytes && kind <= SM_EV_STORE ? 0 : SM_RECORD_MORE;
        at += piece;
    }
}

void sm_range(int kind, const void *addr, size_t size, const struct sm_site *site)
{
    range(kind, addr, NULL, size, site, true);
}

void sm_range_point(const void *addr, const struct sm_site *site)
{
    struct sm_event event = {.kind = SM_EV_STORE,
                             .size = 1,
                             .thread = sm_self(),
                             .site = site,
                             .addr = (uintptr_t)addr,
                             .rf = SM_RF_NONE};
    if (event.thread && sm_sample_has(event.addr, site))
        sm_point(&event);
}

void sm_range_more(int kind, const void *addr, size_t size, const struct sm_site *site)
{
    range(kind, addr, NULL, size, site, false);
}

void sm_range_atomic(int kind, const void *addr, size_t size, const struct sm_site *site)
{
    for (size_t at = 0; at < size; at += 8)
        sm_sample_keep((uintptr_t)addr + at);
    range(kind, addr, NULL, size, site, false);
}

bool sm_range_by_bytes(void)
{
    return sm_engine->by_bytes;
}

void sm_range_store(const void *addr, const void *data, size_t size, const struct sm_site *site)
{
    range(SM_EV_STORE, addr, data, size, site, false);
}
