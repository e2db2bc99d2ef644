#include "findings/interleaving.h"

#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "findings/story.h"
#include "findings/voice.h"

/* Before the end of the execution; each access is compared with those before it. */
enum { WINDOW = 4000, LAST_READS = 24, MOST_PATTERNS = 2 };

struct scene {
    const struct sm_witness *witness;
    const bool *matters;
    size_t begin; /* of the window */
    bool waits;   /* the failing thread, for ever */
};

/* The two accesses of a thread, and that of another thread between them that conflicts. */
struct unserializable {
    size_t first, between, second; /* second: n_records, if the thread waits for ever */
    size_t next;                   /* ABA: the read of what the exchange stores; else 0 */
    size_t freed;                  /* use after free: the free; else 0 */
    bool sections;                 /* critical sections instead of accesses */
    int score;
};

static const struct sm_record *at(const struct scene *scene, size_t i)
{
    return &scene->witness->records[i];
}

static bool is_access(const struct scene *scene, size_t i)
{
    return scene->matters[i] && at(scene, i)->site != SM_NO_SITE && sm_is_access(at(scene, i));
}

/* ---- how much a pattern explains ---- */

/* A thread that may block there was not necessarily preempted. */
static bool is_blocking(uint8_t kind)
{
    return kind == SM_EV_WAIT || kind == SM_EV_JOIN || kind == SM_EV_SEM_WAIT ||
           kind == SM_EV_DEPART || kind == SM_EV_SLEEP || kind == SM_EV_SYSCALL;
}

static int score_of_distance(const struct scene *scene, size_t first, size_t second)
{
    uint32_t thread = at(scene, first)->thread;
    size_t own = 0, locks = 0;
    for (size_t i = first + 1; i < second; i++) {
        if (at(scene, i)->thread != thread)
            continue;
        if (is_blocking(at(scene, i)->kind))
            return 0;
        locks += at(scene, i)->kind == SM_EV_LOCK;
        own++;
    }
    return (locks ? 1 : 4) + (own <= 3 ? 2 : own <= 8);
}

static bool is_read_at_end(const struct scene *scene, const struct sm_record *memory)
{
    size_t reads = 0;
    for (size_t i = scene->witness->n_records; i-- > scene->begin && reads < LAST_READS;) {
        const struct sm_record *record = at(scene, i);
        if (record->thread != scene->witness->end_thread || !sm_is_read(record))
            continue;
        reads++;
        if (sm_is_same_memory(record, memory))
            return true;
    }
    return false;
}

/* Two updates, each atomic by itself, or an exchange that is tried again: what comes between two
   turns of such a loop is what it is made for. */
static bool is_retry(const struct sm_record *first, const struct sm_record *second)
{
    return second->kind == SM_EV_RMW &&
           (first->kind == SM_EV_RMW || first->kind == SM_EV_CAS_FAIL) &&
           first->site == second->site;
}

static int score_of_kinds(const struct sm_record *first, const struct sm_record *second)
{
    if (is_retry(first, second))
        return -8;
    if (!sm_is_store(first) && !sm_is_store(second))
        return first->site == second->site ? -8 : 3; /* the same read again: a loop that waits */
    if (!sm_is_store(first))
        return 4;
    return sm_is_store(second) ? 2 : 1;
}

/* Reference counts and the like inside a library: the user's own variables explain more. */
static bool is_in_library(const struct scene *scene, size_t i)
{
    return sm_voice_callee(scene->witness, i) != NULL;
}

static int score(const struct scene *scene, const struct unserializable *pattern)
{
    const struct sm_record *first = at(scene, pattern->first), *second = at(scene, pattern->second);
    return score_of_kinds(first, second) +
           score_of_distance(scene, pattern->first, pattern->second) +
           (is_read_at_end(scene, second) ? 3 : 0) -
           (is_in_library(scene, pattern->first) || is_in_library(scene, pattern->between) ? 6 : 0);
}

/* ---- finding them ---- */

