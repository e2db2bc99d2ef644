#include "analysis/tuples.h"

#include <string.h>

#include "base/random.h"
#include "base/sys.h"
#include "base/table.h"

#define ANY UINT64_MAX /* in place of a location */

/* Two units that traverse the same thousand elements would have a million tuples. Those beyond the
   limit are counted and reported. */
enum { MOST_TUPLES = 1024 };

struct bit_step { /* bits, and the access that set them */
    uint64_t bits;
    struct sm_access_mark mark;
};

struct tuple {
    uint64_t first, second; /* locations; second may be ANY */
    uint64_t bits;
    struct bit_step *steps;
    uint32_t n_steps, room;
    uint32_t next_first, next_second; /* tuple with the same location there, from 1 */
};

/* A location of tuples of the pair, as first or second. */
struct pair_location {
    uint32_t first, second; /* the newest of these tuples, from 1 */
    uint32_t touches;       /* of the unit: how many have been combined with it */
    uint32_t singles;       /* the newest (l, ANY) combined with it, from 1 */
};

/* An access looks only at the tuples with its location: looking at all tuples of a pair, a grid of
   4,356 elements ran 10 times slower. */
struct sm_pair {
    struct sm_pair *next;
    struct sm_work *unit, *other;
    struct tuple *tuples;
    uint32_t n, room;
    struct pair_location *places;
    uint32_t n_places, room_places;
    struct sm_table place_of; /* location, see place_key: number of the place, from 1 */
    struct sm_table tuple_of; /* two places: number of the tuple, from 1 */
};

struct sm_tuples_stats sm_tuples_stats;

/* Makes room for one more item of a doubling array. */
static void *grow(void *items, uint32_t n, uint32_t *room, size_t size)
{
    if (n < *room)
        return items;
    uint32_t larger = *room ? *room * 2 : 4;
    void *copy = sm_alloc(larger * size);
    if (items) {
        memcpy(copy, items, n * size);
        sm_free(items, *room * size);
    }
    *room = larger;
    return copy;
}

static void release(void *items, uint32_t room, size_t size)
{
    if (items)
        sm_free(items, room * size);
}

/* ---- units ---- */

struct sm_work *sm_work_begin(struct sm_works *set, uint32_t thread)
{
    struct sm_work *work = sm_alloc(sizeof *work);
    *work = (struct sm_work){.next = set->works, .set = set, .thread = thread};
    set->works = work;
    return work;
}

/* Where the location is in the index, or is to be inserted. */
static uint32_t *index_at(const struct sm_work *work, uint64_t location)
{
    uint32_t mask = work->room * 2 - 1, i = (uint32_t)(sm_random_mix(location) & mask);
    while (work->index[i] && work->touches[work->index[i] - 1].location != location)
        i = (i + 1) & mask;
    return &work->index[i];
}

static struct sm_unit_touch *find_touch(const struct sm_work *work, uint64_t location)
{
    uint32_t number = work->index ? *index_at(work, location) : 0;
    return number ? &work->touches[number - 1] : NULL;
}

static void make_index(struct sm_work *work)
{
    work->index = sm_alloc(work->room * 2 * sizeof *work->index);
    for (uint32_t i = 0; i < work->n_touches; i++)
        *index_at(work, work->touches[i].location) = i + 1;
}

static void forget_touches(struct sm_work *work)
{
    release(work->touches, work->room, sizeof *work->touches);
    release(work->index, work->room * 2, sizeof *work->index);
    work->touches = NULL;
    work->index = NULL;
    work->n_touches = work->room = 0;
}

static struct sm_unit_touch *touch(struct sm_work *work, uint64_t location)
{
    struct sm_unit_touch *found = find_touch(work, location);
    if (found)
        return found;
    uint32_t room = work->room;
    work->touches = grow(work->touches, work->n_touches, &work->room, sizeof *work->touches);
    if (work->room != room) {
        release(work->index, room * 2, sizeof *work->index);
        make_index(work);
    }
    *index_at(work, location) = work->n_touches + 1;
    found = &work->touches[work->n_touches++];
    *found = (struct sm_unit_touch){.location = location};
    return found;
}

static void free_work(struct sm_work *work)
{
    struct sm_work **at = &work->set->works;
    while (*at != work)
        at = &(*at)->next;
    *at = work->next;
    if (work->set->last == work)
        work->set->last = NULL;
    forget_touches(work);
    sm_free(work, sizeof *work);
}

/* ---- pairs and tuples ---- */

