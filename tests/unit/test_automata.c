/* The automata of atomicity: each rule by itself, and all of them on random traces against a
   direct search for the patterns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../analysis/tuples.h"
#include "../../base/sys.h"

enum { MOST_EVENTS = 64, MOST_UNITS = 8, MOST_LOCATIONS = 4 };

struct event {
    unsigned unit, location;
    bool write;
    bool ends; /* the unit, after this access */
};

struct trace {
    struct event events[MOST_EVENTS];
    unsigned n;
    unsigned thread_of[MOST_UNITS]; /* of each unit */
    unsigned n_units, n_locations;
};

/* What was found: pattern, units and locations; the second location of a pattern of one is 0. */
typedef bool findings[SM_PATTERNS][MOST_UNITS][MOST_UNITS][MOST_LOCATIONS][MOST_LOCATIONS];

static findings by_automata, by_search;

static bool is_single(unsigned pattern)
{
    return sm_pattern_length(pattern) == 3;
}

/* ---- the automata ---- */

static void note(const struct sm_match *match)
{
    unsigned unit = match->unit->depth, other = match->other->depth;
    uint64_t second = is_single(match->pattern) ? 0 : match->locations[1];
    bool *found = &by_automata[match->pattern][unit][other][match->locations[0]][second];
    assert_false(*found); /* each once */
    *found = true;
    /* The marks are the events of the pattern, in order. */
    for (unsigned i = 0; i < sm_pattern_length(match->pattern); i++) {
        const struct event *event = match->marks[i]->site;
        struct sm_letter letter = sm_pattern_letter(match->pattern, i);
        assert_int_equal(event->unit, letter.other ? other : unit);
        assert_int_equal(event->write, letter.write);
        assert_int_equal(event->location, match->locations[letter.second]);
        if (i)
            assert_true(event > (const struct event *)match->marks[i - 1]->site);
    }
}

static void run_automata(const struct trace *trace)
{
    struct sm_works set = {0};
    struct sm_work *works[MOST_UNITS] = {0};
    memset(by_automata, 0, sizeof by_automata);
    sm_automata_start();
    for (unsigned i = 0; i < trace->n; i++) {
        const struct event *event = &trace->events[i];
        struct sm_work **work = &works[event->unit];
        if (!*work) {
            *work = sm_work_begin(&set, trace->thread_of[event->unit]);
            (*work)->depth = event->unit;
        }
        sm_work_access(*work, event->location, event->write, (struct sm_access_mark){event, NULL},
                       note);
        if (event->ends) {
            sm_work_end(*work);
            *work = NULL;
        }
    }
    for (unsigned i = 0; i < trace->n_units; i++)
        if (works[i])
            sm_work_end(works[i]);
    assert_null(set.works);
    assert_null(set.pairs);
    assert_int_equal(sm_tuples_stats.alive, 0);
}

/* ---- the direct search ---- */

/* Do the events from `at` on hold the pattern's from `from` on? */
static bool holds(const struct trace *trace, unsigned pattern, unsigned from, unsigned at,
                  const unsigned units[2], const unsigned locations[2])
{
    if (from == sm_pattern_length(pattern))
        return true;
    struct sm_letter letter = sm_pattern_letter(pattern, from);
    for (unsigned i = at; i < trace->n; i++) {
        const struct event *event = &trace->events[i];
        if (event->unit == units[letter.other] && event->write == letter.write &&
            event->location == locations[letter.second] &&
            holds(trace, pattern, from + 1, i + 1, units, locations))
            return true;
    }
    return false;
}

static void search_units(const struct trace *trace, unsigned pattern, const unsigned units[2])
{
    for (unsigned x = 0; x < trace->n_locations; x++) {
        for (unsigned y = 0; y < (is_single(pattern) ? 1 : trace->n_locations); y++) {
            unsigned locations[2] = {x, y};
            if (is_single(pattern) || x != y)
                by_search[pattern][units[0]][units[1]][x][y] =
                    holds(trace, pattern, 0, 0, units, locations);
        }
    }
}

