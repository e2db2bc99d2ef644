/*
 * record.c - see record.h.
 */
#include "native/record.h"

#include "base/sys.h"
#include "native/kept.h"
#include "native/marks.h"
#include "native/sync.h"
#include "native/window.h"

struct sm_granule_record *sm_records;
uint32_t sm_n_records;
static uint32_t free_record, lock; /* of the list of free records */

static uint32_t new_record(void)
{
    sm_lock_word(&lock, SM_LOCK_RECORDS);
    uint32_t number = free_record;
    if (number && sm_records) {
        free_record = sm_records[number].next_free;
    } else {
        if (!sm_records) {
            sm_records = sm_map(NULL, SM_RECORDS * sizeof *sm_records);
            sm_n_records = 1;
        }
        number = sm_n_records;
        SM_ASSERT(number < SM_RECORDS);
        /* release: a thread that reads the number also sees the mapping */
        __atomic_store_n(&sm_n_records, number + 1, __ATOMIC_RELEASE);
    }
    sm_unlock_word(&lock, SM_LOCK_RECORDS);
    sm_records[number].next_free = 0;
    return number;
}

static uint32_t room_of(const struct sm_granule_record *record)
{
    return (uint32_t)SM_FEW_MARKS << record->doublings;
}

static void free_marks(struct sm_granule_record *record)
{
    if (record->marks != record->few)
        sm_free(record->marks, room_of(record) * sizeof *record->marks);
}

void sm_record_add(struct sm_granule_record *record, struct sm_mark mark)
{
    if (record->n_marks == room_of(record)) {
        struct sm_mark *marks = sm_alloc(2 * room_of(record) * sizeof *marks);
        for (uint32_t i = 0; i < record->n_marks; i++)
            marks[i] = record->marks[i];
        free_marks(record);
        record->marks = marks;
        record->doublings++;
    }
    record->marks[record->n_marks++] = mark;
    record->n_plain += !(mark.kind & SM_ACCESS_ATOMIC);
}

/* ---- turning a granule into a list ---- */

static void add_marks(struct sm_granule_record *record, const struct sm_cell *cell)
{
    for (unsigned i = 0; i < SM_MARKS; i++) {
        uint32_t mark = sm_cell_mark(cell, i);
        if (mark && mark != SM_MARK_LIST && !sm_mark_settled(mark))
            sm_record_add(record, sm_mark_in_record(sm_epoch_expand(sm_mark_epoch(mark)),
                                                    mark & SM_MARK_BYTES,
                                                    mark & SM_MARK_WRITE ? SM_ACCESS_WRITE : 0));
    }
}

/* Under the granule's lock: no other thread turns the granule into a list. The record is locked:
   marks that a claimant stores in the cell meanwhile (claim.h) are moved to the list before anybody
   reads it. */
static struct sm_granule_record *to_list(uintptr_t addr)
{
    struct sm_cell *cell = sm_cell_of(addr), seen, list = {.mark = {SM_MARK_LIST}};
    uint32_t number = new_record();
    struct sm_granule_record *record = &sm_records[number];
    sm_lock_word(&record->lock, SM_LOCK_RECORD);
    record->marks = record->few;
    record->first.clock = (struct sm_clock){0, SM_CLOCK_LINE, true, record->times};
    record->granule = addr & ~7ul;
    *sm_cell_number(addr) = number;
    sm_record_counted(addr, 1);
    bool claimed;
    do {
        uint64_t claims = sm_claims_load();
        do
            seen = sm_cell_load(cell);
        while (!sm_cell_replace(cell, seen, list));
        claimed = sm_was_claimed(cell, claims);
        if (sm_cell_mark(&seen, 0) != SM_MARK_HEADER)
            add_marks(record, &seen);
        if (claimed)
            sm_claims_await(cell);
    } while (claimed);
    return record;
}

