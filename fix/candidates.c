/* candidates.c - see candidates.h. */
#include "fix/candidates.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EACH_FURTHER = 4 }; /* cost of changing one more variable */

static const unsigned costs[] = {
#define SM_CURE(name, cost, is_lock) cost,
#include "fix/cures.def"
};
static const bool is_lock[] = {
#define SM_CURE(name, cost, lock) lock,
#include "fix/cures.def"
};

/* ---- suspects ---- */

void sm_suspect_add(struct sm_suspects *suspects, const struct sm_trees *trees, const char *name)
{
    suspects->items = sm_resize(suspects->items, (suspects->n + 1) * sizeof(*suspects->items));
    struct sm_suspect *suspect = &suspects->items[suspects->n++];
    *suspect = (struct sm_suspect){.name = sm_copy_text(name)};
    sm_spots_find(&suspect->spots, trees, name);
}

void sm_suspects_free(struct sm_suspects *suspects)
{
    for (size_t i = 0; i < suspects->n; i++) {
        free(suspects->items[i].name);
        sm_spots_free(&suspects->items[i].spots);
        sm_list_free(&suspects->items[i].racing);
    }
    free(suspects->items);
    *suspects = (struct sm_suspects){0};
}

static bool same_function(const struct sm_spot *a, const struct sm_spot *b)
{
    return strcmp(a->file, b->file) == 0 && strcmp(a->function, b->function) == 0;
}

/* An access in its line was seen to race. Races name files as the compiler was given them. */
static bool was_racing(const struct sm_suspect *suspect, const struct sm_spot *spot)
{
    char *place = sm_print("%s:%u", spot->file, spot->line);
    size_t n = strlen(place);
    bool racing = false;
    for (size_t i = 0; !racing && i < suspect->racing.n; i++) {
        const char *seen = suspect->racing.items[i];
        seen += strncmp(seen, "./", 2) == 0 ? 2 : 0;
        size_t m = strlen(seen);
        racing = m <= n && strcmp(place + n - m, seen) == 0 && (m == n || place[n - m - 1] == '/');
    }
    free(place);
    return racing;
}

/* main also runs before and after the other threads: there only accesses that were seen to race
   count. */
static bool counts(const struct sm_suspect *suspect, const struct sm_spot *spot)
{
    return suspect->is_unit || strcmp(spot->function, "main") != 0 || was_racing(suspect, spot);
}

/* Each object has its own such lock: --assume-fix cannot name it, a patch can. */
static bool is_member(const char *lock)
{
    return strchr(lock, '.') != NULL;
}

/* Not an element of an array, and not reached by a pointer. */
static bool is_name(const char *lock)
{
    for (; *lock; lock++)
        if (!isalnum((unsigned char)*lock) && *lock != '_' && *lock != '.')
            return false;
    return true;
}

/* A lock that some accesses hold and others do not, or NULL. */
static const char *held_by_others(const struct sm_suspect *suspect)
{
    const struct sm_spots *spots = &suspect->spots;
    for (size_t i = 0; i < spots->n; i++)
        for (size_t k = 0; k < spots->items[i].held.n; k++) {
            const char *lock = spots->items[i].held.items[k];
            for (size_t j = 0; is_name(lock) && j < spots->n; j++)
                if (counts(suspect, &spots->items[j]) && !sm_list_has(&spots->items[j].held, lock))
                    return lock;
        }
    return NULL;
}

static bool writes_without(const struct sm_suspect *suspect, const char *lock)
{
    for (size_t i = 0; i < suspect->spots.n; i++) {
        const struct sm_spot *spot = &suspect->spots.items[i];
        if (spot->writes && counts(suspect, spot) && !sm_list_has(&spot->held, lock))
            return true;
    }
    return false;
}

/* The function of the spot accesses the variable without the lock, and later with it. */
static bool takes_late(const struct sm_suspect *suspect, const struct sm_spot *in, const char *lock)
{
    bool without = false;
    uint32_t first = UINT32_MAX;
    for (size_t i = 0; i < suspect->spots.n; i++) {
        const struct sm_spot *spot = &suspect->spots.items[i];
        if (same_function(spot, in) && !sm_list_has(&spot->held, lock)) {
            first = spot->line < first ? spot->line : first;
            without = true;
        }
    }
    for (size_t i = 0; without && i < suspect->spots.n; i++) {
        const struct sm_spot *spot = &suspect->spots.items[i];
        if (same_function(spot, in) && sm_list_has(&spot->held, lock) && spot->line > first)
            return true;
    }
    return false;
}

