#include "verify/run/share.h"

#include <string.h>

#include "abi/control.h"
#include "base/sys.h"
#include "runtime/sched/sched.h"
#include "runtime/thread.h"
#include "verify/exploration.h"
#include "verify/explore.h"
#include "verify/graph/graph.h"
#include "verify/pool.h"
#include "verify/run/run.h"
#include "verify/run/script.h"
#include "verify/run/visits.h"
#include "verify/states/paths.h"
#include "verify/trees/learn.h"

enum { FIRST_SLOTS = 256, SEVERAL = 0xfe, NOBODY = 0xff };

/* Which threads have accessed a byte that is not shared. */
struct byte {
    uint8_t owner; /* thread, SEVERAL (readers), NOBODY */
    bool written;
    uint16_t time; /* of the owner; counts creation and joining only */
};

struct granule {
    uintptr_t number; /* address / 8; 0: empty slot */
    uint32_t epoch;   /* execution that `bytes` refers to */
    uint16_t loc[8];  /* location that begins at this byte, or SM_PRIVATE */
    uint8_t size[8];
    struct byte bytes[8];
    uint32_t visits; /* with trees: used in place of `bytes` */
};

struct place {
    uintptr_t addr;                  /* 0: an object */
    sm_threads users[SM_SHARE_USES]; /* of an object */
    uint8_t size;
};

static struct share {
    struct granule *slots;
    uint32_t n, capacity;
    uint32_t epoch;
    uint16_t n_locs;
    bool grew;
    struct place *places; /* of each location */
    uint32_t place_capacity;
    struct {
        uint32_t parent, nth;
    } names[SM_GRAPH_THREADS]; /* of each thread but the initial one */
    uint32_t n_names;
} *share;

static uint32_t children[SM_GRAPH_THREADS]; /* how many threads each thread has created */
static struct sm_vector
    *times; /* SM_GRAPH_THREADS of them; in the pool: a restart compares memory */
static bool threads;

void sm_share_start(void)
{
    share = sm_pool_get(sizeof *share);
    *share = (struct share){.capacity = FIRST_SLOTS, .place_capacity = FIRST_SLOTS, .n_names = 1};
    share->places = sm_pool_get(FIRST_SLOTS * sizeof *share->places);
    share->slots = sm_pool_get(FIRST_SLOTS * sizeof *share->slots);
    memset(share->slots, 0, FIRST_SLOTS * sizeof *share->slots);
    times = sm_pool_get(SM_GRAPH_THREADS * sizeof *times);
    sm_visits_start();
}

void sm_share_begin(void)
{
    share->epoch++;
    threads = false;
    memset(&times[0], 0, sizeof times[0]); /* the others begin as copies */
    memset(children, 0, sizeof children);
    times[0].at[0] = 1;
}

bool sm_share_grew(void)
{
    return share->grew;
}

void sm_share_settle(void)
{
    share->grew = false;
}

bool sm_share_threads(void)
{
    return threads;
}

void sm_share_spawned(uint32_t parent, uint32_t child)
{
    threads = true;
    times[child] = times[parent];
    times[child].at[child] = 1;
    times[parent].at[parent]++;
}

void sm_share_joined(uint32_t thread, uint32_t child)
{
    sm_vector_join(&times[thread], &times[child], SM_GRAPH_THREADS);
}

static uint32_t name(uint32_t parent, uint32_t nth)
{
    for (uint32_t i = 1; i < share->n_names; i++)
        if (share->names[i].parent == parent && share->names[i].nth == nth)
            return i;
    if (share->n_names == SM_GRAPH_THREADS)
        sm_end(SM_END_REFUSED, 0, "verify: more than %u threads", SM_GRAPH_THREADS);
    share->names[share->n_names].parent = parent;
    share->names[share->n_names].nth = nth;
    return share->n_names++;
}

uint32_t sm_share_thread_count(void)
{
    return share->n_names;
}