/* Ends with the access: NULL if the thread has no earlier access, or nothing conflicts. */
static bool find_pattern(const struct scene *scene, size_t second, struct unserializable *pattern)
{
    const struct sm_record *last = at(scene, second);
    size_t read = second, store = second;
    for (size_t i = second; i-- > scene->begin;) {
        const struct sm_record *record = at(scene, i);
        if (!is_access(scene, i) || !sm_is_same_memory(record, last))
            continue;
        if (record->thread != last->thread && sm_is_store(record) && store == second)
            store = i;
        else if (record->thread != last->thread && read == second)
            read = i;
        if (record->thread != last->thread)
            continue;
        bool writes = sm_is_store(record) && sm_is_store(last);
        *pattern = (struct unserializable){.first = i,
                                           .between = store != second ? store
                                                      : writes        ? read
                                                                      : second,
                                           .second = second};
        return pattern->between != second;
    }
    return false;
}

static bool is_exchange(const struct scene *scene, size_t i)
{
    const struct sm_site_row *row = sm_sites_find(&scene->witness->sites, at(scene, i)->site);
    return at(scene, i)->kind == SM_EV_RMW && row && row->kind == SM_SITE_CAS;
}

/* A store of another value by another thread to what the thread read at record `read`; `end` if
   there is none before that. */
static size_t find_change(const struct scene *scene, size_t read, size_t end)
{
    const struct sm_record *seen = at(scene, read);
    for (size_t i = read + 1; i < end; i++) {
        const struct sm_record *record = at(scene, i);
        if (is_access(scene, i) && record->thread != seen->thread && sm_is_store(record) &&
            sm_is_same_memory(record, seen) && record->value != seen->value)
            return i;
    }
    return end;
}

/* ABA: a compare-exchange finds the value that its thread had read, and stores a value that the
   thread read meanwhile elsewhere and that another thread has changed since: the next node of a
   list whose first node was taken and put back. A lock whose word is 0 again has no such read. */
static bool find_aba(const struct scene *scene, size_t exchange, struct unserializable *pattern)
{
    const struct sm_record *last = at(scene, exchange);
    size_t next = 0, change = exchange;
    for (size_t i = exchange; i-- > scene->begin;) {
        const struct sm_record *record = at(scene, i);
        if (record->thread != last->thread || !is_access(scene, i) || !sm_is_read(record))
            continue;
        if (sm_is_same_memory(record, last)) {
            *pattern = (struct unserializable){
                .first = i, .between = change, .second = exchange, .next = next, .score = 16};
            return next && record->value == last->old && find_change(scene, i, exchange) < exchange;
        }
        if (!next && record->value == last->value) {
            change = find_change(scene, i, exchange);
            next = change < exchange ? i : 0;
        }
    }
    return false;
}

/* The block that holds the address was freed there; 0 if it was not. */
static size_t find_free(const struct scene *scene, uint64_t addr)
{
    for (size_t i = scene->witness->n_records; i-- > scene->begin;) {
        const struct sm_record *record = at(scene, i);
        if (record->kind == SM_EV_FREE && record->addr <= addr && addr < record->addr + record->old)
            return i;
    }
    return 0;
}

/* Use after free: the failing thread has read a pointer, another thread has changed it and freed
   the block, and the failing thread uses what it had read. */
static bool find_dangling(const struct scene *scene, struct unserializable *pattern)
{
    const struct sm_witness *witness = scene->witness;
    size_t use = witness->n_records;
    if (sm_failure_of_word(witness->failure_kind) != SM_FAILURE_USE_AFTER_FREE)
        return false;
    while (use > scene->begin &&
           !(at(scene, use - 1)->thread == witness->end_thread && sm_is_access(at(scene, use - 1))))
        use--;
    size_t freed = use > scene->begin ? find_free(scene, at(scene, --use)->addr) : 0;
    if (freed > use)
        return false; /* the access that fails was not recorded */
    for (size_t i = freed; i-- > scene->begin;) {
        const struct sm_record *record = at(scene, i);
        if (record->thread != witness->end_thread || !is_access(scene, i) || !sm_is_read(record) ||
            record->value != at(scene, freed)->addr)
            continue;
        size_t change = find_change(scene, i, use);
        *pattern = (struct unserializable){
            .first = i, .between = change, .second = use, .freed = freed, .score = 20};
        return change < use;
    }
    return false;
}