static bool any_takes_late(const struct sm_suspect *suspect)
{
    const char *lock = held_by_others(suspect);
    for (size_t i = 0; lock && i < suspect->spots.n; i++)
        if (counts(suspect, &suspect->spots.items[i]) &&
            takes_late(suspect, &suspect->spots.items[i], lock))
            return true;
    return false;
}

static bool has_update(const struct sm_suspect *suspect)
{
    for (size_t i = 0; i < suspect->spots.n; i++)
        if (suspect->spots.items[i].update && counts(suspect, &suspect->spots.items[i]))
            return true;
    return false;
}

/* The function of the spot tests the variable and then sets it, in a race. Functions that shut down
   the library, or handle a fork, are left out: they do the same when no other thread runs. */
static bool tests_and_sets(const struct sm_suspect *suspect, const struct sm_spot *in)
{
    for (size_t i = 0; i < suspect->spots.n; i++) {
        const struct sm_spot *read = &suspect->spots.items[i];
        for (size_t k = 0; k < suspect->spots.n; k++) {
            const struct sm_spot *write = &suspect->spots.items[k];
            if (same_function(read, in) && same_function(write, in) && !read->writes &&
                write->writes && !write->reads && read->line < write->line &&
                was_racing(suspect, write))
                return true;
        }
    }
    return false;
}

/* The pattern of lazy initialisation: one function tests and sets, others test and call it. */
static bool is_set_once(const struct sm_suspect *suspect)
{
    bool sets = false, tests = false;
    for (size_t i = 0; i < suspect->spots.n; i++) {
        const struct sm_spot *spot = &suspect->spots.items[i];
        bool both = counts(suspect, spot) && tests_and_sets(suspect, spot);
        sets |= both;
        tests |= !both && !spot->writes;
    }
    return sets && tests;
}

/* What is tried first if there are too many: a flag that is tested and set is more often the cause
   than the fields that it guards. */
static unsigned rank_of(const struct sm_suspect *suspect)
{
    return !suspect->spots.n                    ? 3
           : is_set_once(suspect)               ? 0
           : strpbrk(suspect->name, ".[*") != 0 ? 2
                                                : 1;
}

static int by_rank(const void *a, const void *b)
{
    const struct sm_suspect *x = a, *y = b;
    return rank_of(x) != rank_of(y) ? (rank_of(x) > rank_of(y)) - (rank_of(x) < rank_of(y))
                                    : strcmp(x->name, y->name);
}

void sm_suspects_rank(struct sm_suspects *suspects)
{
    if (suspects->n > SM_FEW_SUSPECTS)
        qsort(suspects->items, suspects->n, sizeof(*suspects->items), by_rank);
}

static bool is_order(enum sm_cure cure)
{
    return cure == SM_CURE_RELAXED || cure == SM_CURE_RELEASE_ACQUIRE || cure == SM_CURE_SEQ_CST;
}

/* As a line for --assume-fix. Orders need no more information from the sources. */
static bool is_nameable(const char *variable)
{
    return *variable && !strpbrk(variable, " \t*?(#");
}

static bool is_possible(const struct sm_suspect *suspect, enum sm_cure cure)
{
    if (!suspect->spots.n)
        return cure == SM_CURE_NONE || (is_order(cure) && is_nameable(suspect->name));
    if (suspect->is_unit)
        return cure == SM_CURE_NONE || cure == SM_CURE_NEW;
    if (suspect->is_atomic)
        return cure == SM_CURE_NONE || (is_order(cure) && cure != SM_CURE_RELAXED);
    switch (cure) {
    case SM_CURE_HELD:
    case SM_CURE_HELD_WIDE:
        return held_by_others(suspect);
    case SM_CURE_HELD_EARLIER:
        return any_takes_late(suspect);
    case SM_CURE_MERGE:
    case SM_CURE_MERGE_ACQ_REL:
        return has_update(suspect);
    case SM_CURE_NEW_ONCE:
        return is_set_once(suspect) && is_nameable(suspect->name);
    default:
        return !is_order(cure) || is_nameable(suspect->name);
    }
}

