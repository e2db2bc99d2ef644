#include "runtime/trace.h"

#include "abi/library_name.h"
#include "base/random.h"
#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/end.h"
#include "runtime/engine.h"
#include "runtime/model/memory.h"
#include "runtime/module.h"
#include "runtime/region.h"
#include "runtime/sched/sched.h"
#include "runtime/stack.h"
#include "runtime/thread.h"

void sm_trace_start(void)
{
    sm_control->trace_records = 0;
    sm_control->trace_lost = 0;
    sm_control->trace_hash = 0;
    sm_control->events = 0;
}

uint64_t sm_trace_next(void)
{
    return sm_control->trace_records + sm_control->trace_lost;
}

/* Mixes both words through all 128 bits of a product. */
static uint64_t fold(uint64_t a, uint64_t b)
{
    unsigned __int128 product =
        (unsigned __int128)(a ^ 0x9e3779b97f4a7c15) * (b ^ 0xd6e8feb86659fd93);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* The two products are independent of each other and of the previous event: mixing in one word
   after the other took 12% of a small execution. */
static void mix_in(uint64_t head, uint64_t addr, uint64_t site, uint64_t value, uint64_t old)
{
    uint64_t what = fold(head, addr ^ site);
    uint64_t values = fold(value, old);
    sm_control->trace_hash = sm_random_mix(sm_control->trace_hash ^ what) + values;
}

static void add_to_hash(const struct sm_record *record)
{
    uint64_t head = record->kind | (uint64_t)record->size << 8 | (uint64_t)record->order << 16 |
                    (uint64_t)record->flags << 24 | (uint64_t)record->thread << 32;
    mix_in(head, record->addr, sm_random_mix(record->site), record->value, record->old);
}

/* The store of a future value is known only when it is made (sm_trace_set_source). */
static bool same_source(const struct sm_record *a, const struct sm_record *b)
{
    return a->rf == b->rf || a->flags & SM_RECORD_FUTURE || sm_engine->by_values;
}

static bool same(const struct sm_record *a, const struct sm_record *b)
{
    return a->kind == b->kind && a->size == b->size && a->order == b->order &&
           a->flags == b->flags && a->thread == b->thread && a->site == b->site &&
           a->addr == b->addr && a->value == b->value && a->old == b->old && same_source(a, b);
}

static void describe(const struct sm_record *record, char *to, size_t size)
{
    static const char *const words[] = {
#define SM_EVENT(name, word, hb) word,
#include "abi/events.def"
    };
    const struct sm_site *site = sm_site_by_number(record->site);
    const char *word = record->kind < SM_EVENTS ? words[record->kind] : "event";
    if (site)
        sm_format(to, size, "thread %u: %s of %s at %s:%u, value 0x%lx", record->thread, word,
                  SM_SITE_TEXT(site, variable), SM_SITE_TEXT(site, file), site->line,
                  record->value);
    else
        sm_format(to, size, "thread %u: %s", record->thread, word);
}

/* ---- the last input ---- */

static int last_input = -1;

void sm_trace_read_from(int fd)
{
    last_input = fd;
}

/* The name of the last input, or "" if there was none. */
static const char *input_name(void)
{
    static char name[256];
    char link[32];
    if (last_input < 0)
        return "";
    sm_format(link, sizeof link, "/proc/self/fd/%d", last_input);
    long n = sm_syscall(SYS_readlink, link, name, sizeof name - 1);
    name[n > 0 ? n : 0] = 0;
    return name;
}

/* Replay: the trace file holds the recorded events; each must recur. */
static void compare(const struct sm_record *record, uint64_t index)
{
    if (same(record, &sm_trace[index]))
        return;
    char recorded[512], now[512];
    describe(&sm_trace[index], recorded, sizeof recorded);
    describe(record, now, sizeof now);
    sm_end(SM_END_DIVERGED, 0, "event %lu was '%s' when recorded, and is '%s' now%s%s", index,
           recorded, now, *input_name() ? "; it last read the uncontrolled input " : "",
           input_name());
}

void sm_trace_set_source(uint64_t read, uint64_t store)
{
    if (read < sm_control->replay_records) {
        if (sm_trace[read].rf != store)
            sm_end(SM_END_DIVERGED, 0,
                   "event %lu read from event %lu when recorded, and reads from event %lu now",
                   read, sm_trace[read].rf, store);
    } else if (sm_option(record) && read < sm_control->trace_limit)
        sm_trace[read].rf = store;
}

/* An execution that is recorded, or compared with its recording. */
static __attribute__((noinline)) void put(const struct sm_record *record, uint64_t index)
{
    bool replays = index < sm_control->replay_records;
    if (replays)
        compare(record, index);
    else if (index < sm_control->trace_limit)
        sm_trace[index] = *record;
    else {
        sm_control->trace_lost++;
        return;
    }
    sm_control->trace_records++;
    if (SM_UNLIKELY(index + 1 == sm_control->stop_at) && replays)
        sm_debug_reach(SM_DEBUG_AT_EVENT);
}

static inline bool is_kept(uint64_t index)
{
    return sm_option(record) || index < sm_control->replay_records;
}

static inline uint64_t keep(const struct sm_record *record)
{
    uint64_t index = sm_trace_next();
    if (is_kept(index))
        put(record, index);
    else
        sm_control->trace_records++;
    return index;
}

static struct sm_record record_of(const struct sm_event *event)
{
    return (struct sm_record){
        .kind = event->kind,
        .size = event->size,
        .order = event->order,
        .flags = event->flags,
        .thread = event->thread->id,
        .site = sm_site_number(event->site),
        .addr = event->addr ? sm_region_normal(event->addr) : 0,
        .value = event->value,
        .old = event->old,
        .rf = event->rf,
    };
}

static void append_parts(const struct sm_event *event)
{
    for (uint32_t i = 0; i < sm_parts.n; i++) {
        struct sm_record part = {
            .kind = SM_EV_PART,
            .size = sm_parts.part[i].size,
            .thread = event->thread->id,
            .site = SM_NO_SITE,
            .addr = sm_region_normal(event->addr) + sm_parts.part[i].offset,
            .rf = sm_parts.part[i].rf,
        };
        keep(&part);
    }
}

/* A call of libc has no site, and a site in the headers of the C++ library, or in a member that the
   compiler generated, means nothing to the user: the stack shows the caller. That of the thread's
   first other access shows where it began. Only for what is recorded; walking the stack costs more
   than the event. */
static uint32_t call_of(const struct sm_event *event)
{
    if (!sm_option(record) || sm_trace_next() < sm_control->replay_records ||
        event->thread != sm_running())
        return 0;
    const struct sm_site *site = event->site;
    bool hidden =
        site ? (site->flags & SM_SITE_IMPLICIT) || sm_library_file(SM_SITE_TEXT(site, file))
             : event->pc != 0;
    bool first = site && !hidden && !event->thread->located;
    event->thread->located |= first;
    return hidden || first ? sm_stack_export(sm_stack_now()) : 0;
}

struct sm_record sm_trace_record(const struct sm_event *event)
{
    struct sm_record record = record_of(event);
    record.stack = call_of(event);
    return record;
}

static __attribute__((noinline)) void append_record(struct sm_event *event)
{
    struct sm_record record = sm_trace_record(event);
    add_to_hash(&record);
    event->index = keep(&record);
    if (event->rf == SM_RF_PARTS && sm_option(record))
        append_parts(event);
}

/* Without a record, byte for byte: a wider load of what was just stored by bytes, as a copy into a
   record has it, waits for these stores, which took a tenth of an execution of small events. */
static void hash_event(const struct sm_event *event)
{
    const volatile uint8_t *kind = &event->kind, *size = &event->size, *order = &event->order,
                           *flags = &event->flags;
    uint64_t head = *kind | (uint64_t)*size << 8 | (uint64_t)*order << 16 | (uint64_t)*flags << 24 |
                    (uint64_t)event->thread->id << 32;
    uint64_t site =
        event->site ? sm_random_mix(sm_site_number(event->site)) : sm_random_mix(SM_NO_SITE);
    mix_in(head, event->addr ? sm_region_normal(event->addr) : 0, site, event->value, event->old);
}

void sm_trace_append(struct sm_event *event)
{
    if (!sm_engine->records)
        return;
    sm_control->events++;
    event->index = sm_trace_next();
    if (SM_UNLIKELY(is_kept(event->index))) {
        append_record(event);
        return;
    }
    hash_event(event);
    sm_control->trace_records++;
}

void sm_trace_forget_value(const struct sm_event *event)
{
    if (sm_engine->records)
        sm_control->trace_hash -= fold(event->value, event->old);
}

void sm_trace_put(const struct sm_record *record)
{
    add_to_hash(record);
    sm_control->events++;
    keep(record);
}

void sm_trace_flush(struct sm_thread *thread, uintptr_t addr, unsigned size, uint64_t value,
                    uint64_t store)
{
    struct sm_record record = {
        .kind = SM_EV_FLUSH,
        .size = (uint8_t)size,
        .order = SM_ORDER_PLAIN,
        .thread = thread->id,
        .site = SM_NO_SITE,
        .addr = sm_region_normal(addr),
        .value = value,
        .rf = store,
    };
    sm_trace_put(&record);
}

uint64_t sm_trace_external(const struct sm_event *event, uint64_t value)
{
    struct sm_record record = {
        .kind = SM_EV_STORE,
        .size = event->size,
        .order = SM_ORDER_PLAIN,
        .flags = SM_RECORD_EXTERNAL,
        .thread = event->thread->id,
        .site = SM_NO_SITE,
        .addr = sm_region_normal(event->addr),
        .value = value,
        .rf = SM_RF_NONE,
    };
    return keep(&record);
}
