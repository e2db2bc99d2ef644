/* Races that were told: folded by variable and places, counted, and bounded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../../native/counters.h"
#include "../../native/known.h"

uint64_t sm_counts[SM_DETECT_COUNTERS];

static const struct sm_site here = {.file = "a.c", .variable = "x", .line = 1, .column = 2},
                            inlined_again = {.file = "a.c",
                                             .variable = "x",
                                             .line = 1,
                                             .column = 2},
                            other_column = {.file = "a.c", .variable = "x", .line = 1, .column = 3},
                            other_file = {.file = "b.c", .variable = "x", .line = 1, .column = 2},
                            other_name = {.file = "a.c", .variable = "y", .line = 1, .column = 2};

static uint32_t number = 77;

/* A meeting of its own. */
static bool add(const struct sm_site *a, const struct sm_site *b)
{
    static uint32_t epoch;
    epoch++;
    return sm_known_add(a, b, (struct sm_meeting){0x1000, {epoch, 1u << 20}}, 1, &number);
}

static void test_folding(void **state)
{
    (void)state;
    assert_true(add(&here, &other_column));
    assert_int_equal(number, 0);
    assert_false(add(&inlined_again, &other_column));
    assert_false(add(&other_column, &here));
    assert_true(add(&here, &here));
    assert_int_equal(number, 1);
    assert_true(add(&here, &other_file));
    assert_true(add(&here, &other_name));
    assert_true(add(NULL, &here));
    assert_false(add(&here, NULL));
    assert_int_equal(sm_known_pairs(), 5);
    assert_int_equal(sm_known_count(0), 3);
    assert_int_equal(sm_known_count(4), 2);
}

/* The same two accesses, found from either side. */
static void test_meetings(void **state)
{
    (void)state;
    uint64_t before = sm_known_count(0);
    assert_false(
        sm_known_add(&here, &other_column, (struct sm_meeting){0x2003, {5, 9}}, 1, &number));
    assert_int_equal(sm_known_count(0), before + 1);
    assert_false(
        sm_known_add(&other_column, &here, (struct sm_meeting){0x2000, {9, 5}}, 1, &number));
    assert_int_equal(sm_known_count(0), before + 1);
    assert_false(
        sm_known_add(&here, &other_column, (struct sm_meeting){0x2008, {5, 9}}, 1, &number));
    assert_false(
        sm_known_add(&here, &other_column, (struct sm_meeting){0x2000, {5, 10}}, 1, &number));
    assert_int_equal(sm_known_count(0), before + 3);
}

/* A weight is what a sample stands for. */
static void test_weights(void **state)
{
    (void)state;
    uint64_t before = sm_known_count(0), n = 0;
    uint32_t looked_at = 0;
    for (uint32_t i = 0; i < SM_KNOWN_EACH + 100 * SM_KNOWN_SAMPLE; i++) {
        uint32_t weight = sm_known_weight(&here, 3);
        looked_at += weight > 0;
        n += weight;
    }
    assert_int_equal(looked_at, SM_KNOWN_EACH + 100);
    assert_int_equal(n, SM_KNOWN_EACH + 100 * SM_KNOWN_SAMPLE);
    assert_int_equal(sm_known_weight(&here, 4), 1); /* a race with another thread */
    sm_known_was_new(&here, 3);
    assert_int_equal(sm_known_weight(&here, 3), 1);
    assert_false(sm_known_add(&here, &other_column, (struct sm_meeting){0x3000, {5, 9}},
                              SM_KNOWN_SAMPLE, &number));
    assert_int_equal(sm_known_count(0), before + SM_KNOWN_SAMPLE);
}

static void test_full(void **state)
{
    (void)state;
    struct sm_site *sites = calloc(SM_KNOWN_MAX + 1, sizeof *sites);
    for (uint32_t i = 0; i <= SM_KNOWN_MAX; i++) {
        sites[i] = here;
        sites[i].line = 10 + i;
        add(&sites[i], &here);
    }
    assert_int_equal(sm_known_pairs(), SM_KNOWN_MAX);
    assert_int_equal(sm_counts[SM_DETECT_NO_ROOM], 6); /* five were there */
    free(sites);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_folding),
                                       cmocka_unit_test(test_meetings),
                                       cmocka_unit_test(test_weights), cmocka_unit_test(test_full)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
