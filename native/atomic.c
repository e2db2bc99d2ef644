/*
 * atomic.c - atomic accesses: performed natively, marked for races, ordered as C11 says.
 *
 * The access and the update of the location's clock are one step under the record's lock, so a load
 * acquires the clock of the very store it reads from. The location's clock is that of the release
 * sequence the newest store belongs to:
 *
 *   store, release        becomes the thread's clock
 *   store, relaxed        becomes the join of the thread's clocks at its last release fence and at
 *                         its last release store to the location; empty if there was neither
 *   read-modify-write     is joined with the same: it continues the release sequence
 *   load, acquire         is joined to the thread's clock
 *   load, relaxed         is joined to it at the thread's next acquire fence
 *
 * A failed compare-exchange is a load of its failure order.
 */
#include <string.h>

#include "abi/site.h"
#include "base/sys.h"
#include "core/order.h"
#include "core/rmw.h"
#include "native/paths.h"
#include "native/record.h"
#include "native/sync.h"

typedef const struct sm_site *S;

/* Propagates the constants that a hook knows of its access. */
#define ALWAYS_INLINE __attribute__((always_inline))

/* LOOK, TOUCH: a load or read-modify-write that the program performs itself, in assembly. */
enum action { LOAD, LOOK, STORE, RMW, CAS, TOUCH };

struct atomic {
    enum action action;
    void *addr;
    S site;
    unsigned size;
    sm_wide operand, expected;
    sm_wide old;   /* out */
    uint8_t order; /* out, CAS: the order on success or failure */
    bool stored;   /* out */
};

static inline bool is_load(enum action action)
{
    return action == LOAD || action == LOOK;
}

static inline ALWAYS_INLINE void perform(struct atomic *atomic)
{
    atomic->order = atomic->site->order;
    atomic->stored = !is_load(atomic->action);
    switch (atomic->action) {
    case LOAD:
        atomic->old = sm_native_load(atomic->addr, atomic->size);
        break;
    case STORE:
        sm_native_store(atomic->addr, atomic->operand, atomic->size);
        break;
    case RMW:
        atomic->old = sm_native_rmw(atomic->addr, atomic->operand, atomic->site->op, atomic->size);
        break;
    case CAS:
        atomic->old = sm_native_cas(atomic->addr, atomic->expected, atomic->operand, atomic->size);
        atomic->stored = atomic->old == atomic->expected;
        atomic->order = sm_order_of_cas(atomic->stored, atomic->order, atomic->site->order_fail);
        break;
    case LOOK:
    case TOUCH:
        break;
    }
}

/* ---- clocks of the parts of a granule: the key is offset * 16 + size ---- */

struct part {
    uintptr_t addr; /* within one granule */
    uint32_t offset, size;
    struct sm_granule_record *record; /* the granule's, locked */
};

static uint32_t key_of(uint32_t offset, uint32_t size)
{
    return offset * 16 + size;
}

static bool overlaps(uint32_t key, const struct part *part)
{
    uint32_t offset = key / 16, size = key % 16;
    return key < SM_KEY_MAIN && offset < part->offset + part->size && part->offset < offset + size;
}

static bool is_covered(uint32_t key, const struct part *part)
{
    return key / 16 >= part->offset && key / 16 + key % 16 <= part->offset + part->size;
}

/* An older, wider store keeps its clock for the bytes that are not overwritten. */
static void cut_out(struct sm_granule_record *record, struct sm_sync_clock *from,
                    const struct part *part)
{
    uint32_t offset = from->key / 16, size = from->key % 16;
    for (uint32_t i = offset; i < offset + size; i++)
        if (i < part->offset || i >= part->offset + part->size)
            sm_clock_replace(sm_record_clock(record, key_of(i, 1)), &from->clock, from->owner);
}

