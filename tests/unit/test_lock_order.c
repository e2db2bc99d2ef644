/* lock_order.h: which acquisitions are a cycle, and which look like one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/lock_order.h"
#include "core/objects/misuse.h"

enum { A = 10, B, C, GATE };

static struct sm_lock_order order;
static struct sm_order_cycle cycle;
static uint32_t n_replaced;

static int begin(void **state)
{
    (void)state;
    order = (struct sm_lock_order){0};
    n_replaced = 0;
    return 0;
}

static void count(const struct sm_order_use *use)
{
    (void)use;
    n_replaced++;
}

static struct sm_order_lock alone(uint64_t key)
{
    return (struct sm_order_lock){key, false};
}

static struct sm_order_lock shared(uint64_t key)
{
    return (struct sm_order_lock){key, true};
}

/* The thread holds one lock and takes another; it has seen `seen` of thread 1. */
static bool closes(uint32_t thread, struct sm_order_lock held, struct sm_order_lock wanted,
                   uint32_t seen)
{
    struct sm_order_shape shape = {.wanted = wanted, .n_held = 1, .held = {held}};
    struct sm_order_use use = {.thread = thread, .slot = thread, .time = 1};
    sm_clock_set(&use.before, 1, seen);
    return sm_lock_order_add(&order, &shape, &use, count, &cycle) == SM_ORDER_CYCLE;
}

static bool gated(uint32_t thread, struct sm_order_lock gate, uint64_t held, uint64_t wanted)
{
    struct sm_order_shape shape = {
        .wanted = alone(wanted), .n_held = 2, .held = {gate, alone(held)}};
    struct sm_order_use use = {.thread = thread, .slot = thread, .time = 1};
    return sm_lock_order_add(&order, &shape, &use, count, &cycle) == SM_ORDER_CYCLE;
}

static void test_two(void **state)
{
    (void)state;
    assert_false(closes(1, alone(A), alone(B), 0));
    assert_false(closes(2, alone(A), alone(B), 0)); /* the same order */
    assert_true(closes(2, alone(B), alone(A), 0));
    assert_int_equal(cycle.n, 2);
    assert_int_equal(cycle.steps[0].use->thread, 2);
    assert_int_equal(cycle.steps[1].shape->wanted.key, B);
}

static void test_one_thread(void **state)
{
    (void)state;
    assert_false(closes(1, alone(A), alone(B), 0));
    assert_false(closes(1, alone(B), alone(A), 0));
}

static void test_three(void **state)
{
    (void)state;
    assert_false(closes(1, alone(A), alone(B), 0));
    assert_false(closes(2, alone(B), alone(C), 0));
    assert_false(closes(1, alone(C), alone(A), 0)); /* thread 1 twice */
    assert_true(closes(3, alone(C), alone(A), 0));
    assert_int_equal(cycle.n, 3);
}

static void test_ordered(void **state)
{
    (void)state;
    assert_false(closes(1, alone(A), alone(B), 0));
    assert_false(closes(2, alone(B), alone(A), 1)); /* has seen what thread 1 did */
    assert_true(closes(3, alone(B), alone(A), 0));
}

static void test_gate(void **state)
{
    (void)state;
    assert_false(gated(1, alone(GATE), A, B));
    assert_false(gated(2, alone(GATE), B, A));
    assert_true(closes(3, alone(B), alone(A), 0)); /* does not hold the gate */
}

static void test_shared_gate(void **state)
{
    (void)state;
    assert_false(gated(1, shared(GATE), A, B));
    assert_true(gated(2, shared(GATE), B, A)); /* readers are there together */
}

static void test_readers(void **state)
{
    (void)state;
    assert_false(closes(1, shared(A), shared(B), 0));
    assert_false(closes(2, shared(B), shared(A), 0));
    assert_false(closes(3, shared(B), alone(A), 0)); /* B keeps no reader out */
    assert_true(closes(4, alone(B), alone(A), 0));
}