static void run_search(const struct trace *trace)
{
    memset(by_search, 0, sizeof by_search);
    for (unsigned pattern = 0; pattern < SM_PATTERNS; pattern++)
        for (unsigned unit = 0; unit < trace->n_units; unit++)
            for (unsigned other = 0; other < trace->n_units; other++)
                if (trace->thread_of[unit] != trace->thread_of[other])
                    search_units(trace, pattern, (unsigned[]){unit, other});
}

/* ---- random traces ---- */

/* Units of one thread follow each other: the last access of one comes before the first of the
   next. */
static struct trace random_trace(unsigned seed)
{
    struct trace trace = {0};
    srand(seed);
    unsigned n_threads = 2 + (unsigned)rand() % 3, now[4] = {0};
    trace.n_locations = 1 + (unsigned)rand() % (MOST_LOCATIONS - 1);
    trace.n_units = n_threads;
    for (unsigned i = 0; i < n_threads; i++)
        now[i] = trace.thread_of[i] = i;
    trace.n = 4 + (unsigned)rand() % 28;
    for (unsigned i = 0; i < trace.n; i++) {
        unsigned thread = (unsigned)rand() % n_threads;
        struct event *event = &trace.events[i];
        *event = (struct event){.unit = now[thread],
                                .location = (unsigned)rand() % trace.n_locations,
                                .write = rand() % 2};
        if (trace.n_units < MOST_UNITS && rand() % 6 == 0) {
            event->ends = true;
            now[thread] = trace.n_units;
            trace.thread_of[trace.n_units++] = thread;
        }
    }
    return trace;
}

static void automata_find_what_a_search_finds(void **state)
{
    (void)state;
    unsigned found[SM_PATTERNS] = {0};
    for (unsigned seed = 1; seed <= 3000; seed++) {
        struct trace trace = random_trace(seed);
        run_automata(&trace);
        run_search(&trace);
        if (memcmp(by_automata, by_search, sizeof by_search) != 0)
            fail_msg("seed %u: the automata and the search do not agree", seed);
        for (unsigned i = 0; i < SM_PATTERNS; i++) {
            const bool *each = (const bool *)by_search[i];
            for (size_t k = 0; k < sizeof by_search[i]; k++)
                found[i] += each[k];
        }
    }
    for (unsigned i = 0; i < SM_PATTERNS; i++)
        assert_true(found[i] > 100); /* none went untested */
}

/* ---- one by one ---- */

/* The events of a pattern and nothing else; `skip` is left out. */
static struct trace pattern_trace(unsigned pattern, unsigned skip)
{
    struct trace trace = {.n_units = 2, .n_locations = 2, .thread_of = {0, 1}};
    for (unsigned i = 0; i < sm_pattern_length(pattern); i++) {
        struct sm_letter letter = sm_pattern_letter(pattern, i);
        if (i != skip)
            trace.events[trace.n++] = (struct event){
                .unit = letter.other, .location = letter.second, .write = letter.write};
    }
    return trace;
}

static void each_pattern_is_found_and_nothing_less(void **state)
{
    (void)state;
    for (unsigned pattern = 0; pattern < SM_PATTERNS; pattern++) {
        struct trace trace = pattern_trace(pattern, UINT32_MAX);
        run_automata(&trace);
        assert_true(by_automata[pattern][0][1][0][is_single(pattern) ? 0 : 1]);
        for (unsigned skip = 0; skip < sm_pattern_length(pattern); skip++) {
            trace = pattern_trace(pattern, skip);
            run_automata(&trace);
            assert_false(by_automata[pattern][0][1][0][is_single(pattern) ? 0 : 1]);
        }
    }
}