/* A thread has read a location that another one wrote afterwards, and did not read it again: it
   waits for ever, or continued with the old value. */
static bool find_missed(const struct scene *scene, size_t store, struct unserializable *pattern)
{
    const struct sm_record *written = at(scene, store);
    for (size_t i = store; i-- > scene->begin;) {
        const struct sm_record *record = at(scene, i);
        if (!is_access(scene, i) || record->thread == written->thread ||
            !sm_is_same_memory(record, written))
            continue;
        if (scene->waits && record->thread != scene->witness->end_thread)
            return false;
        *pattern = (struct unserializable){
            .first = i, .between = store, .second = scene->witness->n_records, .score = 1};
        return sm_is_read(record) && !is_in_library(scene, i);
    }
    return false;
}

static bool is_exclusive(const struct sm_record *record)
{
    return record->kind == SM_EV_LOCK || record->kind == SM_EV_WRITE_LOCK;
}

/* A thread releases a lock and takes it again, and another thread has had it in between: what the
   first section found may no longer hold in the second. For data that only library code accesses,
   such as the nodes of a std::map. */
static bool find_sections(const struct scene *scene, size_t lock, struct unserializable *pattern)
{
    const struct sm_record *last = at(scene, lock);
    size_t own = 0, between = lock;
    for (size_t i = lock; i-- > scene->begin;) {
        const struct sm_record *record = at(scene, i);
        bool same = record->addr == last->addr;
        if (record->thread != last->thread) {
            between = same && is_exclusive(record) ? i : between;
        } else if (same && sm_is_unlock(record)) {
            *pattern = (struct unserializable){
                .first = i, .between = between, .second = lock, .sections = true};
            pattern->score = (own <= 2 ? 8 : 5) + (is_exclusive(last) ? 1 : 0);
            return between != lock;
        } else if (sm_is_lock(record) || is_blocking(record->kind)) {
            return false;
        } else {
            own += scene->matters[i];
        }
    }
    return false;
}

static void keep_best(struct unserializable *best, size_t *n,
                      const struct unserializable *candidate)
{
    size_t i = 0;
    while (i < *n && best[i].between != candidate->between && best[i].first != candidate->first)
        i++;
    if (i == *n && *n < MOST_PATTERNS)
        best[(*n)++] = *candidate;
    else if (i < *n && candidate->score >= best[i].score)
        best[i] = *candidate;
    else if (i == *n && candidate->score >= best[*n - 1].score)
        best[*n - 1] = *candidate;
    if (*n == 2 && best[1].score > best[0].score) {
        struct unserializable better = best[1];
        best[1] = best[0];
        best[0] = better;
    }
}

static size_t find_patterns(const struct scene *scene, struct unserializable *best)
{
    size_t n = 0;
    struct unserializable pattern;
    if (find_dangling(scene, &pattern))
        keep_best(best, &n, &pattern);
    for (size_t i = scene->begin; i < scene->witness->n_records; i++) {
        if (!is_access(scene, i))
            continue;
        if (is_exchange(scene, i) && find_aba(scene, i, &pattern))
            keep_best(best, &n, &pattern);
        if (!find_pattern(scene, i, &pattern))
            continue;
        pattern.score = score(scene, &pattern);
        if (pattern.score > 4)
            keep_best(best, &n, &pattern);
    }
    return n;
}

