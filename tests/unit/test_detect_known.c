/* Races that were told: folded by variable and places, counted, and bounded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../../detect/counters.h"
#include "../../detect/known.h"

uint64_t sm_counts[SM_DETECT_COUNTERS];

static const struct sm_site here = {.file = "a.c", .variable = "x", .line = 1, .column = 2},
                            inlined_again = {.file = "a.c",
                                             .variable = "x",
                                             .line = 1,
                                             .column = 2},
                            other_column = {.file = "a.c", .variable = "x", .line = 1, .column = 3},
                            other_file = {.file = "b.c", .variable = "x", .line = 1, .column = 2},
                            other_name = {.file = "a.c", .variable = "y", .line = 1, .column = 2};

static void test_folding(void **state)
{
    (void)state;
    uint32_t number = 77;
    assert_true(sm_known_add(&here, &other_column, &number));
    assert_int_equal(number, 0);
    assert_false(sm_known_add(&inlined_again, &other_column, &number));
    assert_false(sm_known_add(&other_column, &here, &number));
    assert_true(sm_known_add(&here, &here, &number));
    assert_int_equal(number, 1);
    assert_true(sm_known_add(&here, &other_file, &number));
    assert_true(sm_known_add(&here, &other_name, &number));
    assert_true(sm_known_add(NULL, &here, &number));
    assert_false(sm_known_add(&here, NULL, &number));
    assert_int_equal(sm_known_pairs(), 5);
    assert_int_equal(sm_known_count(0), 3);
    assert_int_equal(sm_known_count(4), 2);
}

static void test_full(void **state)
{
    (void)state;
    uint32_t number;
    struct sm_site *sites = calloc(SM_KNOWN_MAX + 1, sizeof *sites);
    for (uint32_t i = 0; i <= SM_KNOWN_MAX; i++) {
        sites[i] = here;
        sites[i].line = 10 + i;
        sm_known_add(&sites[i], &here, &number);
    }
    assert_int_equal(sm_known_pairs(), SM_KNOWN_MAX);
    assert_int_equal(sm_counts[SM_DETECT_NO_ROOM], 6); /* five were there */
    free(sites);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_folding), cmocka_unit_test(test_full)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