/* If only reads are made without the lock, as in double-checked locking, orders come first. */
static unsigned cost_of(const struct sm_suspect *suspect, enum sm_cure cure)
{
    const char *lock = cure == SM_CURE_HELD ? held_by_others(suspect) : NULL;
    return lock && !suspect->is_unit && !writes_without(suspect, lock) ? costs[SM_CURE_SEQ_CST] + 1
                                                                       : costs[cure];
}

/* ---- repairs ---- */

static struct sm_repair new_repair(enum sm_repair_kind kind, const char *file, uint32_t line,
                                   uint32_t last)
{
    struct sm_repair repair = {.kind = (uint8_t)kind, .line = line, .last = last};
    while (file && strlen(file) >= sizeof(repair.file) && strchr(file + 1, '/'))
        file = strchr(file + 1, '/') + 1;
    snprintf(repair.file, sizeof(repair.file), "%s", file ? file : "");
    return repair;
}

static void add_order(struct sm_repair_set *set, const char *variable, enum sm_repair_access access,
                      enum sm_order order)
{
    struct sm_repair repair = new_repair(SM_REPAIR_ORDER, NULL, 0, 0);
    repair.access = (uint8_t)access;
    repair.order = (uint8_t)order;
    snprintf(repair.variable, sizeof(repair.variable), "%s", variable);
    sm_repair_set_add(set, &repair);
}

static void add_merges(struct sm_repair_set *set, const struct sm_suspect *suspect,
                       enum sm_order order)
{
    for (size_t i = 0; i < suspect->spots.n; i++) {
        const struct sm_spot *spot = &suspect->spots.items[i];
        if (!spot->update)
            continue;
        struct sm_repair repair = new_repair(SM_REPAIR_MERGE, spot->file, spot->line, spot->line);
        repair.order = (uint8_t)order;
        snprintf(repair.variable, sizeof(repair.variable), "%s", suspect->name);
        sm_repair_set_add(set, &repair);
    }
}

/* Each access takes its part: a load acquires, a store releases. */
static void add_release_acquire(struct sm_repair_set *set, const char *variable)
{
    add_order(set, variable, SM_REPAIR_ANY, SM_ORDER_ACQ_REL);
}

/* ---- sections ---- */

struct section_lines {
    const struct sm_spot *spot; /* file and function */
    uint32_t first, last;
    const char *lock;
    bool new_lock;
};

struct sections {
    struct section_lines *items;
    size_t n;
    const struct sm_trees *trees;
};

/* Overlapping ranges of one lock become one. */
static void add_range(struct sections *ranges, struct section_lines range, bool wide)
{
    for (size_t i = 0; i < ranges->n; i++) {
        struct section_lines *old = &ranges->items[i];
        bool meets = range.first <= old->last + 1 && old->first <= range.last + 1;
        if (!same_function(old->spot, range.spot) || strcmp(old->lock, range.lock) != 0 ||
            (!wide && !meets))
            continue;
        range.first = old->first < range.first ? old->first : range.first;
        range.last = old->last > range.last ? old->last : range.last;
        sm_spots_lines(ranges->trees, range.spot->file, &range.first, &range.last);
        *old = ranges->items[--ranges->n];
        add_range(ranges, range, wide);
        return;
    }
    ranges->items = sm_resize(ranges->items, (ranges->n + 1) * sizeof(*ranges->items));
    ranges->items[ranges->n++] = range;
}

static void add_sections(struct sections *ranges, const struct sm_suspect *suspect,
                         const char *lock, enum sm_cure cure)
{
    bool new_lock = cure >= SM_CURE_NEW_ONCE;
    bool wide = cure != SM_CURE_HELD && cure != SM_CURE_NEW;
    for (size_t i = 0; i < suspect->spots.n; i++) {
        const struct sm_spot *spot = &suspect->spots.items[i];
        bool inside = cure != SM_CURE_NEW_ONCE || tests_and_sets(suspect, spot);
        bool held = sm_list_has(&spot->held, lock) &&
                    (cure != SM_CURE_HELD_EARLIER || !takes_late(suspect, spot, lock));
        if (inside && counts(suspect, spot) && !held)
            add_range(ranges, (struct section_lines){spot, spot->first, spot->last, lock, new_lock},
                      wide);
    }
}