static void end_overwritten(struct sm_granule_record *record, const struct part *part)
{
    for (struct sm_sync_clock *clock = &record->first; clock; clock = clock->next) {
        if (!overlaps(clock->key, part) || !clock->clock.n ||
            clock->key == key_of(part->offset, part->size))
            continue;
        if (!is_covered(clock->key, part))
            cut_out(record, clock, part);
        sm_clock_empty(clock);
    }
}

/* Clocks that the thread already contains are not saved for its next acquire fence. */
static void take(struct sm_detect_thread *thread, const struct sm_granule_record *record,
                 const struct part *part, bool acquire)
{
    struct sm_clock *to = acquire ? &thread->seen : &thread->to_acquire;
    for (const struct sm_sync_clock *clock = &record->first; clock; clock = clock->next)
        if (overlaps(clock->key, part) && !sm_clock_contains(&thread->seen, clock->owner) &&
            (acquire || !sm_clock_contains(to, clock->owner))) {
            sm_clock_join(to, &clock->clock);
            thread->ordered |= acquire;
        }
}

/* ---- heads ----
 * A release store heads a release sequence to which later stores of its thread belong (RC11, and
 * the controlled flavour): a relaxed store publishes what its thread had seen at its last release
 * store to the location. While no other thread has stored since, that is the location's own clock,
 * flagged SM_OWNER_HEAD; when another thread stores, the head's clock is saved first. */

static bool is_own_head(const struct sm_detect_thread *thread, uint32_t owner)
{
    uint32_t epoch = owner & SM_EPOCH_MASK;
    return (owner & SM_OWNER_HEAD) && sm_epoch_slot(epoch) == thread->slot &&
           sm_epoch_time(epoch) >= thread->first_time;
}

static uint32_t head_key(uint32_t slot, const struct part *part)
{
    return slot << 3 | part->offset;
}

/* Where to save the clock for the thread that released it; NULL if it is not another thread's
   head. */
static struct sm_sync_clock *place_by(const struct sm_detect_thread *thread,
                                      const struct part *part, const struct sm_sync_clock *clock)
{
    uint32_t slot = sm_epoch_slot(clock->owner & SM_EPOCH_MASK);
    if (!(clock->owner & SM_OWNER_HEAD) || slot == thread->slot)
        return NULL;
    return sm_record_head(part->record, head_key(slot, part), true);
}

static void keep_head(const struct sm_detect_thread *thread, const struct part *part,
                      const struct sm_sync_clock *clock)
{
    struct sm_sync_clock *head = place_by(thread, part, clock);
    if (head)
        sm_clock_replace(head, &clock->clock, clock->owner);
}

/* The same where the clock is to be emptied: a long clock is moved, in exchange for the other's
   storage. */
static void move_head(const struct sm_detect_thread *thread, const struct part *part,
                      struct sm_sync_clock *clock)
{
    struct sm_sync_clock *head = place_by(thread, part, clock);
    if (head && (clock->clock.borrowed || head->clock.borrowed)) {
        sm_clock_replace(head, &clock->clock, clock->owner);
    } else if (head) {
        struct sm_clock room = head->clock;
        head->clock = clock->clock;
        head->owner = clock->owner;
        clock->clock = room;
    }
    sm_clock_empty(clock);
}

/* The thread's own saved head; NULL if there is none. */
static const struct sm_sync_clock *kept_head(const struct sm_detect_thread *thread,
                                             const struct part *part)
{
    const struct sm_sync_clock *head =
        sm_record_head(part->record, head_key(thread->slot, part), false);
    return head && is_own_head(thread, head->owner) ? head : NULL;
}

/* Joins what a relaxed store publishes: the clock of the last release fence, and the head. */
static void give_relaxed(const struct sm_detect_thread *thread, const struct part *part,
                         struct sm_sync_clock *clock)
{
    const struct sm_sync_clock *head =
        is_own_head(thread, clock->owner) ? NULL : kept_head(thread, part);
    if (head && !sm_clock_contains(&clock->clock, head->owner)) {
        keep_head(thread, part, clock);
        sm_clock_add(clock, &head->clock, head->owner);
    }
    if (thread->fenced && !sm_clock_contains(&clock->clock, thread->released_in)) {
        keep_head(thread, part, clock);
        sm_clock_add(clock, &thread->released, thread->released_in);
    }
}