uint32_t sm_share_child(uint32_t parent)
{
    uint32_t number = sm_exploring == SM_EXPLORE_FREE ? 0 : name(parent, children[parent]++);
    return sm_exploring == SM_EXPLORE_ALL
               ? number
               : sm_script_choose(SM_PURPOSE_NAME, SM_GRAPH_THREADS, number);
}

/* ---- the table ---- */

static struct granule *slot(struct granule *slots, uint32_t capacity, uintptr_t number)
{
    uint32_t i = (uint32_t)(number * 0x9e3779b97f4a7c15u >> 32) & (capacity - 1);
    while (slots[i].number && slots[i].number != number)
        i = (i + 1) & (capacity - 1);
    return &slots[i];
}

static void grow(void)
{
    uint32_t larger = 2 * share->capacity;
    struct granule *slots = sm_pool_get(larger * sizeof *slots);
    memset(slots, 0, larger * sizeof *slots);
    for (uint32_t i = 0; i < share->capacity; i++)
        if (share->slots[i].number)
            *slot(slots, larger, share->slots[i].number) = share->slots[i];
    sm_pool_put(share->slots, share->capacity * sizeof *share->slots);
    share->slots = slots;
    share->capacity = larger;
}

static struct granule *granule_of(uintptr_t addr)
{
    if (2 * share->n >= share->capacity)
        grow();
    struct granule *granule = slot(share->slots, share->capacity, addr / 8);
    if (!granule->number) {
        granule->number = addr / 8;
        memset(granule->loc, 0xff, sizeof granule->loc);
        share->n++;
    }
    if (granule->epoch != share->epoch) {
        granule->epoch = share->epoch;
        for (unsigned i = 0; i < 8; i++)
            granule->bytes[i] = (struct byte){.owner = NOBODY};
    }
    return granule;
}

static uint16_t add_place(struct place place)
{
    SM_ASSERT(share->n_locs < SM_PRIVATE);
    if (share->n_locs == share->place_capacity) {
        share->places =
            sm_pool_double(share->places, share->place_capacity * sizeof *share->places);
        share->place_capacity *= 2;
    }
    share->places[share->n_locs] = place;
    return share->n_locs++;
}

static uint16_t add_location(struct granule *granule, unsigned offset, uint8_t size)
{
    granule->loc[offset] =
        add_place((struct place){.addr = granule->number * 8 + offset, .size = size});
    granule->size[offset] = size;
    return granule->loc[offset];
}

/* The shared locations that overlap the bytes. */
static struct sm_pieces find(const struct granule *granule, unsigned offset, unsigned size)
{
    struct sm_pieces pieces = {0};
    for (unsigned i = 0; i < 8; i++) {
        if (granule->loc[i] == SM_PRIVATE || i >= offset + size || offset >= i + granule->size[i])
            continue;
        pieces.at[pieces.n].loc = granule->loc[i];
        pieces.at[pieces.n].offset = (int)i - (int)offset;
        pieces.at[pieces.n++].size = granule->size[i];
    }
    return pieces;
}

/* They cover exactly these bytes. */
static bool fit(const struct sm_pieces *pieces, unsigned size)
{
    int end = 0;
    for (unsigned i = 0; i < pieces->n; i++) {
        if (pieces->at[i].offset != end)
            return false;
        end += pieces->at[i].size;
    }
    return end == (int)size;
}

/* The first covers all bytes, and perhaps others. */
static bool has_all(const struct sm_pieces *pieces, unsigned size)
{
    int begin = pieces->at[0].offset, end = begin + pieces->at[0].size;
    return begin <= 0 && end >= (int)size;
}

/* Splits a location that has bytes on both sides. */
static void cut(struct granule *granule, unsigned at)
{
    for (unsigned i = 0; i < at && at < 8; i++) {
        unsigned end = i + granule->size[i];
        if (granule->loc[i] == SM_PRIVATE || end <= at)
            continue;
        granule->size[i] = share->places[granule->loc[i]].size = (uint8_t)(at - i);
        add_location(granule, at, (uint8_t)(end - at));
        return;
    }
}