static size_t find_others(const struct scene *scene, struct unserializable *best)
{
    size_t n = 0, end = scene->witness->n_records;
    struct unserializable pattern;
    for (size_t i = scene->begin; i < end; i++)
        if (is_access(scene, i) && sm_is_store(at(scene, i)) && !is_in_library(scene, i) &&
            find_missed(scene, i, &pattern))
            keep_best(best, &n, &pattern);
    for (size_t i = scene->begin; !n && !scene->waits && i < end; i++)
        if (sm_is_lock(at(scene, i)) && find_sections(scene, i, &pattern))
            keep_best(best, &n, &pattern);
    return n;
}

static size_t find_best(const struct scene *scene, struct unserializable *best)
{
    size_t n = find_patterns(scene, best);
    n = n ? n : find_others(scene, best);
    return n == 2 && best[1].score + 2 < best[0].score ? 1 : n;
}

/* ---- steps ---- */

static int by_number(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

struct chosen_steps {
    size_t *at, n, most;
};

/* True if it was added. */
static bool add(struct chosen_steps *steps, size_t record)
{
    for (size_t i = 0; i < steps->n; i++)
        if (steps->at[i] == record)
            return false;
    if (steps->n == steps->most)
        return false;
    steps->at[steps->n++] = record;
    return true;
}

/* What the other thread had read there before it wrote. */
static void add_read_before(const struct scene *scene, const struct unserializable *pattern,
                            struct chosen_steps *steps)
{
    const struct sm_record *between = at(scene, pattern->between);
    for (size_t i = pattern->between; i-- > pattern->first;) {
        const struct sm_record *record = at(scene, i);
        if (!is_access(scene, i) || record->thread != between->thread ||
            !sm_is_same_memory(record, between))
            continue;
        if (sm_is_read(record))
            add(steps, i);
        return;
    }
}

/* The two accesses are in two critical sections of one lock: where it was released, and taken
   again. */
static void add_gap(const struct scene *scene, const struct unserializable *pattern,
                    struct chosen_steps *steps)
{
    uint32_t thread = at(scene, pattern->first)->thread;
    size_t unlock = pattern->first + 1, lock = pattern->second;
    while (unlock < pattern->between &&
           !(at(scene, unlock)->thread == thread && sm_is_unlock(at(scene, unlock))))
        unlock++;
    while (lock > pattern->between && lock < scene->witness->n_records &&
           !(at(scene, lock)->thread == thread && sm_is_lock(at(scene, lock))))
        lock--;
    if (unlock < pattern->between && lock > pattern->between && lock < scene->witness->n_records &&
        at(scene, lock)->addr == at(scene, unlock)->addr) {
        add(steps, unlock);
        add(steps, lock);
    }
}

static void add_last_read(const struct scene *scene, const struct unserializable *pattern,
                          struct chosen_steps *steps)
{
    const struct sm_record *memory = at(scene, pattern->first);
    for (size_t i = scene->witness->n_records; i-- > pattern->second;)
        if (is_access(scene, i) && at(scene, i)->thread == scene->witness->end_thread &&
            sm_is_read(at(scene, i)) && sm_is_same_memory(at(scene, i), memory)) {
            add(steps, i);
            return;
        }
}

/* What the failing thread read between its two accesses: it assumed that they belong to one
   state. */
static void add_reads_between(const struct scene *scene, const struct unserializable *pattern,
                              struct chosen_steps *steps)
{
    enum { MOST_BETWEEN = 3 };
    uint32_t thread = at(scene, pattern->first)->thread;
    size_t reads = 0;
    if (thread != scene->witness->end_thread)
        return;
    for (size_t i = pattern->second; i-- > pattern->first && reads < MOST_BETWEEN;)
        if (is_access(scene, i) && at(scene, i)->thread == thread && sm_is_read(at(scene, i)) &&
            !is_in_library(scene, i) && !sm_is_same_memory(at(scene, i), at(scene, pattern->first)))
            reads += add(steps, i);
}

static struct scene scene_of(const struct sm_witness *witness, const bool *matters)
{
    return (struct scene){.witness = witness,
                          .matters = matters,
                          .begin = witness->n_records > WINDOW ? witness->n_records - WINDOW : 0,
                          .waits = sm_failure_is_stall(
                              (enum sm_failure_kind)sm_failure_of_word(witness->failure_kind))};
}

/* NULL: unknown. */
static char *line_of(const struct scene *scene, size_t i)
{
    struct sm_place place = sm_voice_place(scene->witness, i);
    struct sm_buffer text = {0};
    sm_voice_line(&text, &place);
    sm_place_free(&place);
    return text.data;
}

/* "Let nothing come between pool.c:20 and pool.c:28: hold one lock from the first to the second".
 */
static char *remedy_for(const struct scene *scene, const struct unserializable *pattern)
{
    char *first = line_of(scene, pattern->first), *second = line_of(scene, pattern->second);
    char *between = line_of(scene, pattern->between);
    struct sm_buffer text = {0};
    if (!first || !second || !between) {
        sm_buffer_free(&text);
    } else if (pattern->next) {
        sm_buffer_print(
            &text,
            "ABA: the value that was read at %s had been changed, and changed back, when "
            "%s compared it; what it stores is out of date since %s. Count the "
            "exchanges in the same word (a tag), or reuse nothing that a thread may "
            "still refer to (hazard pointers)",
            first, second, between);
    } else if (pattern->freed) {
        sm_buffer_print(&text,
                        "The pointer that was read at %s is replaced at %s, and its block freed, "
                        "before %s uses it: let no free come between the two (one lock around both "
                        "and around the free, or hazard pointers)",
                        first, between, second);
    } else if (pattern->sections) {
        sm_buffer_print(&text,
                        "Another thread had the lock (%s) between %s and %s: check again under the "
                        "second lock what the first section found, or hold one lock over both",
                        between, first, second);
    } else if (strcmp(first, second) == 0) {
        sm_buffer_print(&text, "Make the update at %s atomic: hold one lock there", first);
        if (strcmp(first, between) != 0)
            sm_buffer_print(&text, " and at %s", between);
        sm_buffer_text(&text, ", or use an atomic read-modify-write");
    } else {
        sm_buffer_print(&text,
                        "Let nothing come between %s and %s: hold one lock from the first to "
                        "the second",
                        first, second);
        if (strcmp(between, first) != 0 && strcmp(between, second) != 0)
            sm_buffer_print(&text, ", and at %s", between);
        sm_buffer_text(&text, ", or make the two one atomic operation");
    }
    free(first);
    free(second);
    free(between);
    return text.data;
}

char *sm_interleaving_remedy(const struct sm_witness *witness)
{
    bool *matters = sm_events_that_matter(witness);
    struct scene scene = scene_of(witness, matters);
    struct unserializable best[MOST_PATTERNS];
    size_t n = find_best(&scene, best);
    bool told = n && best[0].second < witness->n_records &&
                (best[0].sections || (!is_in_library(&scene, best[0].first) &&
                                      !is_in_library(&scene, best[0].between) &&
                                      !is_in_library(&scene, best[0].second)));
    char *remedy = told ? remedy_for(&scene, &best[0]) : NULL;
    free(matters);
    return remedy;
}

size_t sm_interleaved_steps(const struct sm_witness *witness, const bool *matters, size_t *found,
                            size_t most)
{
    struct scene scene = scene_of(witness, matters);
    struct unserializable best[MOST_PATTERNS];
    struct chosen_steps steps = {.at = found, .most = most};
    size_t n = find_best(&scene, best);
    for (size_t i = 0; i < n; i++) {
        add(&steps, best[i].first);
        add(&steps, best[i].between);
        if (best[i].next || best[i].freed)
            add(&steps, best[i].next ? best[i].next : best[i].freed);
        if (best[i].second < witness->n_records)
            add(&steps, best[i].second);
        if (best[i].sections)
            continue;
        add_gap(&scene, &best[i], &steps);
        add_read_before(&scene, &best[i], &steps);
        add_last_read(&scene, &best[i], &steps);
        add_reads_between(&scene, &best[i], &steps);
    }
    qsort(found, steps.n, sizeof *found, by_number);
    return steps.n;
}