static void test_room(void **state)
{
    (void)state;
    for (uint32_t thread = 1; thread <= SM_ORDER_USES + 3; thread++)
        assert_false(closes(thread, alone(A), alone(B), 0));
    assert_int_equal(n_replaced, 3);
    for (uint64_t key = 100; key < 100 + SM_ORDER_SHAPES; key++)
        closes(1, alone(key), alone(key + 1), 0);
    struct sm_order_shape shape = {.wanted = alone(1), .n_held = 1, .held = {alone(2)}};
    struct sm_order_use use = {.thread = 1};
    assert_int_equal(sm_lock_order_add(&order, &shape, &use, count, &cycle), SM_ORDER_FULL);
}

/* ---- misuse.h ---- */

enum { NORMAL = 0, RECURSIVE = 1, ERRORCHECK = 2, ADAPTIVE = 3, ROBUST = 16, DESTROYED = -1 };

static void test_mutexes(void **state)
{
    (void)state;
    assert_int_equal(sm_misuse_of_lock(NORMAL, SM_HOLDER_SELF, true), SM_MISUSE_RELOCK);
    assert_int_equal(sm_misuse_of_lock(ADAPTIVE, SM_HOLDER_SELF, true), SM_MISUSE_RELOCK);
    assert_int_equal(sm_misuse_of_lock(NORMAL, SM_HOLDER_SELF, false), SM_MISUSE_NONE);
    assert_int_equal(sm_misuse_of_lock(NORMAL, SM_HOLDER_OTHER, true), SM_MISUSE_NONE);
    assert_int_equal(sm_misuse_of_lock(RECURSIVE, SM_HOLDER_SELF, true), SM_MISUSE_NONE);
    assert_int_equal(sm_misuse_of_lock(ERRORCHECK, SM_HOLDER_SELF, true), SM_MISUSE_NONE);
    assert_int_equal(sm_misuse_of_lock(DESTROYED, SM_HOLDER_NOBODY, true), SM_MISUSE_DESTROYED);
    assert_int_equal(sm_misuse_of_unlock(NORMAL, SM_HOLDER_SELF), SM_MISUSE_NONE);
    assert_int_equal(sm_misuse_of_unlock(NORMAL, SM_HOLDER_NOBODY), SM_MISUSE_UNLOCK_FREE);
    assert_int_equal(sm_misuse_of_unlock(NORMAL, SM_HOLDER_OTHER), SM_MISUSE_UNLOCK_OTHERS);
    assert_int_equal(sm_misuse_of_unlock(ERRORCHECK, SM_HOLDER_OTHER), SM_MISUSE_NONE);
    assert_int_equal(sm_misuse_of_unlock(NORMAL | ROBUST, SM_HOLDER_OTHER), SM_MISUSE_NONE);
    assert_int_equal(sm_misuse_of_destroy(NORMAL, SM_HOLDER_OTHER), SM_MISUSE_DESTROYS_HELD);
    assert_int_equal(sm_misuse_of_destroy(NORMAL | ROBUST, SM_HOLDER_SELF), SM_MISUSE_NONE);
    assert_int_equal(sm_misuse_of_destroy(ERRORCHECK, SM_HOLDER_SELF), SM_MISUSE_NONE);
}

static void test_marks(void **state)
{
    (void)state;
    uint64_t mark = 0x1234; /* whatever was there is no mark */
    assert_int_equal(sm_mark_life(&mark), SM_LIFE_UNKNOWN);
    uint32_t number = sm_mark_number(&mark);
    assert_int_equal(sm_mark_number(&mark), number);
    sm_mark_set_life(&mark, SM_LIFE_DESTROYED);
    assert_int_equal(sm_mark_life(&mark), SM_LIFE_DESTROYED);
    assert_int_not_equal(sm_mark_number(&mark), number);
    assert_int_equal(sm_mark_life(&mark), SM_LIFE_DESTROYED);
    assert_int_equal(sm_mark_life(NULL), SM_LIFE_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_two, begin),
        cmocka_unit_test_setup(test_one_thread, begin),
        cmocka_unit_test_setup(test_three, begin),
        cmocka_unit_test_setup(test_ordered, begin),
        cmocka_unit_test_setup(test_gate, begin),
        cmocka_unit_test_setup(test_shared_gate, begin),
        cmocka_unit_test_setup(test_readers, begin),
        cmocka_unit_test_setup(test_room, begin),
        cmocka_unit_test(test_mutexes),
        cmocka_unit_test(test_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