static void add_locks(struct sm_repair_set *set, const struct sections *ranges)
{
    for (size_t i = 0; i < ranges->n; i++) {
        const struct section_lines *range = &ranges->items[i];
        struct sm_repair repair =
            new_repair(SM_REPAIR_LOCK, range->spot->file, range->first, range->last);
        repair.new_lock = range->new_lock;
        snprintf(repair.lock, sizeof(repair.lock), "%s", range->lock);
        sm_repair_set_add(set, &repair);
    }
}

/* ---- a candidate ---- */

struct making {
    const struct sm_suspects *suspects;
    struct sm_candidate_list *candidates;
    const struct sm_trees *trees;
    char *new_lock;
    enum sm_cure cures[SM_MOST_SUSPECTS];
    size_t n;        /* suspects that are considered */
    bool everywhere; /* one cure for each suspect that can have it */
    bool pair;       /* one cure for two of many */
};

static void clause(struct sm_buffer *text, const struct sm_suspect *suspect, enum sm_cure cure,
                   const char *new_lock)
{
    const char *name = suspect->name, *lock = held_by_others(suspect);
    static const char *const orders[SM_CURES] = {
        [SM_CURE_RELAXED] = "make %s atomic, with relaxed accesses",
        [SM_CURE_MERGE] = "make each update of %s one atomic read-modify-write (relaxed)",
        [SM_CURE_RELEASE_ACQUIRE] = "make %s atomic: store it with release, load it with acquire",
        [SM_CURE_MERGE_ACQ_REL] = "make each update of %s one atomic read-modify-write (acq_rel)",
        [SM_CURE_SEQ_CST] = "make %s atomic, with sequentially consistent accesses",
        [SM_CURE_NEW_ONCE] =
            "test and set %s under a new lock, store it with release, load it with acquire"};
    if (cure == SM_CURE_NONE)
        return;
    if (text->size)
        sm_buffer_text(text, "; ");
    if (suspect->is_atomic) {
        sm_buffer_print(text,
                        cure == SM_CURE_SEQ_CST ? "make all accesses to %s sequentially consistent"
                                                : "store %s with release, load it with acquire",
                        name);
    } else if (orders[cure]) {
        const char *hole = strstr(orders[cure], "%s");
        sm_buffer_print(text, "%.*s%s%s", (int)(hole - orders[cure]), orders[cure], name, hole + 2);
    } else if (suspect->is_unit) {
        sm_buffer_print(text, "hold one lock, %s, over all steps of %s", new_lock, name);
    } else if (cure == SM_CURE_HELD_EARLIER) {
        sm_buffer_print(text, "take %s before the first access to %s", lock, name);
    } else if (cure == SM_CURE_HELD || cure == SM_CURE_HELD_WIDE) {
        sm_buffer_print(text, "hold %s, as other accesses to %s do, %s", lock, name,
                        cure == SM_CURE_HELD ? "at each access"
                                             : "from the first access to the last");
    } else {
        sm_buffer_print(text, "protect %s with a new lock, %s, %s", name, new_lock,
                        cure == SM_CURE_NEW ? "at each access"
                                            : "from the first access to the last");
    }
}

static void apply_cure(const struct making *making, const struct sm_suspect *suspect,
                       enum sm_cure cure, struct sm_repair_set *set, struct sections *ranges)
{
    switch (cure) {
    case SM_CURE_RELAXED:
        add_order(set, suspect->name, SM_REPAIR_ANY, SM_ORDER_RELAXED);
        break;
    case SM_CURE_MERGE:
    case SM_CURE_MERGE_ACQ_REL:
        add_merges(set, suspect, cure == SM_CURE_MERGE ? SM_ORDER_RELAXED : SM_ORDER_ACQ_REL);
        if (cure == SM_CURE_MERGE)
            add_order(set, suspect->name, SM_REPAIR_ANY, SM_ORDER_RELAXED);
        else
            add_release_acquire(set, suspect->name);
        break;
    case SM_CURE_RELEASE_ACQUIRE:
        add_release_acquire(set, suspect->name);
        break;
    case SM_CURE_SEQ_CST:
        add_merges(set, suspect, SM_ORDER_SEQ_CST);
        add_order(set, suspect->name, SM_REPAIR_ANY, SM_ORDER_SEQ_CST);
        break;
    case SM_CURE_HELD:
    case SM_CURE_HELD_EARLIER:
    case SM_CURE_HELD_WIDE:
        add_sections(ranges, suspect, held_by_others(suspect), cure);
        break;
    case SM_CURE_NEW_ONCE:
        add_release_acquire(set, suspect->name);
        add_sections(ranges, suspect, making->new_lock, cure);
        break;
    case SM_CURE_NEW:
    case SM_CURE_NEW_WIDE:
        add_sections(ranges, suspect, making->new_lock, cure);
        break;
    default:
        break;
    }
}