struct sm_granule_record *sm_record_lock_slowly(uintptr_t addr)
{
    sm_granule_lock(addr); /* no other thread creates or drops the record now */
    struct sm_granule_record *record = sm_record_find(addr);
    if (record)
        sm_lock_word(&record->lock, SM_LOCK_RECORD);
    else
        record = to_list(addr);
    sm_granule_unlock(addr);
    return record;
}

static void free_clocks(struct sm_sync_clock *clock)
{
    for (struct sm_sync_clock *next; clock; clock = next) {
        next = clock->next;
        sm_clock_clear(&clock->clock);
        sm_free(clock, sizeof(struct sm_more_clock));
    }
}

static void free_record_contents(struct sm_granule_record *record)
{
    free_marks(record);
    sm_clock_clear(&record->first.clock);
    free_clocks(record->first.next);
    free_clocks(record->heads);
}

/* Under both locks; the second is released. The granule has no record any more. */
static void release_record(uintptr_t addr, struct sm_granule_record *record)
{
    uint32_t number = *sm_cell_number(addr);
    sm_record_counted(addr, -1);
    sm_kept_collect(record);
    free_record_contents(record);
    *record = (struct sm_granule_record){.lock = 1, .version = record->version + 2};
    sm_unlock_word(&record->lock, SM_LOCK_RECORD);
    sm_lock_word(&lock, SM_LOCK_RECORDS);
    record->next_free = free_record;
    free_record = number;
    sm_unlock_word(&lock, SM_LOCK_RECORDS);
}

void sm_record_drop(uintptr_t addr)
{
    sm_granule_lock(addr);
    struct sm_granule_record *record = sm_record_find(addr);
    if (record) {
        sm_lock_word(&record->lock, SM_LOCK_RECORD);
        sm_cell_store(sm_cell_of(addr), 0, 0);
        release_record(addr, record);
    }
    sm_granule_unlock(addr);
}

/* ---- marks ---- */

/* Several marks of one epoch may cover it together. */
static bool is_there(const struct sm_granule_record *record, struct sm_mark mark)
{
    uint8_t left = mark.mask;
    for (uint32_t i = 0; i < record->n_marks && left; i++) {
        const struct sm_mark *other = &record->marks[i];
        if (other->epoch == mark.epoch && sm_conflicts_cover(other->kind, mark.kind))
            left &= (uint8_t)~other->mask;
    }
    return !left;
}

static void fill_race(struct sm_collision *race, const struct sm_mark *other, uint8_t common)
{
    race->addr = (race->addr & ~7ul) + (unsigned)__builtin_ctz(common);
    race->size = (uint32_t)__builtin_popcount(common);
    race->other_epoch = other->epoch;
    race->other_kind = other->kind;
}

static void drop_empty(struct sm_granule_record *record)
{
    uint32_t kept = 0;
    record->n_plain = 0;
    for (uint32_t i = 0; i < record->n_marks; i++) {
        if (!record->marks[i].mask)
            continue;
        record->n_plain += !(record->marks[i].kind & SM_ACCESS_ATOMIC);
        record->marks[kept++] = record->marks[i];
    }
    record->n_marks = kept;
}

/* The effect of the mark on another with common bytes, of the same thread or in conflict with it.
 */
static void meet(struct sm_detect_thread *thread, struct sm_mark mark, struct sm_mark *other,
                 struct sm_collision *race)
{
    if (other->slot != mark.slot && !sm_has_seen(thread, other->epoch))
        fill_race(race, other, other->mask & mark.mask);
    else if (sm_conflicts_cover(mark.kind, other->kind))
        other->mask &= (uint8_t)~mark.mask;
}

/* Drops marks that cannot race any more. */
static void make_room(struct sm_granule_record *record, struct sm_detect_thread *thread,
                      struct sm_mark mark)
{
    for (struct sm_mark *other = record->marks, *end = other + record->n_marks; other < end;
         other++) {
        if (sm_epoch_is_settled(other->epoch))
            other->mask = 0;
        else if ((other->mask & mark.mask) && sm_conflicts_cover(mark.kind, other->kind) &&
                 sm_has_seen(thread, other->epoch))
            other->mask &= (uint8_t)~mark.mask;
    }
    drop_empty(record);
}