static struct sm_pair *find_pair(const struct sm_work *unit, const struct sm_work *other)
{
    for (struct sm_pair *pair = unit->set->pairs; pair; pair = pair->next)
        if (pair->unit == unit && pair->other == other)
            return pair;
    return NULL;
}

static struct sm_pair *make_pair(struct sm_work *unit, struct sm_work *other)
{
    struct sm_pair *pair = find_pair(unit, other);
    if (pair)
        return pair;
    pair = sm_alloc(sizeof *pair);
    *pair = (struct sm_pair){.next = unit->set->pairs, .unit = unit, .other = other};
    unit->set->pairs = pair;
    unit->n_pairs++;
    other->n_pairs++;
    return pair;
}

/* Keys are never 0, though a location may be; ANY has one, too. */
static uintptr_t place_key(uint64_t location)
{
    return location + 2;
}

static uint32_t place_number(const struct sm_pair *pair, uint64_t location)
{
    return (uint32_t)(uintptr_t)sm_table_get(&pair->place_of, place_key(location));
}

/* Returns its number. */
static uint32_t make_place(struct sm_pair *pair, uint64_t location)
{
    void **number = sm_table_at(&pair->place_of, place_key(location));
    if (!*number) {
        pair->places = grow(pair->places, pair->n_places, &pair->room_places, sizeof *pair->places);
        pair->places[pair->n_places++] = (struct pair_location){0};
        *number = (void *)(uintptr_t)pair->n_places;
    }
    return (uint32_t)(uintptr_t)*number;
}

static struct pair_location *place_at(struct sm_pair *pair, uint64_t location)
{
    uint32_t number = make_place(pair, location); /* may move the array */
    return &pair->places[number - 1];
}

static uintptr_t tuple_key(uint32_t first, uint32_t second)
{
    return (uintptr_t)first << 32 | second;
}

static struct tuple *find_tuple(const struct sm_pair *pair, uint64_t first, uint64_t second)
{
    uint32_t x = place_number(pair, first), y = place_number(pair, second);
    uintptr_t number = x && y ? (uintptr_t)sm_table_get(&pair->tuple_of, tuple_key(x, y)) : 0;
    return number ? &pair->tuples[number - 1] : NULL;
}

static void index_tuple(struct sm_pair *pair, uint32_t number)
{
    struct tuple *tuple = &pair->tuples[number - 1];
    uint32_t x = make_place(pair, tuple->first), y = make_place(pair, tuple->second);
    struct pair_location *first = &pair->places[x - 1], *second = &pair->places[y - 1];
    tuple->next_first = first->first;
    first->first = number;
    tuple->next_second = second->second;
    second->second = number;
    *sm_table_at(&pair->tuple_of, tuple_key(x, y)) = (void *)(uintptr_t)number;
}

static void forget_index(struct sm_pair *pair)
{
    release(pair->places, pair->room_places, sizeof *pair->places);
    pair->places = NULL;
    pair->n_places = pair->room_places = 0;
    sm_table_clear(&pair->place_of);
    sm_table_clear(&pair->tuple_of);
}

static void add_step(struct tuple *tuple, uint64_t bits, struct sm_access_mark mark)
{
    tuple->steps = grow(tuple->steps, tuple->n_steps, &tuple->room, sizeof *tuple->steps);
    tuple->steps[tuple->n_steps++] = (struct bit_step){bits, mark};
    tuple->bits |= bits;
}

static void copy_steps(struct tuple *to, const struct tuple *from)
{
    for (uint32_t i = 0; i < from->n_steps; i++)
        add_step(to, from->steps[i].bits, from->steps[i].mark);
}

static void copy_touch(struct tuple *to, const struct sm_unit_touch *from)
{
    if (from->seen[0])
        add_step(to, sm_automata_first(true, false), from->first[0]);
    if (from->seen[1])
        add_step(to, sm_automata_first(false, true), from->first[1]);
}

static void free_tuple(struct tuple *tuple)
{
    release(tuple->steps, tuple->room, sizeof *tuple->steps);
    sm_tuples_stats.alive--;
}

static void count_made(void)
{
    sm_tuples_stats.made++;
    if (++sm_tuples_stats.alive > sm_tuples_stats.most)
        sm_tuples_stats.most = sm_tuples_stats.alive;
}

static bool has_room(const struct sm_pair *pair)
{
    return pair->n < MOST_TUPLES;
}