/* Named after the first suspect that it protects. */
static char *lock_name(const struct making *making)
{
    const char *first = "new";
    for (size_t i = making->n; i-- > 0;)
        if (making->cures[i] >= SM_CURE_NEW_ONCE)
            first = making->suspects->items[i].name;
    char *name = sm_print("%s_lock", first);
    size_t n = 0;
    for (const char *at = name; *at; at++) {
        if (isalnum((unsigned char)*at))
            name[n++] = *at;
        else if (n && name[n - 1] != '_')
            name[n++] = '_';
    }
    name[n] = '\0';
    return name;
}

/* Weak orders for a variable that is updated apply to its updates: `n++` on an atomic variable is
   one access. As two accesses they are only tried to show that this just hides the race. */
static bool is_split(const struct sm_suspect *suspect, enum sm_cure cure)
{
    bool steps = false;
    for (size_t i = 0; i < suspect->spots.n; i++)
        steps |= suspect->spots.items[i].step && counts(suspect, &suspect->spots.items[i]);
    return (cure == SM_CURE_RELAXED || cure == SM_CURE_RELEASE_ACQUIRE) && !suspect->is_atomic &&
           steps;
}

static bool is_known(const struct sm_candidate_list *all, const char *text)
{
    for (size_t i = 0; i < all->n; i++)
        if (strcmp(all->items[i].text, text) == 0)
            return true;
    return false;
}

static void add_candidate(struct making *making)
{
    struct sm_candidate candidate = {
        .silencing = true, .everywhere = making->everywhere, .pair = making->pair, .n = making->n};
    struct sections ranges = {.trees = making->trees};
    struct sm_buffer text = {0};
    unsigned touched = 0;
    making->new_lock = lock_name(making);
    for (size_t i = 0; i < making->n; i++) {
        const struct sm_suspect *suspect = &making->suspects->items[i];
        enum sm_cure cure = making->cures[i];
        apply_cure(making, suspect, cure, &candidate.repairs, &ranges);
        clause(&text, suspect, cure, making->new_lock);
        candidate.cost += cost_of(suspect, cure);
        candidate.locks |= is_lock[cure];
        candidate.built |=
            cure == SM_CURE_HELD_EARLIER || ((cure == SM_CURE_HELD || cure == SM_CURE_HELD_WIDE) &&
                                             is_member(held_by_others(suspect)));
        bool raced = !suspect->is_atomic && !suspect->is_unit;
        bool silenced = raced && is_possible(suspect, SM_CURE_RELAXED);
        candidate.silencing &= cure == (silenced ? SM_CURE_RELAXED : SM_CURE_NONE);
        candidate.split |= is_split(suspect, cure);
        candidate.cures[i] = cure;
        touched += cure != SM_CURE_NONE;
    }
    candidate.cost += touched > 1 ? (touched - 1) * EACH_FURTHER : 0;
    candidate.text = text.data;
    add_locks(&candidate.repairs, &ranges);
    free(ranges.items);
    free(making->new_lock);
    bool possible = touched && candidate.repairs.n && candidate.repairs.n <= SM_MAX_REPAIRS &&
                    (!candidate.split || candidate.silencing);
    if (!possible || is_known(making->candidates, candidate.text)) {
        sm_repair_set_free(&candidate.repairs);
        free(candidate.text);
        return;
    }
    struct sm_candidate_list *all = making->candidates;
    all->items = sm_resize(all->items, (all->n + 1) * sizeof(*all->items));
    all->items[all->n++] = candidate;
}

/* ---- all candidates ---- */

static bool all_possible(const struct making *making)
{
    for (size_t i = 0; i < making->n; i++)
        if (!is_possible(&making->suspects->items[i], making->cures[i]))
            return false;
    return true;
}