/* `place`: the mark of the same epoch and kind, an empty mark, or NULL. */
static void set_mark(struct sm_granule_record *record, struct sm_detect_thread *thread,
                     struct sm_mark mark, struct sm_mark *place)
{
    if (place && place->mask) {
        place->mask |= mark.mask;
        return;
    }
    if (place) {
        record->n_plain += !(mark.kind & SM_ACCESS_ATOMIC) - !(place->kind & SM_ACCESS_ATOMIC);
        *place = mark;
        return;
    }
    if (record->n_marks == room_of(record))
        make_room(record, thread, mark);
    sm_record_add(record, mark);
}

/* ---- back to the cell ---- */

/* Two lanes stay empty: a granule that is full again at once would go to and fro. */
bool sm_record_fits_cell(const struct sm_granule_record *record)
{
    if (record->first.key || record->heads || record->count || record->keepers ||
        record->n_plain != record->n_marks)
        return false;
    unsigned live = 0;
    for (uint32_t i = 0; i < record->n_marks && live <= SM_MARKS - 2; i++)
        live += !sm_epoch_is_settled(record->marks[i].epoch);
    return live <= SM_MARKS - 2;
}

/* Each in the lane of its thread, where possible. False if one is too old for a cell (window.h). */
static bool marks_to_cell(const struct sm_granule_record *record, struct sm_cell *cell)
{
    *cell = (struct sm_cell){0};
    for (uint32_t i = 0; i < record->n_marks; i++) {
        struct sm_mark mark = record->marks[i];
        unsigned lane = sm_lane_of(mark.slot);
        if (sm_epoch_is_settled(mark.epoch))
            continue;
        if (mark.epoch < __atomic_load_n(&sm_marks_from, __ATOMIC_RELAXED))
            return false;
        while (cell->mark[lane])
            lane = (lane + 1) % SM_MARKS;
        cell->mark[lane] = sm_mark_of(mark.epoch, mark.kind & SM_ACCESS_WRITE, mark.mask);
    }
    return true;
}

/* The calling thread is marking (window.h), so the window does not move meanwhile. */
void sm_record_to_cell(uintptr_t addr)
{
    struct sm_cell *cell = sm_cell_of(addr), seen, next;
    sm_granule_lock(addr);
    struct sm_granule_record *record = sm_record_find(addr);
    if (record) {
        sm_lock_word(&record->lock, SM_LOCK_RECORD);
        if (sm_record_fits_cell(record) && marks_to_cell(record, &next)) {
            do
                seen = sm_cell_load(cell); /* the cached marks may change */
            while (!sm_cell_replace(cell, seen, next));
            release_record(addr, record);
        } else {
            sm_record_unlock(record);
        }
    }
    sm_granule_unlock(addr);
}

/* ---- uses of locks: see uses.h ---- */

static bool is_of_lock(uint32_t key, uint8_t mask)
{
    uint32_t kind = key & 0xffff;
    return (kind == SM_KEY_MAIN || kind == SM_KEY_READERS) && (mask >> (key >> 16) & 1);
}

/* An epoch in the clock that does not happen before the thread; 0: none. If the clock is a join of
   several, the first such entry. */
static uint32_t unseen(const struct sm_sync_clock *clock, struct sm_detect_thread *thread)
{
    if (!sm_clocks_exact)
        return 0;
    if (clock->owner)
        return sm_has_seen(thread, clock->owner) ? 0 : clock->owner;
    for (uint32_t slot = 0; slot < clock->clock.n; slot++)
        if (clock->clock.time[slot] > sm_clock_get(&thread->seen, slot))
            return sm_epoch_at(slot, clock->clock.time[slot]);
    return 0;
}