static void a_unit_that_ended_takes_no_part(void **state)
{
    (void)state;
    for (unsigned pattern = 0; pattern < SM_PATTERNS; pattern++) {
        struct trace trace = pattern_trace(pattern, UINT32_MAX);
        trace.events[0].ends = true;
        trace.n_units = 3; /* what the thread does next is another unit's */
        trace.thread_of[2] = 0;
        for (unsigned i = 1; i < trace.n; i++)
            trace.events[i].unit += trace.events[i].unit == 0 ? 2 : 0;
        run_automata(&trace);
        assert_false(by_automata[pattern][0][1][0][is_single(pattern) ? 0 : 1]);
    }
}

static void units_of_one_thread_make_no_pattern(void **state)
{
    (void)state;
    for (unsigned pattern = 0; pattern < SM_PATTERNS; pattern++) {
        struct trace trace = pattern_trace(pattern, UINT32_MAX);
        findings none = {0};
        trace.thread_of[1] = 0;
        run_automata(&trace);
        assert_memory_equal(by_automata, none, sizeof none);
    }
}

static void units_in_turn_leave_no_tuples(void **state)
{
    (void)state;
    struct trace trace = {.n_units = 4, .n_locations = 2, .thread_of = {0, 1, 0, 1}};
    for (unsigned unit = 0; unit < 4; unit++)
        for (unsigned i = 0; i < 4; i++)
            trace.events[trace.n++] =
                (struct event){.unit = unit, .location = i % 2, .write = i > 1, .ends = i == 3};
    uint64_t made = sm_tuples_stats.made;
    run_automata(&trace);
    assert_int_equal(sm_tuples_stats.made, made);
}

static void an_access_again_moves_nothing(void **state)
{
    (void)state;
    struct trace trace = {.n_units = 2, .n_locations = 1, .thread_of = {0, 1}};
    trace.events[trace.n++] = (struct event){.unit = 0};
    for (int i = 0; i < 20; i++)
        trace.events[trace.n++] = (struct event){.unit = 1, .write = true};
    trace.events[trace.n++] = (struct event){.unit = 0};
    run_automata(&trace);
    run_search(&trace);
    assert_memory_equal(by_automata, by_search, sizeof by_search);
    assert_true(by_automata[1][0][1][0][0]); /* pattern 2 */
}

static void ignore(const struct sm_match *match)
{
    (void)match;
}

/* Of three units that walk over the same n locations: accesses that found no room. */
static uint64_t lost_over(uint64_t n)
{
    enum { UNITS = 3 };
    struct sm_works set = {0};
    struct sm_work *works[UNITS];
    uint64_t before = sm_tuples_stats.lost;
    for (uint32_t unit = 0; unit < UNITS; unit++)
        works[unit] = sm_work_begin(&set, unit);
    for (int unit = 0; unit < UNITS; unit++)
        for (uint64_t location = 0; location < n; location++)
            sm_work_access(works[unit], location, false, (struct sm_access_mark){0}, ignore);
    for (int unit = 0; unit < UNITS; unit++)
        sm_work_end(works[unit]);
    return sm_tuples_stats.lost - before;
}

/* The third unit's accesses find none beside the first unit, nor beside the second. */
static void what_finds_no_room_is_counted_once(void **state)
{
    (void)state;
    assert_int_equal(lost_over(30), 0);
    uint64_t lost = lost_over(1000);
    assert_in_range(lost, 1900, 2000);
    assert_int_equal(sm_tuples_stats.alive, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_pattern_is_found_and_nothing_less),
        cmocka_unit_test(a_unit_that_ended_takes_no_part),
        cmocka_unit_test(units_of_one_thread_make_no_pattern),
        cmocka_unit_test(units_in_turn_leave_no_tuples),
        cmocka_unit_test(an_access_again_moves_nothing),
        cmocka_unit_test(what_finds_no_room_is_counted_once),
        cmocka_unit_test(automata_find_what_a_search_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