/* Makes locations for the bytes of the access that are in none. */
static void fill(struct granule *granule, unsigned offset, unsigned size)
{
    unsigned begin = offset, end = offset + size;
    for (unsigned i = offset; i < end; i++) {
        if (granule->loc[i] == SM_PRIVATE)
            continue;
        if (begin < i)
            add_location(granule, begin, (uint8_t)(i - begin));
        begin = i + granule->size[i];
        i = begin - 1;
    }
    if (begin < end)
        add_location(granule, begin, (uint8_t)(end - begin));
}

static void take_apart(struct granule *granule, unsigned offset, unsigned size)
{
    cut(granule, offset);
    cut(granule, offset + size);
    fill(granule, offset, size);
    share->grew = true;
}

/* ---- conflicts ---- */

static bool is_ordered(const struct byte *byte, uint32_t thread)
{
    return byte->owner < SM_GRAPH_THREADS && times[thread].at[byte->owner] >= byte->time;
}

/* True: no conflict; the access is recorded. */
static bool touch(struct byte *byte, uint32_t thread, bool write)
{
    bool mine = byte->owner == NOBODY || byte->owner == thread || is_ordered(byte, thread);
    if (!mine && (write || byte->written))
        return false;
    *byte = (struct byte){.owner = mine ? (uint8_t)thread : SEVERAL,
                          .written = mine && (write || byte->written),
                          .time = times[thread].at[thread]};
    return true;
}

static bool conflicts(struct granule *granule, const struct sm_event *event, bool write)
{
    bool conflict = false;
    uint32_t thread = event->thread->id;
    if (sm_paths_on() || sm_learn_on()) {
        uint8_t bytes = (uint8_t)(((1u << event->size) - 1) << event->addr % 8);
        return sm_visits_add(&granule->visits, bytes, write, thread, &times[thread]);
    }
    for (unsigned i = 0; i < event->size; i++)
        conflict |= !touch(&granule->bytes[event->addr % 8 + i], thread, write);
    return conflict;
}

/* hb keeps values for each location, so it needs one size. */
static _Noreturn void refuse_sizes(const struct sm_event *event, const char *needs)
{
    const struct sm_site *site = event->site;
    if (!site)
        sm_end(SM_END_REFUSED, 0,
               "verify: shared memory at %p is accessed by different sizes, one of them %u bytes; "
               "%s",
               (void *)event->addr, event->size, needs);
    sm_end(SM_END_REFUSED, 0,
           "verify: %s is shared, and is accessed by different sizes, one of them %u bytes, at "
           "%s:%u; %s",
           SM_SITE_TEXT(site, variable), event->size, SM_SITE_TEXT(site, file), site->line, needs);
}

static void judge(const struct sm_event *event, const struct sm_pieces *pieces)
{
    if ((event->flags & SM_RECORD_MORE) && event->order != SM_ORDER_PLAIN)
        sm_end(SM_END_REFUSED, 0,
               "verify: the program shares an atomic of more than 8 bytes; "
               "verify knows smaller ones only");
    if (sm_paths_on() && (pieces->n > 1 || !fit(pieces, event->size)))
        refuse_sizes(event, "model hb needs one size for each shared variable");
    if (event->order != SM_ORDER_PLAIN && !has_all(pieces, event->size))
        refuse_sizes(event, "verify does not take atomics apart");
}

static struct sm_pieces explore_access(struct granule *granule, const struct sm_event *event,
                                       bool write)
{
    unsigned offset = event->addr % 8;
    struct sm_pieces pieces = find(granule, offset, event->size);
    if (!pieces.n && conflicts(granule, event, write)) {
        share->grew = true;
        add_location(granule, offset, event->size);
    } else if (pieces.n && !fit(&pieces, event->size)) {
        take_apart(granule, offset, event->size);
        sm_prune(); /* the graph has other locations */
    }
    return pieces;
}