static void meet_uses(const struct sm_granule_record *record, struct sm_detect_thread *thread,
                      struct sm_mark mark, struct sm_collision *race)
{
    for (const struct sm_sync_clock *clock = &record->first; clock; clock = clock->next) {
        struct sm_mark use = {.kind = SM_ACCESS_ATOMIC};
        if (!is_of_lock(clock->key, mark.mask) || !(use.epoch = unseen(clock, thread)))
            continue;
        use.mask = (uint8_t)(1u << (clock->key >> 16));
        fill_race(race, &use, use.mask);
    }
}

/* One pass that writes only what changes: bytes that are accessed one by one, or by many threads,
   have long lists. A mark that the access has emptied makes room for its own. Accesses of other
   threads that it does not conflict with are compared with the clock only if there is no room. */
static bool plain_access(struct sm_granule_record *record, struct sm_detect_thread *thread,
                         struct sm_mark mark, struct sm_collision *race)
{
    struct sm_mark *own = NULL, *empty = NULL;
    uint8_t left = mark.mask;
    unsigned n_empty = 0;
    for (struct sm_mark *other = record->marks, *end = other + record->n_marks; other < end;
         other++) {
        if (other->slot != mark.slot && !sm_conflicts(mark.kind, other->kind))
            continue;
        if (other->epoch == mark.epoch && other->kind == mark.kind)
            own = other;
        if (!(other->mask & mark.mask))
            continue;
        if (other->epoch == mark.epoch && sm_conflicts_cover(other->kind, mark.kind)) {
            left &= (uint8_t)~other->mask;
            continue;
        }
        meet(thread, mark, other, race);
        if (!other->mask) {
            empty = other;
            n_empty++;
        }
    }
    if (!left)
        race->other_epoch = 0; /* reported at the first access to the bytes in this epoch */
    else if (mark.kind == SM_ACCESS_WRITE && !race->other_epoch)
        meet_uses(record, thread, mark, race);
    if (left)
        set_mark(record, thread, mark, own ? own : empty);
    if (n_empty > (left && !own))
        drop_empty(record);
    return left;
}

void sm_record_forget(struct sm_granule_record *record, struct sm_mark mark)
{
    sm_kept_collect(record);
    for (uint32_t i = 0; i < record->n_marks; i++) {
        struct sm_mark *other = &record->marks[i];
        if (other->epoch == mark.epoch && other->kind == mark.kind)
            other->mask &= (uint8_t)~mark.mask;
    }
    drop_empty(record);
}

bool sm_record_access(struct sm_granule_record *record, struct sm_detect_thread *thread,
                      struct sm_mark mark, struct sm_collision *race)
{
    if (mark.kind & SM_ACCESS_WRITE)
        sm_kept_collect(record);
    bool full = record->n_marks == room_of(record);
    if (record->n_plain || !(mark.kind & SM_ACCESS_ATOMIC) || full)
        return plain_access(record, thread, mark, race);
    if (is_there(record, mark))
        return false;
    sm_record_add(record, mark); /* marks it dominates would only be added again by their threads */
    return true;
}

static struct sm_sync_clock *new_clock(void)
{
    struct sm_more_clock *more = sm_alloc(sizeof *more);
    uint32_t room = sizeof more->times / sizeof *more->times;
    more->sync.clock = (struct sm_clock){0, room, true, more->times};
    return &more->sync;
}

struct sm_sync_clock *sm_record_clock(struct sm_granule_record *record, uint32_t key)
{
    struct sm_sync_clock *clock = &record->first;
    while (clock->key && clock->key != key && clock->next)
        clock = clock->next;
    if (clock->key == key)
        return clock;
    if (clock->key) {
        clock->next = new_clock();
        clock = clock->next;
    }
    /* release: a thread that finds it without the lock (sync.c) sees it complete */
    __atomic_store_n(&clock->key, key, __ATOMIC_RELEASE);
    return clock;
}

struct sm_sync_clock *sm_record_head(struct sm_granule_record *record, uint32_t key, bool make)
{
    struct sm_sync_clock *head = record->heads;
    while (head && head->key != key)
        head = head->next;
    if (head || !make)
        return head;
    head = new_clock();
    head->key = key;
    head->next = record->heads;
    record->heads = head;
    return head;
}
