/*
 * The race analysis of controlled executions: every happens-before race, and nothing else.
 *
 * For each granule of 8 bytes a list of accesses that a later one could race with. As in
 * FastTrack, an access is dropped if it happens before a new one that has at least the same
 * conflicts: whatever would race with the old one races with the new one as well. So the list has
 * one entry in most programs; byte masks distinguish accesses of different sizes.
 *
 * This argument needs exact clocks (hb.h); the reference in the tests keeps every access of every
 * byte and must agree.
 */
#include <string.h>

#include "analysis/scene.h"
#include "base/sys.h"
#include "base/table.h"
#include "core/conflict.h"
#include "core/libc/descriptors.h"
#include "core/libc/loader.h"
#include "runtime/analysis.h"
#include "runtime/control.h"
#include "runtime/hb.h"
#include "runtime/heap.h"
#include "runtime/intercept/annotations.h"
#include "runtime/intercept/openmp.h"
#include "runtime/module.h"
#include "runtime/region.h"
#include "runtime/stack.h"
#include "runtime/thread.h"

struct past_access {
    struct past_access *next;
    uint64_t value;
    uint64_t record;
    const struct sm_site *site;
    const struct sm_held *locks;
    uint32_t thread, time;
    uint32_t stack;
    uint32_t member; /* of an OpenMP team: intercept/openmp.h */
    uint8_t mask;    /* bytes of the granule */
    uint8_t kind, order, flags;
};

static struct sm_table granules; /* granule -> struct past_access */

/* Memory that was freed and not reallocated: accesses to it that are unordered with the free race
   with it. Small blocks of the heap by their start: the heap finds it, and says whether the block
   is live again. All else by page, for lookup by address. */
struct freed {
    struct freed *next;
    uintptr_t start, end;
    struct past_access access; /* the free */
};
enum { PAGE_SHIFT = 12 };
static struct sm_table freed_pages;  /* page -> struct freed */
static struct sm_table freed_blocks; /* start -> struct freed */

static bool start(void)
{
    if (!sm_option(races))
        return false;
    sm_table_clear(&granules);
    sm_table_clear(&freed_pages);
    sm_table_clear(&freed_blocks);
    sm_scene_start();
    return true;
}

static unsigned access_kind(uint8_t event_kind)
{
    switch (event_kind) {
    case SM_EV_STORE:
    case SM_EV_FREE:
        return SM_ACCESS_WRITE;
    case SM_EV_ATOMIC_LOAD:
    case SM_EV_CAS_FAIL:
        return SM_ACCESS_ATOMIC;
    case SM_EV_ATOMIC_STORE:
    case SM_EV_RMW:
        return SM_ACCESS_WRITE | SM_ACCESS_ATOMIC;
    default:
        return 0;
    }
}

static bool happens_before(const struct past_access *old, const struct sm_clock *clock)
{
    return old->time <= sm_clock_get(clock, old->thread);
}

/* ---- reports ---- */

static void fill(struct sm_race_access *to, const struct past_access *access)
{
    *to = (struct sm_race_access){.kind = access->kind,
                                  .size = (uint8_t)__builtin_popcount(access->mask),
                                  .order = access->order,
                                  .flags = access->flags,
                                  .thread = access->thread,
                                  .site = sm_site_number(access->site),
                                  .value = access->value,
                                  .record = access->record};
    uint32_t depth;
    const uint64_t *stack = sm_stack_get(access->stack, &depth);
    if (depth > SM_RACE_DEPTH)
        depth = SM_RACE_DEPTH;
    if (depth)
        memcpy(to->stack, stack, depth * sizeof *stack);
    to->depth = depth;
    const struct sm_team_thread *member = sm_openmp_member_at(access->member);
    to->number = member->number;
    to->team = member->size;
    to->region = member->region;
    sm_scene_access(to, access->locks);
}

/* The first of a list of freed ranges, one of which may contain addr. */
static const struct freed *freed_near(uintptr_t addr)
{
    uintptr_t start;
    if (!freed_pages.n && !freed_blocks.n)
        return NULL;
    switch (sm_heap_small(addr, &start)) {
    case SM_HEAP_LIVE:
        return NULL;
    case SM_HEAP_FREED:
        return sm_table_get(&freed_blocks, start);
    default:
        return sm_table_get(&freed_pages, addr >> PAGE_SHIFT);
    }
}

/* A live or a freed block. */
static void fill_block(struct sm_race_block *to, uintptr_t addr)
{
    uintptr_t begins;
    size_t size;
    uint32_t owner;
    const struct freed *freed = freed_near(addr);
    if (sm_heap_block(addr, &begins, &size, &owner)) {
        sm_scene_block(to, begins);
        return;
    }
    while (freed && (addr < freed->start || addr >= freed->end))
        freed = freed->next;
    if (freed)
        sm_scene_block(to, freed->start);
}