/* The choice has a bit for each byte: a location begins there. */
static struct sm_pieces repeat_access(struct granule *granule, const struct sm_event *event)
{
    unsigned offset = event->addr % 8;
    struct sm_pieces pieces = find(granule, offset, event->size);
    uint32_t begins = 0;
    for (unsigned i = 0; i < pieces.n; i++)
        begins |= 1u << pieces.at[i].offset;
    begins = sm_script_choose(SM_PURPOSE_SHARED, 1u << event->size, begins);
    for (unsigned i = 0, end; begins >> i && i < event->size; i = end) {
        for (end = i + 1; end < event->size && !(begins >> end & 1);)
            end++;
        if (granule->loc[offset + i] == SM_PRIVATE)
            add_location(granule, offset + i, (uint8_t)(end - i));
    }
    return begins ? find(granule, offset, event->size) : (struct sm_pieces){0};
}

struct sm_pieces sm_share_access(const struct sm_event *event, bool write)
{
    enum { FIRST_PAGE = 4096 };
    if (event->addr < FIRST_PAGE)
        return (struct sm_pieces){0}; /* it will fault, and granule 0 is an empty slot */
    struct granule *granule = granule_of(event->addr);
    struct sm_pieces found = find(granule, event->addr % 8, event->size);
    if (found.n)
        judge(event, &found);
    return sm_exploring == SM_EXPLORE_ALL ? explore_access(granule, event, write)
                                          : repeat_access(granule, event);
}

static void add_piece(struct sm_pieces *pieces, uint8_t mask, uint8_t *taken)
{
    if (!mask || (*taken & mask))
        return;
    pieces->at[pieces->n].offset = __builtin_ctz(mask);
    pieces->at[pieces->n++].size = (uint8_t)__builtin_popcount(mask);
    *taken |= mask;
}

/* The locations, and what accesses have touched besides. */
static struct sm_pieces touched(const struct granule *granule, const struct sm_pieces *found)
{
    enum { MOST_MASKS = 64 };
    struct sm_pieces pieces = *found;
    uint8_t masks[MOST_MASKS], taken = 0;
    unsigned n = sm_visits_bytes(granule->visits, masks, MOST_MASKS);
    for (unsigned i = 0; i < found->n; i++)
        taken |= (uint8_t)(((1u << found->at[i].size) - 1) << found->at[i].offset);
    for (unsigned i = 0; i < n && pieces.n < 8; i++)
        add_piece(&pieces, masks[i], &taken);
    for (unsigned i = 0; i < 8 && pieces.n < 8; i++)
        if (granule->epoch == share->epoch && granule->bytes[i].owner != NOBODY)
            add_piece(&pieces, (uint8_t)(1u << i), &taken);
    return pieces;
}

/* Two choices, each a bit for each byte: a location begins there, or ends. */
static struct sm_pieces repeat_freed(const struct sm_pieces *found)
{
    struct sm_pieces pieces = {0};
    uint32_t begins = 0, ends = 0;
    for (unsigned i = 0; i < found->n; i++) {
        begins |= 1u << found->at[i].offset;
        ends |= 1u << (found->at[i].offset + found->at[i].size - 1);
    }
    begins = sm_script_choose(SM_PURPOSE_SHARED, 256, begins);
    ends = begins ? sm_script_choose(SM_PURPOSE_SHARED, 256, ends) : 0;
    for (int i = 0; i < 8; i++) {
        if (!(begins >> i & 1))
            continue;
        pieces.at[pieces.n].offset = i;
        pieces.at[pieces.n++].size = (uint8_t)(__builtin_ctz(ends >> i | 1u << (7 - i)) + 1);
    }
    return pieces;
}