/* Makes the tuple of these locations, as a copy of its predecessor (tuples.h). */
static void make_tuple(struct sm_pair *pair, uint64_t first, uint64_t second)
{
    if (!has_room(pair) || find_tuple(pair, first, second))
        return;
    pair->tuples = grow(pair->tuples, pair->n, &pair->room, sizeof *pair->tuples);
    struct tuple *tuple = &pair->tuples[pair->n++];
    *tuple = (struct tuple){.first = first, .second = second};
    index_tuple(pair, pair->n);
    count_made();
    const struct tuple *less = second == ANY ? NULL : find_tuple(pair, first, ANY);
    if (less)
        copy_steps(tuple, less);
    else
        copy_touch(tuple, find_touch(pair->unit, first));
}

/* ---- an access ---- */

static const struct sm_access_mark *mark_of(const struct tuple *tuple, uint64_t bit)
{
    for (uint32_t i = 0; i < tuple->n_steps; i++)
        if (tuple->steps[i].bits & bit)
            return &tuple->steps[i].mark;
    return NULL;
}

/* A pattern of one location is found by every tuple that has it first: reported by one of them. */
static void tell(const struct sm_pair *pair, const struct tuple *tuple, unsigned pattern,
                 sm_match_seen *seen)
{
    struct sm_match match = {.pattern = pattern,
                             .unit = pair->unit,
                             .other = pair->other,
                             .locations = {tuple->first, tuple->second}};
    bool single = !sm_pattern_letter(pattern, sm_pattern_length(pattern) - 1).second &&
                  sm_pattern_length(pattern) == 3;
    if (single != (tuple->second == ANY))
        return;
    for (unsigned i = 0; i < sm_pattern_length(pattern); i++)
        match.marks[i] = mark_of(tuple, sm_automata_bit(pattern, i));
    seen(&match);
}

static void step(struct sm_pair *pair, struct tuple *tuple, struct sm_letter letter,
                 struct sm_access_mark mark, sm_match_seen *seen)
{
    uint64_t added = sm_automata_step(tuple->bits, letter) & ~tuple->bits;
    if (!added)
        return;
    add_step(tuple, added, mark);
    for (uint32_t complete = sm_automata_complete(added); complete; complete &= complete - 1)
        tell(pair, tuple, (unsigned)__builtin_ctz(complete), seen);
}

struct unit_access {
    struct sm_work *work;
    uint64_t location;
    bool write;
    struct sm_access_mark mark;
    sm_match_seen *seen;
    bool lost; /* a pair had no room for its tuples */
};

static void step_all(struct sm_pair *pair, const struct unit_access *access)
{
    struct sm_letter letter = {.other = pair->other == access->work, .write = access->write};
    uint32_t number = place_number(pair, access->location);
    if (!number)
        return;
    struct pair_location place = pair->places[number - 1];
    for (uint32_t i = place.first; i; i = pair->tuples[i - 1].next_first)
        step(pair, &pair->tuples[i - 1], letter, access->mark, access->seen);
    letter.second = true;
    for (uint32_t i = place.second; i; i = pair->tuples[i - 1].next_second)
        step(pair, &pair->tuples[i - 1], letter, access->mark, access->seen);
}

/* The access is by the other unit: combines its location with all that the first has accessed. */
static void come_as_other(struct sm_work *unit, struct unit_access *access)
{
    struct sm_pair *pair = unit->ended ? find_pair(unit, access->work) : NULL;
    if (!unit->ended && unit->n_touches) {
        pair = make_pair(unit, access->work);
        struct pair_location *place = place_at(pair, access->location);
        uint32_t i = place->touches, n = has_room(pair) ? unit->n_touches : i;
        place->touches = n;
        for (; i < n; i++) {
            uint64_t first = unit->touches[i].location;
            make_tuple(pair, first, first == access->location ? ANY : access->location);
        }
        access->lost |= !has_room(pair);
    }
    if (pair)
        step_all(pair, access);
}

static void come_as_unit(struct sm_work *other, struct unit_access *access)
{
    struct sm_pair *pair = find_pair(access->work, other);
    if (!pair)
        return;
    uint32_t last = other->ended || !has_room(pair) ? 0 : place_at(pair, ANY)->second;
    struct pair_location *place = place_at(pair, access->location);
    uint32_t known = place->singles;
    if (last)
        place->singles = last;
    for (uint32_t i = last; i > known; i = pair->tuples[i - 1].next_second)
        if (pair->tuples[i - 1].first != access->location)
            make_tuple(pair, pair->tuples[i - 1].first, access->location);
    access->lost |= !other->ended && !has_room(pair);
    step_all(pair, access);
}