/* A releasing read-modify-write: saves the thread's head, unless that is now the clock itself. */
static void give_more(const struct sm_detect_thread *thread, const struct part *part,
                      struct sm_sync_clock *clock, bool acquired)
{
    uint32_t owner = sm_own.epoch | SM_OWNER_HEAD;
    if (acquired)
        move_head(thread, part, clock); /* the thread has acquired all of it */
    else
        keep_head(thread, part, clock);
    sm_clock_add(clock, &thread->seen, owner);
    if (clock->owner != owner)
        sm_clock_replace(sm_record_head(part->record, head_key(thread->slot, part), true),
                         &thread->seen, owner);
}

/* Mostly a location is always accessed with the same size, and so has one clock. */
static struct sm_sync_clock *clock_for(struct sm_granule_record *record, const struct part *part,
                                       enum action action)
{
    uint32_t key = key_of(part->offset, part->size);
    if (SM_LIKELY(record->first.key == key && !record->first.next))
        return &record->first;
    if (action == STORE)
        end_overwritten(record, part);
    return sm_record_clock(record, key);
}

/* May a load acquire more from a store of this order than from the one before it? A relaxed one
   publishes a head, or a release fence that is not yet published there. */
static bool publishes(const struct sm_detect_thread *thread, uint8_t order, const struct part *part)
{
    const struct sm_granule_record *record = part->record;
    if (sm_order_releases(order))
        return true;
    if (!thread->fenced && !record->first.key)
        return false; /* nothing was ever released here */
    return record->first.key != key_of(part->offset, part->size) || record->first.next ||
           record->heads ||
           (thread->fenced && !sm_clock_contains(&record->first.clock, thread->released_in));
}

static void give(struct sm_detect_thread *thread, enum action action, uint8_t order,
                 const struct part *part)
{
    struct sm_granule_record *record = part->record;
    bool releasing = sm_order_releases(order);
    if (!releasing && !thread->fenced && !record->first.key)
        return; /* nothing was ever released here */
    struct sm_sync_clock *clock = clock_for(record, part, action);
    if (action != STORE && releasing) {
        give_more(thread, part, clock, sm_order_acquires(order));
        return;
    }
    if (action == STORE && (releasing || !is_own_head(thread, clock->owner)))
        move_head(thread, part, clock);
    if (releasing)
        sm_clock_replace(clock, &thread->seen, sm_own.epoch | SM_OWNER_HEAD);
    else
        give_relaxed(thread, part, clock);
}

/* ---- accesses that change nothing but the value ----
 * What a thread marked, acquired and published at its last access to a location is still valid
 * while its epoch and the location's version are unchanged; then a similar access needs no lock:
 *   a load           if it is not acquire, or the last access was
 *   a relaxed RMW    it continues the release sequence; so do those of other threads, which
 *                    is why they need not change the version. Also a compare-exchange
 *   a relaxed store  if nothing was ever released there and the thread has nothing to publish
 * A store from which a load may acquire more changes the version before the value, so a value read
 * between two reads of the same version belongs to that version or to a store that published no
 * more. (Were the version changed by every store that takes the lock, two threads that do relaxed
 * operations on one location would take the lock for ever, each because of the other.) */

struct last {
    const void *addr;
    struct sm_granule_record *record;
    uint64_t version;
    uint32_t epoch;
    uint32_t released_in; /* the release fence that was published, or 0 */
    uint32_t size;
    bool acquired, wrote, alone; /* alone: the location had no clock */
};

#define LASTS 64
static __thread struct last lasts[LASTS];

