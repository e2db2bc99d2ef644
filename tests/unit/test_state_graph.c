/* The graph of states of `verify --states`, built by hand: which states can reach others, over
   forward edges, back edges and cycles; and the sets of hashes beside it. */
// clang-format off: cmocka wants these first
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
// clang-format on
#include <cmocka.h>
#include <string.h>

#include "abi/control.h"
#include "runtime/control.h"
#include "verify/pool.h"
#include "verify/states/edges.h"
#include "verify/states/keys.h"
#include "verify/states/states.h"

static struct sm_control control;
struct sm_control *sm_control = &control;

enum { STATES = 12 };

static struct sm_edges edges;

static void lead(uint32_t from, uint32_t to)
{
    sm_edges_add(&edges, &(struct sm_edge){from, to, 0, true});
}

/* `expected`: a character for each state, '1' if it reaches `end`. */
static void expect_origins(uint32_t end, const char *expected)
{
    char seen[STATES + 1] = {0};
    struct sm_numbers of = sm_numbers_new();
    sm_numbers_add(&of, end);
    uint8_t *reach = sm_edges_origins(&edges, (uint32_t)strlen(expected), &of);
    for (size_t i = 0; i < strlen(expected); i++)
        seen[i] = reach[i] ? '1' : '0';
    assert_string_equal(seen, expected);
    sm_pool_put(reach, strlen(expected));
    sm_numbers_free(&of);
}

static void test_reach(void **unused)
{
    (void)unused;
    edges.n = 0;
    lead(0, 1);
    lead(1, 2);
    lead(0, 3); /* 3 leads nowhere */
    expect_origins(2, "1110");
    expect_origins(3, "1001");
}

/* State 4 reaches state 3 only through states of smaller numbers: one pass from the last edge is
   not enough. */
static void test_reach_backwards(void **unused)
{
    (void)unused;
    edges.n = 0;
    lead(1, 3);
    lead(2, 1);
    lead(0, 2);
    lead(4, 0);
    lead(5, 5);
    expect_origins(3, "111110");
}

static void test_cycle_without_exit(void **unused)
{
    (void)unused;
    edges.n = 0;
    lead(0, 1);
    lead(1, 2);
    lead(2, 1);
    lead(0, 3);
    expect_origins(3, "1001");
}

static void test_next(void **unused)
{
    (void)unused;
    uint8_t seen[STATES] = {0};
    edges.n = 0;
    lead(0, 1);
    lead(1, 2);
    lead(0, 3);
    assert_int_equal(sm_edges_next(&edges, 0, seen), 1);
    seen[1] = 1;
    assert_int_equal(sm_edges_next(&edges, 0, seen), 3);
    seen[3] = 1;
    assert_int_equal(sm_edges_next(&edges, 0, seen), SM_NO_STATE);
}

static void test_keys(void **unused)
{
    (void)unused;
    struct sm_keys keys, more;
    sm_keys_start(&keys);
    sm_keys_start(&more);
    assert_true(sm_keys_add(&keys, 7));
    assert_false(sm_keys_add(&keys, 7));
    assert_true(sm_keys_add(&keys, 7 + ((uint64_t)1 << 41))); /* in the same slot at first */
    assert_true(sm_keys_has(&keys, 7 + ((uint64_t)1 << 41)));
    assert_false(sm_keys_has(&keys, 7 + ((uint64_t)1 << 42)));
    assert_true(sm_keys_add(&keys, 0));
    sm_keys_add(&more, 7);
    assert_true(sm_keys_collect(&more, &keys));
    assert_false(sm_keys_collect(&more, &keys));
    assert_int_equal(more.n, 3);
    sm_keys_clear(&keys);
    assert_false(sm_keys_has(&keys, 7));
}

/* What does not fit is taken for known, and the exploration is not complete. */
static void test_keys_full(void **unused)
{
    (void)unused;
    struct sm_keys keys;
    uint64_t key = 1;
    sm_keys_start(&keys);
    while (sm_keys_add(&keys, key++ * 0x9e3779b97f4a7c15u))
        assert_int_equal(control.explored.cut, 0);
    assert_int_equal(control.explored.cut, SM_CUT_BIT(ROOM));
    assert_true(sm_keys_has(&keys, 0x9e3779b97f4a7c15u));
}

int main(void)
{
    sm_pool_start();
    sm_edges_start(&edges);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reach),
        cmocka_unit_test(test_reach_backwards),
        cmocka_unit_test(test_cycle_without_exit),
        cmocka_unit_test(test_next),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_keys_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