/*
 * Repeating an access advances nothing if no other unit has accessed the set since, and the unit
 * has made no new access since it was the last to come: of two consecutive events of one unit, the
 * second has been seen after the first. The epoch advances at both.
 */
void sm_work_access(struct sm_work *work, uint64_t location, bool write, struct sm_access_mark mark,
                    sm_match_seen *seen)
{
    struct sm_works *set = work->set;
    struct sm_unit_touch *mine = touch(work, location);
    if (set->last != work) {
        set->last = work;
        set->run = ++set->epoch;
    }
    if (mine->seen[write] == set->epoch)
        return;
    struct unit_access access = {work, location, write, mark, seen, false};
    for (struct sm_work *theirs = set->works; theirs; theirs = theirs->next) {
        if (theirs->thread == work->thread)
            continue;
        come_as_other(theirs, &access);
        come_as_unit(theirs, &access);
    }
    sm_tuples_stats.lost += access.lost;
    if (!mine->seen[write])
        mine->first[write] = mark;
    if (mine->seen[write] < set->run)
        set->epoch++;
    mine->seen[write] = set->epoch;
}

/* ---- the end ---- */

static void drop_dead(struct sm_pair *pair)
{
    bool both = pair->unit->ended && pair->other->ended;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < pair->n; i++) {
        if (!both && sm_automata_alive(pair->tuples[i].bits, pair->other->ended))
            pair->tuples[kept++] = pair->tuples[i];
        else
            free_tuple(&pair->tuples[i]);
    }
    pair->n = kept;
    forget_index(pair);
    for (uint32_t i = 0; i < kept; i++)
        index_tuple(pair, i + 1);
}

static bool covers(const struct sm_pair *pair, const struct sm_pair *less)
{
    for (uint32_t i = 0; i < less->n; i++) {
        const struct tuple *tuple = &less->tuples[i];
        const struct tuple *same = find_tuple(pair, tuple->first, tuple->second);
        if (!same || (tuple->bits & ~same->bits))
            return false;
    }
    return true;
}

/* Has another ended call of the same function left the same to be completed? Then one of the two is
   enough: otherwise a long-lived unit would keep a pair for each call that ended meanwhile. */
static bool has_twin(const struct sm_pair *pair)
{
    const struct sm_work *ended = pair->unit->ended ? pair->unit : pair->other;
    const struct sm_work *going = pair->unit->ended ? pair->other : pair->unit;
    for (const struct sm_pair *other = pair->unit->set->pairs; other; other = other->next) {
        bool roles = pair->unit->ended ? other->other == going : other->unit == going;
        const struct sm_work *peer = pair->unit->ended ? other->unit : other->other;
        if (other != pair && roles && peer->ended && peer->function == ended->function &&
            covers(other, pair))
            return true;
    }
    return false;
}

static void drop_all(struct sm_pair *pair)
{
    for (uint32_t i = 0; i < pair->n; i++)
        free_tuple(&pair->tuples[i]);
    pair->n = 0;
}

static void drop_pair(struct sm_pair **at)
{
    struct sm_pair *pair = *at;
    struct sm_work *works[2] = {pair->unit, pair->other};
    *at = pair->next;
    release(pair->tuples, pair->room, sizeof *pair->tuples);
    forget_index(pair);
    sm_free(pair, sizeof *pair);
    for (int i = 0; i < 2; i++)
        if (--works[i]->n_pairs == 0 && works[i]->ended)
            free_work(works[i]);
}

void sm_work_end(struct sm_work *work)
{
    struct sm_works *set = work->set;
    work->ended = true;
    work->n_pairs++; /* keeps it until we are done */
    for (struct sm_pair **at = &set->pairs; *at;) {
        struct sm_pair *pair = *at;
        if (pair->unit == work || pair->other == work) {
            drop_dead(pair);
            if (pair->n && work->function && has_twin(pair))
                drop_all(pair);
        }
        if (pair->n)
            at = &pair->next;
        else
            drop_pair(at);
    }
    if (--work->n_pairs == 0)
        free_work(work);
}

void sm_works_forget(struct sm_works *set)
{
    while (set->pairs) {
        drop_all(set->pairs);
        drop_pair(&set->pairs);
    }
    for (struct sm_work *work = set->works; work; work = work->next)
        forget_touches(work);
}