/* Like sm_race_place, for an access that was not filled in. */
static uint64_t place_of(const struct past_access *access)
{
    uint32_t site = sm_site_number(access->site), depth;
    const uint64_t *stack = sm_stack_get(access->stack, &depth);
    return sm_race_place_of(site, depth ? stack[0] : 0);
}

static bool same_pair(const struct sm_race *race, uint64_t first, uint64_t second)
{
    uint64_t a = sm_race_place(&race->first), b = sm_race_place(&race->second);
    return (a == first && b == second) || (a == second && b == first);
}

static void report(const struct past_access *old, const struct past_access *new, uintptr_t granule)
{
    uint64_t first = place_of(old), second = place_of(new);
    uintptr_t addr = granule * 8 + (unsigned)__builtin_ctz(old->mask & new->mask);
    if (sm_note_find(SM_NOTE_BENIGN, addr))
        return;
    for (uint32_t i = 0; i < sm_control->n_races; i++) {
        if (same_pair(&sm_control->races[i], first, second)) {
            sm_control->races[i].count++;
            sm_race_add_place(&sm_control->races[i], sm_region_normal(granule * 8));
            return;
        }
    }
    if (sm_control->n_races == SM_MAX_RACES) {
        sm_control->races_lost++;
        return;
    }
    struct sm_race *race = &sm_control->races[sm_control->n_races];
    race->addr = addr;
    race->descriptor = sm_descriptor_at(addr);
    race->count = 1;
    race->n_places = 0;
    sm_race_add_place(race, sm_region_normal(granule * 8));
    fill(&race->first, old);
    fill(&race->second, new);
    race->block = (struct sm_race_block){0};
    fill_block(&race->block, addr);
    sm_control->n_races++;
}

/* ---- the lists ---- */

static void compare_all(const struct past_access *list, const struct past_access *new,
                        const struct sm_clock *clock, uintptr_t granule)
{
    for (const struct past_access *old = list; old; old = old->next)
        if ((old->mask & new->mask) && old->thread != new->thread &&
            sm_conflicts(access_kind(old->kind), access_kind(new->kind)) &&
            !happens_before(old, clock))
            report(old, new, granule);
}

/* Returns one of those that were dropped, to be used again: to allocate it takes 128 bytes of
   zeros. */
static struct past_access *drop_covered(struct past_access **list, const struct past_access *new,
                                        const struct sm_clock *clock)
{
    struct past_access *spare = NULL;
    for (struct past_access **place = list; *place;) {
        struct past_access *old = *place;
        if (sm_conflicts_cover(access_kind(new->kind), access_kind(old->kind)) &&
            happens_before(old, clock))
            old->mask &= (uint8_t)~new->mask;
        if (old->mask) {
            place = &old->next;
            continue;
        }
        *place = old->next;
        if (spare)
            sm_free(old, sizeof *old);
        else
            spare = old;
    }
    return spare;
}

/* The only one of its list, and dropped for the new access. */
static bool is_replaced(const struct past_access *old, const struct past_access *new,
                        const struct sm_clock *clock)
{
    return old && !old->next && !(old->mask & ~new->mask) &&
           sm_conflicts_cover(access_kind(new->kind), access_kind(old->kind)) &&
           happens_before(old, clock);
}

static void add(uintptr_t granule, const struct past_access *access, const struct sm_clock *clock)
{
    struct past_access **list = (struct past_access **)sm_table_at(&granules, granule);
    if (is_replaced(*list, access, clock)) {
        **list = *access; /* without `next` */
        return;
    }
    compare_all(*list, access, clock, granule);
    struct past_access *spare = drop_covered(list, access, clock);
    struct past_access *copy = spare ? spare : sm_alloc(sizeof *copy);
    *copy = *access;
    copy->next = *list;
    *list = copy;
}

static struct past_access describe(const struct sm_event *event)
{
    /* A release ticks the clock after the access: the access belongs to the time before. */
    return (struct past_access){.value = event->value,
                                .record = event->index,
                                .site = event->site,
                                .locks = sm_scene_locks(event->thread->id),
                                .thread = event->thread->id,
                                .time = event->time,
                                .stack = sm_stack_at(event),
                                .member = event->thread->member,
                                .kind = event->kind,
                                .order = event->order,
                                .flags = event->flags};
}

/* ---- freed memory ---- */

