/* effort.h: which test of a campaign gets the next round. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "campaign/effort.h"

enum { TESTS = 4, NONE = TESTS };

static struct sm_effort efforts[TESTS];

static int begin(void **state)
{
    (void)state;
    for (size_t i = 0; i < TESTS; i++)
        efforts[i] = (struct sm_effort){0};
    return 0;
}

static void make_round(size_t i, uint64_t findings, double seconds)
{
    sm_effort_round(&efforts[i], findings, false);
    sm_effort_spend(&efforts[i], seconds);
}

static void all_have_one_round_first(void **state)
{
    (void)state;
    for (size_t i = 0; i < TESTS; i++) {
        assert_int_equal(sm_effort_choose(efforts, TESTS, false), i);
        make_round(i, 100 - i, 1);
    }
    assert_int_equal(sm_effort_choose(efforts, TESTS, false), 0);
}

static void findings_for_each_second_decide(void **state)
{
    (void)state;
    make_round(0, 1, 1);
    make_round(1, 5, 1);
    make_round(2, 20, 10); /* more, but fewer a second */
    make_round(3, 0, 1);
    assert_int_equal(sm_effort_choose(efforts, TESTS, false), 1);
}

static void a_quiet_test_is_saturated_after_three_rounds(void **state)
{
    (void)state;
    for (int round = 1; round <= 3; round++) {
        assert_false(sm_effort_is_saturated(&efforts[0]));
        make_round(0, 0, 1);
    }
    assert_true(sm_effort_is_saturated(&efforts[0]));
}

static void a_finding_begins_the_count_again(void **state)
{
    (void)state;
    make_round(0, 0, 1);
    make_round(0, 0, 1);
    make_round(0, 1, 1);
    make_round(0, 0, 1);
    assert_false(sm_effort_is_saturated(&efforts[0]));
}

static void an_exact_verdict_needs_one_round_without_news(void **state)
{
    (void)state;
    sm_effort_round(&efforts[0], 2, true);
    assert_false(sm_effort_is_saturated(&efforts[0]));
    sm_effort_round(&efforts[0], 0, true);
    assert_true(sm_effort_is_saturated(&efforts[0]));
}

static void saturate(size_t i, double seconds)
{
    for (int round = 0; round < 3; round++)
        make_round(i, 0, seconds);
}

static void without_a_budget_saturation_is_the_end(void **state)
{
    (void)state;
    for (size_t i = 0; i < TESTS; i++)
        saturate(i, 1);
    assert_int_equal(sm_effort_choose(efforts, TESTS, false), NONE);
}

static void a_budget_is_spent_on_who_had_least(void **state)
{
    (void)state;
    for (size_t i = 0; i < TESTS; i++)
        saturate(i, i == 2 ? 1 : 5);
    assert_int_equal(sm_effort_choose(efforts, TESTS, true), 2);
}

static void what_cannot_be_run_gets_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < TESTS; i++)
        efforts[i].unable = true;
    assert_int_equal(sm_effort_choose(efforts, TESTS, true), NONE);
}

/* Test 0 has 40 findings, which come three a round; the others have shown all that they have. Of
   the rounds after the first ones it gets all until nothing new comes. */
static void effort_goes_to_where_findings_come(void **state)
{
    int left = 40, rounds_of_others = 0;
    (void)state;
    for (size_t i = 0; i < TESTS; i++)
        make_round(i, i == 0 ? 3 : 0, 1);
    for (left -= 3; left > 0; left -= 3) {
        size_t next = sm_effort_choose(efforts, TESTS, true);
        rounds_of_others += next != 0;
        make_round(next, next == 0 ? 3 : 0, 1);
    }
    assert_int_equal(rounds_of_others, 0);
    make_round(0, 0, 1);
    make_round(0, 0, 1);
    assert_int_not_equal(sm_effort_choose(efforts, TESTS, true), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(all_have_one_round_first, begin),
        cmocka_unit_test_setup(findings_for_each_second_decide, begin),
        cmocka_unit_test_setup(a_quiet_test_is_saturated_after_three_rounds, begin),
        cmocka_unit_test_setup(a_finding_begins_the_count_again, begin),
        cmocka_unit_test_setup(an_exact_verdict_needs_one_round_without_news, begin),
        cmocka_unit_test_setup(without_a_budget_saturation_is_the_end, begin),
        cmocka_unit_test_setup(a_budget_is_spent_on_who_had_least, begin),
        cmocka_unit_test_setup(what_cannot_be_run_gets_nothing, begin),
        cmocka_unit_test_setup(effort_goes_to_where_findings_come, begin),
    };
    return cmocka_run_group_tests_name("effort", tests, NULL, NULL);
}