static struct last *last_place(const void *addr)
{
    return &lasts[(uintptr_t)addr / 4 % LASTS];
}

static uint32_t fence_of(const struct sm_detect_thread *thread)
{
    return thread->fenced ? thread->released_in : 0;
}

static inline ALWAYS_INLINE bool is_like(const struct last *last, enum action action,
                                         const void *addr, S site)
{
    const struct sm_detect_thread *thread = sm_current;
    if (last->addr != addr || last->epoch != sm_own.epoch || !last->epoch ||
        last->size != site->size || thread->busy)
        return false;
    if (action == LOAD)
        return last->acquired || !sm_order_acquires(site->order);
    return site->order == SM_ORDER_RELAXED && last->wrote &&
           last->released_in == fence_of(thread) && (action != STORE || last->alone) &&
           (action != CAS || site->order_fail == SM_ORDER_RELAXED);
}

static bool is_version(const struct last *last)
{
    return __atomic_load_n(&last->record->version, __ATOMIC_ACQUIRE) == last->version;
}

static void remember(const struct sm_detect_thread *thread, const struct atomic *atomic,
                     const struct sm_granule_record *record)
{
    if (!is_load(atomic->action) && atomic->order != SM_ORDER_RELAXED)
        return; /* the epoch has ended, or the next store may release */
    *last_place(atomic->addr) = (struct last){atomic->addr,
                                              (struct sm_granule_record *)record,
                                              record->version,
                                              sm_own.epoch,
                                              fence_of(thread),
                                              atomic->size,
                                              sm_order_acquires(atomic->order),
                                              atomic->stored,
                                              !record->first.key && !thread->fenced};
}

/* ---- one access ---- */

static __attribute__((noinline)) bool mark_slowly(struct sm_detect_thread *thread, S site,
                                                  struct sm_mark mark, const struct part *part,
                                                  struct sm_collision *race)
{
    *race = (struct sm_collision){part->addr, part->size, mark.kind, 0, 0, site, thread};
    return sm_record_access(part->record, thread, mark, race);
}

static inline ALWAYS_INLINE void mark_part(struct sm_detect_thread *thread,
                                           const struct atomic *atomic, const struct part *part,
                                           struct sm_collision *race)
{
    uint8_t kind = SM_ACCESS_ATOMIC | (atomic->stored ? SM_ACCESS_WRITE : 0);
    struct sm_mark mark =
        sm_mark_in_record(sm_own.epoch, sm_byte_mask(part->addr, part->size), kind);
    struct sm_mark *own = sm_record_own_atomic(part->record, mark);
    bool fresh;
    race->other_epoch = 0;
    if (SM_LIKELY(own)) {
        fresh = own->epoch != mark.epoch;
        own->epoch = mark.epoch;
    } else {
        fresh = mark_slowly(thread, atomic->site, mark, part, race);
    }
    if (fresh)
        sm_history_add(thread->history, SM_HISTORY_ACCESS, part->addr, atomic->site);
}

/* Changed only under the record's lock; x86 orders the stores. */
static inline void change_version(struct sm_granule_record *record)
{
    __atomic_store_n(&record->version, record->version + 1, __ATOMIC_RELEASE);
}

/* The records are locked. */
static inline ALWAYS_INLINE void access_locked(struct sm_detect_thread *thread,
                                               struct atomic *atomic, struct part *parts,
                                               unsigned n, struct sm_collision *races)
{
    for (unsigned i = 0; i < n && !is_load(atomic->action); i++)
        if (publishes(thread, atomic->site->order, &parts[i]))
            change_version(parts[i].record);
    perform(atomic);
    for (unsigned i = 0; i < n && atomic->action != STORE; i++)
        take(thread, parts[i].record, &parts[i], sm_order_acquires(atomic->order));
    /* What happens before the store it reads from also happens before this access. */
    for (unsigned i = 0; i < n; i++)
        mark_part(thread, atomic, &parts[i], &races[i]);
    for (unsigned i = 0; i < n && atomic->stored; i++)
        give(thread, atomic->action, atomic->order, &parts[i]);
}