static void forget_freed(uintptr_t start, uintptr_t end)
{
    uintptr_t small;
    if (!freed_pages.n || sm_heap_small(start, &small) != SM_HEAP_BAD)
        return;
    for (uintptr_t page = start >> PAGE_SHIFT; page << PAGE_SHIFT < end; page++) {
        struct freed **place = sm_table_get(&freed_pages, page)
                                   ? (struct freed **)sm_table_at(&freed_pages, page)
                                   : NULL;
        while (place && *place) {
            struct freed *freed = *place;
            if (freed->start >= end || freed->end <= start) {
                place = &freed->next;
                continue;
            }
            *place = freed->next;
            sm_free(freed, sizeof *freed);
        }
    }
}

static void remember_freed(uintptr_t start, uintptr_t end, const struct past_access *access)
{
    uintptr_t small;
    if (sm_heap_small(start, &small) != SM_HEAP_BAD) {
        struct freed **freed = (struct freed **)sm_table_at(&freed_blocks, start);
        if (!*freed)
            *freed = sm_alloc(sizeof **freed);
        **freed = (struct freed){NULL, start, end, *access};
        return;
    }
    for (uintptr_t page = start >> PAGE_SHIFT; page << PAGE_SHIFT < end; page++) {
        struct freed **list = (struct freed **)sm_table_at(&freed_pages, page);
        struct freed *freed = sm_alloc(sizeof *freed);
        *freed = (struct freed){*list, start, end, *access};
        *list = freed;
    }
}

static void compare_freed(uintptr_t addr, const struct past_access *access,
                          const struct sm_clock *clock)
{
    for (const struct freed *freed = freed_near(addr); freed; freed = freed->next)
        if (addr >= freed->start && addr < freed->end && freed->access.thread != access->thread &&
            !happens_before(&freed->access, clock))
            report(&freed->access, access, addr / 8);
}

static void forget_accesses(uintptr_t start, uintptr_t end)
{
    for (uintptr_t granule = start / 8; granule * 8 < end; granule++) {
        struct past_access *list = sm_table_take(&granules, granule);
        while (list) {
            struct past_access *next = list->next;
            sm_free(list, sizeof *list);
            list = next;
        }
    }
}

/* Freeing is a write to every byte; afterwards the memory has no other past. Frees by the loader do
   not race. */
static void free_range(const struct sm_event *event)
{
    sm_table_fetch(&freed_blocks, event->addr);
    struct past_access access = describe(event);
    uintptr_t end = event->addr + event->old;
    bool races = !sm_is_loader(event->pc);
    access.mask = 0xff;
    if (races)
        remember_freed(event->addr, end, &access);
    for (uintptr_t granule = event->addr / 8; races && granule * 8 < end; granule++)
        compare_all(sm_table_get(&granules, granule), &access, &sm_hb_view(event->thread)->hb,
                    granule);
    forget_accesses(event->addr, end);
}

static void on_event(const struct sm_event *event)
{
    sm_scene_event(event);
    switch (event->kind) {
    case SM_EV_LOAD:
    case SM_EV_STORE:
    case SM_EV_ATOMIC_LOAD:
    case SM_EV_ATOMIC_STORE:
    case SM_EV_RMW:
    case SM_EV_CAS_FAIL: {
        if (event->thread->ignored)
            break;
        struct past_access access = describe(event);
        access.mask = (uint8_t)(((1u << event->size) - 1) << event->addr % 8);
        compare_freed(event->addr, &access, &sm_hb_view(event->thread)->hb);
        add(event->addr / 8, &access, &sm_hb_view(event->thread)->hb);
        break;
    }
    case SM_EV_ALLOC:
        forget_freed(event->addr, event->addr + event->old);
        break;
    case SM_EV_FREE:
        free_range(event);
        break;
    default:
        break;
    }
}

/* Before the event's own effect on happens-before: a lock does not order its own initialisation. */
static void on_aside(const struct sm_event *event)
{
    const struct sm_clock *clock = &sm_hb_view(event->thread)->hb;
    struct past_access access = describe(event);
    uintptr_t end = event->addr + event->old;
    access.time = sm_hb_time(event->thread);
    if (event->kind == SM_EV_ALLOC) {
        forget_accesses(event->addr, end);
        return;
    }
    for (uintptr_t addr = event->addr; addr < end && !event->thread->ignored;) {
        uintptr_t next = (addr & ~7ul) + 8 < end ? (addr & ~7ul) + 8 : end;
        access.mask = (uint8_t)(((1u << (next - addr)) - 1) << addr % 8);
        compare_freed(addr, &access, clock);
        add(addr / 8, &access, clock);
        addr = next;
    }
}

const struct sm_analysis sm_analysis_race = {
    .name = "race", .start = start, .event = on_event, .aside = on_aside};