struct sm_pieces sm_share_freed(uintptr_t addr, bool first)
{
    const struct granule *granule = slot(share->slots, share->capacity, addr / 8);
    struct sm_pieces found = {0};
    if (granule->number)
        found = find(granule, 0, 8);
    if (sm_exploring != SM_EXPLORE_ALL)
        return repeat_freed(&found);
    if (granule->number)
        found = touched(granule, &found);
    if (!found.n && first)
        found = (struct sm_pieces){.n = 1, .at[0].size = 8};
    return found;
}

bool sm_share_is_open(uintptr_t addr, uint32_t thread)
{
    const struct granule *granule = slot(share->slots, share->capacity, addr / 8);
    return granule->number &&
           (find(granule, 0, 8).n || sm_visits_are_open(granule->visits, thread, &times[thread]));
}

/* Each other thread has ended, and was joined. */
bool sm_share_is_alone(uint32_t thread)
{
    for (const struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        if (t->id != thread && !(t->state == SM_THREAD_ENDED && t->joined))
            return false;
    return true;
}

bool sm_share_is(uint16_t loc, const struct sm_event *event)
{
    const struct place *place = &share->places[loc];
    return place->addr == event->addr && place->size == event->size;
}

/* Objects are numbered separately from their bytes. */
uint16_t sm_share_object(uintptr_t addr)
{
    struct granule *granule = granule_of(addr | 1ul << 63);
    uint16_t *loc = &granule->loc[addr % 8];
    if (*loc == SM_PRIVATE)
        *loc = add_place((struct place){0});
    return *loc;
}

void sm_share_user(uint16_t loc, enum sm_share_use use, uint32_t thread)
{
    sm_threads *users = &share->places[loc].users[use];
    share->grew |= sm_exploring == SM_EXPLORE_ALL && !sm_threads_have(*users, thread);
    *users |= sm_threads_of(thread);
}

sm_threads sm_share_users(uint16_t loc, enum sm_share_use use)
{
    return share->places[loc].users[use];
}

/* ---- parcels ---- */

static bool has_location(const struct granule *granule)
{
    for (unsigned i = 0; i < 8; i++)
        if (granule->number && granule->loc[i] != SM_PRIVATE)
            return true;
    return false;
}

void sm_share_pack(struct sm_parcel *parcel)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < share->capacity; i++)
        n += has_location(&share->slots[i]);
    sm_parcel_put(parcel, &share->n_locs, sizeof share->n_locs);
    sm_parcel_put(parcel, share->places, share->n_locs * sizeof *share->places);
    sm_parcel_put(parcel, &share->n_names, sizeof share->n_names);
    sm_parcel_put(parcel, share->names, sizeof share->names);
    sm_parcel_put(parcel, &n, sizeof n);
    for (uint32_t i = 0; i < share->capacity; i++)
        if (has_location(&share->slots[i]))
            sm_parcel_put(parcel, &share->slots[i], sizeof *share->slots);
}

void sm_share_unpack(struct sm_parcel *parcel)
{
    uint16_t n_locs;
    uint32_t n;
    struct place place;
    struct granule granule;
    sm_parcel_take(parcel, &n_locs, sizeof n_locs);
    for (uint16_t i = 0; i < n_locs; i++) {
        sm_parcel_take(parcel, &place, sizeof place);
        add_place(place);
    }
    sm_parcel_take(parcel, &share->n_names, sizeof share->n_names);
    sm_parcel_take(parcel, share->names, sizeof share->names);
    sm_parcel_take(parcel, &n, sizeof n);
    for (uint32_t i = 0; i < n; i++) {
        sm_parcel_take(parcel, &granule, sizeof granule);
        struct granule *to = granule_of(granule.number * 8);
        memcpy(to->loc, granule.loc, sizeof granule.loc);
        memcpy(to->size, granule.size, sizeof granule.size);
    }
}