/* A seq_cst store is a plain move (core/rmw.c): for where no locked instruction comes before the
   thread's next load. */
static void fence_store(const struct atomic *atomic)
{
    if (atomic->stored && atomic->order == SM_ORDER_SEQ_CST)
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static inline void finish(struct sm_detect_thread *thread, const struct atomic *atomic,
                          const struct sm_collision *races, unsigned n)
{
    if (atomic->stored && sm_order_releases(atomic->order)) {
        thread->given++;
        sm_epoch_advance(thread);
        if (SM_UNLIKELY(!sm_clocks_exact))
            fence_store(atomic); /* the epoch may be the same: see sm_atomic_load */
    }
    for (unsigned i = 0; i < n; i++)
        if (races[i].other_epoch)
            sm_race_found(&races[i]);
}

static inline ALWAYS_INLINE void access_one(struct sm_detect_thread *thread, struct atomic *atomic)
{
    uintptr_t addr = (uintptr_t)atomic->addr;
    struct part part = {addr, addr & 7, atomic->size, sm_record_lock(addr, true)};
    struct sm_collision race;
    access_locked(thread, atomic, &part, 1, &race);
    remember(thread, atomic, part.record);
    sm_record_unlock(part.record);
    finish(thread, atomic, &race, 1);
}

/* The access was made while another thread stored: it may have read from that store. */
static __attribute__((noinline)) void take_late(const void *place, S site)
{
    struct sm_detect_thread *thread = sm_sync_enter();
    uintptr_t addr = (uintptr_t)place;
    struct part part = {addr, addr & 7, site->size, sm_record_lock(addr, true)};
    take(thread, part.record, &part, false);
    sm_record_unlock(part.record);
    sm_sync_leave(thread);
}

/* A misaligned atomic may span two granules, a wide one always does. */
static unsigned parts_of(const struct atomic *atomic, struct part *parts)
{
    uintptr_t addr = (uintptr_t)atomic->addr, end = addr + atomic->size;
    unsigned n = 0;
    while (addr < end) {
        uintptr_t next = (addr & ~7ul) + 8 < end ? (addr & ~7ul) + 8 : end;
        parts[n++] = (struct part){addr, addr & 7, (uint32_t)(next - addr), NULL};
        addr = next;
    }
    return n;
}

/* Only one thread at a time locks several records, to avoid deadlock. */
static uint32_t several;

static __attribute__((noinline)) void access_several(struct sm_detect_thread *thread,
                                                     struct atomic *atomic)
{
    struct part parts[3];
    struct sm_collision races[3];
    unsigned n = parts_of(atomic, parts);
    sm_lock_word(&several, SM_LOCK_SEVERAL);
    for (unsigned i = 0; i < n; i++)
        parts[i].record = sm_record_lock(parts[i].addr, true);
    access_locked(thread, atomic, parts, n, races);
    for (unsigned i = 0; i < n; i++)
        sm_record_unlock(parts[i].record);
    sm_unlock_word(&several, SM_LOCK_SEVERAL);
    finish(thread, atomic, races, n);
}

static inline ALWAYS_INLINE void access(struct atomic *atomic)
{
    struct sm_detect_thread *thread = sm_sync_enter();
    if (!thread || SM_UNLIKELY(thread->sync_ignored)) {
        perform(atomic);
        fence_store(atomic);
        if (thread)
            sm_sync_leave(thread);
        return;
    }
    sm_thread_take_cancel(thread);
    if (SM_LIKELY((uintptr_t)atomic->addr % 8 + atomic->size <= 8)) {
        access_one(thread, atomic);
    } else {
        struct atomic in_memory = *atomic; /* keeps the original in registers */
        access_several(thread, &in_memory);
        *atomic = in_memory;
    }
    sm_sync_leave(thread);
}

/* ---- hooks ---- */

/* The slow paths, separate from the hooks, which need few registers. */

static __attribute__((noinline)) uint64_t load(void *addr, S site)
{
    struct atomic atomic = {.action = LOAD, .addr = addr, .site = site, .size = site->size};
    access(&atomic);
    return (uint64_t)atomic.old;
}

static __attribute__((noinline)) void store(void *addr, uint64_t value, S site)
{
    struct atomic atomic = {
        .action = STORE, .addr = addr, .site = site, .size = site->size, .operand = value};
    access(&atomic);
}

static __attribute__((noinline)) uint64_t rmw(void *addr, uint64_t operand, S site)
{
    struct atomic atomic = {
        .action = RMW, .addr = addr, .site = site, .size = site->size, .operand = operand};
    access(&atomic);
    return (uint64_t)atomic.old;
}

/* The record has the thread's mark of this epoch for these bytes. Without its lock: only the thread
   itself sets the mark. */
static bool has_own_mark(const struct sm_granule_record *record, uint8_t bytes)
{
    uint32_t n = __atomic_load_n(&record->n_marks, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < n && i < SM_FEW_MARKS; i++) {
        struct sm_mark mark = record->few[i];
        if (mark.epoch == sm_own.epoch && (mark.kind & SM_ACCESS_ATOMIC) && !(bytes & ~mark.mask))
            return record->marks == record->few;
    }
    return false;
}

/* A load of a place that the thread has accessed in this epoch and where nobody ever released
   anything: it finds its mark and acquires nothing, so it needs no lock. A store to the place holds
   the lock, and changes the version before the value. (Arrays of relaxed atomics have too many
   places for `lasts`: a quarter of a search's time over an atomic bitmap.) */
static __attribute__((noinline)) bool load_unlocked(void *addr, S site, uint64_t *value)
{
    const struct sm_detect_thread *thread = sm_current;
    const struct sm_granule_record *record = sm_record_find((uintptr_t)addr);
    if (!thread || thread->busy || thread->sync_ignored || !record ||
        (uintptr_t)addr % 8 + site->size > 8)
        return false;
    /* acquire, twice: the lock before the version, the version before all else */
    bool held = __atomic_load_n(&record->lock, __ATOMIC_ACQUIRE);
    uint64_t version = __atomic_load_n(&record->version, __ATOMIC_ACQUIRE);
    if (held || record->granule != ((uintptr_t)addr & ~7ul) || record->first.key ||
        !has_own_mark(record, sm_byte_mask((uintptr_t)addr, site->size)))
        return false;
    *value = (uint64_t)sm_native_load(addr, site->size);
    return __atomic_load_n(&record->version, __ATOMIC_ACQUIRE) == version;
}

SM_EXPORT uint64_t sm_atomic_load(void *addr, S site)
{
    const struct last *last = last_place(addr);
    if (is_like(last, LOAD, addr, site) && is_version(last)) {
        uint64_t value = (uint64_t)sm_native_load(addr, site->size);
        if (SM_LIKELY(is_version(last)))
            return value;
    }
    uint64_t value;
    return load_unlocked(addr, site, &value) ? value : load(addr, site);
}

SM_EXPORT void sm_atomic_store(void *addr, uint64_t value, S site)
{
    const struct last *last = last_place(addr);
    if (is_like(last, STORE, addr, site) && is_version(last))
        sm_native_store(addr, value, site->size);
    else
        store(addr, value, site);
}

SM_EXPORT uint64_t sm_atomic_rmw(void *addr, uint64_t operand, S site)
{
    const struct last *last = last_place(addr);
    if (!is_like(last, RMW, addr, site) || !is_version(last))
        return rmw(addr, operand, site);
    uint64_t old = (uint64_t)sm_native_rmw(addr, operand, site->op, site->size);
    if (!SM_LIKELY(is_version(last)))
        take_late(addr, site);
    return old;
}

static __attribute__((noinline)) uint64_t cas(void *addr, uint64_t expected, uint64_t desired,
                                              S site)
{
    struct atomic atomic = {.action = CAS,
                            .addr = addr,
                            .site = site,
                            .size = site->size,
                            .operand = desired,
                            .expected = expected};
    access(&atomic);
    return (uint64_t)atomic.old;
}

SM_EXPORT uint64_t sm_atomic_cas(void *addr, uint64_t expected, uint64_t desired, S site)
{
    const struct last *last = last_place(addr);
    if (!is_like(last, CAS, addr, site) || !is_version(last))
        return cas(addr, expected, desired, site);
    uint64_t old = (uint64_t)sm_native_cas(addr, expected, desired, site->size);
    if (!SM_LIKELY(is_version(last)))
        take_late(addr, site);
    return old;
}

/* A granule at a time: assembly may touch any number of bytes. */
SM_EXPORT void sm_asm_access(void *addr, uint64_t size, uint64_t write, S site)
{
    char *at = addr, *end = at + size;
    while (at < end) {
        unsigned piece = 8 - (unsigned)((uintptr_t)at % 8);
        if (piece > end - at)
            piece = (unsigned)(end - at);
        struct atomic atomic = {
            .action = write ? TOUCH : LOOK, .addr = at, .site = site, .size = piece};
        access(&atomic);
        at += piece;
    }
}

static sm_wide get(const void *from)
{
    sm_wide value;
    memcpy(&value, from, sizeof value);
    return value;
}

SM_EXPORT void sm_atomic_load_wide(void *result, void *addr, S site)
{
    struct atomic atomic = {.action = LOAD, .addr = addr, .site = site, .size = 16};
    access(&atomic);
    memcpy(result, &atomic.old, 16);
}

SM_EXPORT void sm_atomic_store_wide(void *addr, void *value, S site)
{
    struct atomic atomic = {
        .action = STORE, .addr = addr, .site = site, .size = 16, .operand = get(value)};
    access(&atomic);
}

SM_EXPORT void sm_atomic_rmw_wide(void *old, void *addr, void *operand, S site)
{
    struct atomic atomic = {
        .action = RMW, .addr = addr, .site = site, .size = 16, .operand = get(operand)};
    access(&atomic);
    memcpy(old, &atomic.old, 16);
}

SM_EXPORT void sm_atomic_cas_wide(void *old, void *addr, void *expected, void *desired, S site)
{
    struct atomic atomic = {.action = CAS,
                            .addr = addr,
                            .site = site,
                            .size = 16,
                            .operand = get(desired),
                            .expected = get(expected)};
    access(&atomic);
    memcpy(old, &atomic.old, 16);
}

/* The program's own fence. A locked instruction is cheaper than the mfence that clang makes of
   atomic_thread_fence, and orders as much, except for non-temporal stores, which C11 does not know.
   Weaker fences take no instruction. */
static void perform_fence(uint8_t order)
{
    if (order == SM_ORDER_SEQ_CST)
        __asm__ volatile("lock orq $0, (%%rsp)" ::: "memory", "cc");
}

static void fence(struct sm_detect_thread *thread, uint8_t order)
{
    if (sm_order_acquires(order)) {
        sm_clock_join(&thread->seen, &thread->to_acquire);
        thread->ordered = true;
    }
    if (sm_order_releases(order)) {
        sm_clock_copy(&thread->released, &thread->seen);
        thread->released_in = sm_own.epoch;
        thread->fenced = true;
        thread->given++;
        sm_epoch_advance(thread);
    }
}

SM_EXPORT void sm_fence(S site)
{
    struct sm_detect_thread *thread = sm_sync_enter();
    perform_fence(site->order);
    if (!thread)
        return;
    if (!(site->flags & SM_SITE_SINGLE_THREAD) && !thread->sync_ignored)
        fence(thread, site->order);
    sm_sync_leave(thread);
}