static void combine(struct making *making, size_t i)
{
    if (i == making->n) {
        if (all_possible(making))
            add_candidate(making);
        return;
    }
    for (int cure = 0; cure < SM_CURES; cure++) {
        making->cures[i] = (enum sm_cure)cure;
        combine(making, i + 1);
    }
}

/* One cure for suspects a and b (which may be the same), or for all. */
static void cure_some(struct making *making, enum sm_cure cure, size_t a, size_t b, bool all)
{
    for (size_t i = 0; i < making->n; i++) {
        bool taken = all || i == a || i == b;
        bool possible = is_possible(&making->suspects->items[i], cure);
        if (taken && !possible && !all)
            return;
        making->cures[i] = taken && possible ? cure : SM_CURE_NONE;
    }
    making->everywhere = all;
    making->pair = !all && a != b;
    add_candidate(making);
}

static void combine_many(struct making *making)
{
    for (int cure = SM_CURE_NONE + 1; cure < SM_CURES; cure++) {
        for (size_t a = 0; a < making->n; a++)
            for (size_t b = a; b < making->n; b++)
                cure_some(making, (enum sm_cure)cure, a, b, false);
        cure_some(making, (enum sm_cure)cure, 0, 0, true);
    }
}

/* Silencing first, so that it is always tried. */
static int by_cost(const void *a, const void *b)
{
    const struct sm_candidate *x = a, *y = b;
    if (x->silencing != y->silencing)
        return x->silencing ? -1 : 1;
    return x->cost != y->cost ? (x->cost > y->cost) - (x->cost < y->cost)
                              : strcmp(x->text, y->text);
}

void sm_candidates_make(struct sm_candidate_list *candidates, const struct sm_suspects *suspects,
                        const struct sm_trees *trees)
{
    struct making making = {.suspects = suspects, .candidates = candidates, .trees = trees};
    making.n = suspects->n < SM_MOST_SUSPECTS ? suspects->n : SM_MOST_SUSPECTS;
    if (making.n <= SM_FEW_SUSPECTS)
        combine(&making, 0);
    else
        combine_many(&making);
    if (candidates->n)
        qsort(candidates->items, candidates->n, sizeof(*candidates->items), by_cost);
}

/* ---- which is stronger ---- */

/* Bit i of row r: cure r is at most as strong as cure i. */
static bool is_weaker(enum sm_cure a, enum sm_cure b)
{
    static const unsigned above[SM_CURES] = {
        [SM_CURE_NONE] = 1u << SM_CURE_RELAXED,
        [SM_CURE_RELAXED] = 1u << SM_CURE_RELEASE_ACQUIRE | 1u << SM_CURE_MERGE,
        [SM_CURE_RELEASE_ACQUIRE] = 1u << SM_CURE_MERGE_ACQ_REL | 1u << SM_CURE_SEQ_CST,
        [SM_CURE_MERGE] = 1u << SM_CURE_MERGE_ACQ_REL,
        [SM_CURE_MERGE_ACQ_REL] = 1u << SM_CURE_SEQ_CST};
    if (a == b)
        return true;
    for (int cure = 0; cure < SM_CURES; cure++)
        if ((above[a] >> cure & 1) && is_weaker((enum sm_cure)cure, b))
            return true;
    return false;
}

bool sm_candidate_is_weaker(const struct sm_candidate *a, const struct sm_candidate *b)
{
    for (size_t i = 0; i < a->n; i++)
        if (!is_weaker(a->cures[i], b->cures[i]))
            return false;
    return !a->locks && !b->locks;
}

bool sm_candidate_is_top(const struct sm_candidate *candidate)
{
    for (size_t i = 0; i < candidate->n; i++)
        if (candidate->cures[i] != SM_CURE_NONE && candidate->cures[i] != SM_CURE_SEQ_CST)
            return false;
    return true;
}

bool sm_candidates_touch_same(const struct sm_candidate *a, const struct sm_candidate *b)
{
    for (size_t i = 0; i < a->n; i++)
        if ((a->cures[i] == SM_CURE_NONE) != (b->cures[i] == SM_CURE_NONE))
            return false;
    return true;
}

void sm_candidates_free(struct sm_candidate_list *candidates)
{
    for (size_t i = 0; i < candidates->n; i++) {
        sm_repair_set_free(&candidates->items[i].repairs);
        free(candidates->items[i].text);
    }
    free(candidates->items);
    *candidates = (struct sm_candidate_list){0};
}
