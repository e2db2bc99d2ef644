/* The transition table of each synchronisation object (core/objects): state and operation in, what
   becomes of it and the new state out. */
// clang-format off: cmocka wants these first
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
// clang-format on
#include <cmocka.h>
#include <errno.h>
#include <limits.h>

#include "abi/site.h"
#include "core/objects/objects.h"

enum { UNTOUCHED = 0x5a5a };

struct row {
    enum sm_object_op op;
    uint64_t state, arg;
    enum sm_step step;
    uint64_t next; /* where it takes it */
};

static void check(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t next = UNTOUCHED;
        assert_int_equal(sm_object_step(rows[i].op, rows[i].state, rows[i].arg, &next),
                         rows[i].step);
        assert_int_equal(next, rows[i].step == SM_STEP_TAKES ? rows[i].next : UNTOUCHED);
    }
}
#define CHECK(rows) check(rows, sizeof(rows) / sizeof *(rows))

static void test_locks(void **state)
{
    (void)state;
    static const enum sm_object_op ops[] = {SM_DO_LOCK, SM_DO_SPIN, SM_DO_BLOCK, SM_DO_SHARE};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        const struct row rows[] = {
            {ops[i], SM_OBJECT_FREE, 0, SM_STEP_TAKES, SM_OBJECT_HELD},
            {ops[i], SM_OBJECT_HELD, 0, SM_STEP_WAITS, 0},
        };
        CHECK(rows);
        assert_int_equal(sm_object_rules[ops[i]].order, SM_ORDER_ACQUIRE);
    }
}

static void test_mutex_relock(void **state)
{
    (void)state;
    uint32_t depth = 1;
    assert_int_equal(sm_mutex_relock(SM_MUTEX_NORMAL, &depth), SM_STEP_WAITS);
    assert_int_equal(sm_mutex_relock(SM_MUTEX_ERRORCHECK, &depth), SM_STEP_FAILS);
    assert_int_equal(depth, 1);
    assert_int_equal(sm_mutex_relock(SM_MUTEX_RECURSIVE, &depth), SM_STEP_TAKES);
    assert_int_equal(depth, 2);
    depth = UINT32_MAX;
    assert_int_equal(sm_mutex_relock(SM_MUTEX_RECURSIVE, &depth), SM_STEP_FAILS);
    assert_int_equal(depth, UINT32_MAX);
    assert_int_equal(sm_mutex_relock_error(SM_MUTEX_RECURSIVE, false), EAGAIN);
    assert_int_equal(sm_mutex_relock_error(SM_MUTEX_ERRORCHECK, false), EDEADLK);
    assert_int_equal(sm_mutex_relock_error(SM_MUTEX_ERRORCHECK, true), EBUSY);
}

static void test_mutex_unlock(void **state)
{
    (void)state;
    uint32_t depth = 2;
    assert_int_equal(sm_mutex_unlock_step(SM_MUTEX_RECURSIVE, &depth), SM_STEP_PASSES);
    assert_int_equal(sm_mutex_unlock_step(SM_MUTEX_RECURSIVE, &depth), SM_STEP_TAKES);
    assert_int_equal(sm_mutex_unlock_step(SM_MUTEX_RECURSIVE, &depth), SM_STEP_FAILS);
    assert_int_equal(sm_mutex_unlock_step(SM_MUTEX_ERRORCHECK, &depth), SM_STEP_FAILS);
    assert_int_equal(sm_mutex_unlock_step(SM_MUTEX_NORMAL, &depth), SM_STEP_TAKES);
    assert_int_equal(depth, 0);
}

static void test_rwlock(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {SM_DO_READ_LOCK, SM_OBJECT_FREE, 0, SM_STEP_TAKES, 1},
        {SM_DO_READ_LOCK, 3, 0, SM_STEP_TAKES, 4},
        {SM_DO_READ_LOCK, 3, 1, SM_STEP_WAITS, 0}, /* a writer goes first */
        {SM_DO_READ_LOCK, UINT32_MAX, 0, SM_STEP_FAILS, 0},
        {SM_DO_READ_LOCK, SM_OBJECT_WRITER, 0, SM_STEP_WAITS, 0},
        {SM_DO_READ_UNLOCK, 2, 0, SM_STEP_TAKES, 1},
        {SM_DO_READ_UNLOCK, 1, 0, SM_STEP_TAKES, SM_OBJECT_FREE},
        {SM_DO_READ_UNLOCK, SM_OBJECT_FREE, 0, SM_STEP_FAILS, 0},
        {SM_DO_READ_UNLOCK, SM_OBJECT_WRITER, 0, SM_STEP_FAILS, 0},
        {SM_DO_WRITE_LOCK, SM_OBJECT_FREE, 0, SM_STEP_TAKES, SM_OBJECT_WRITER},
        {SM_DO_WRITE_LOCK, 1, 0, SM_STEP_WAITS, 0},
        {SM_DO_WRITE_LOCK, SM_OBJECT_WRITER, 0, SM_STEP_WAITS, 0},
    };
    CHECK(rows);
    /* Readers are not ordered among themselves. */
    assert_int_equal(sm_object_rules[SM_DO_READ_LOCK].order, SM_ORDER_RELAXED);
    assert_int_equal(sm_object_rules[SM_DO_READ_UNLOCK].order, SM_ORDER_RELEASE);
    assert_int_equal(sm_object_rules[SM_DO_WRITE_LOCK].order, SM_ORDER_ACQUIRE);
}

static void test_semaphore(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {SM_DO_SEM_WAIT, 0, 0, SM_STEP_WAITS, 0},
        {SM_DO_SEM_WAIT, 2, 0, SM_STEP_TAKES, 1},
        {SM_DO_SEM_POST, 0, 0, SM_STEP_TAKES, 1},
        {SM_DO_SEM_POST, SEM_VALUE_MAX, 0, SM_STEP_FAILS, 0},
        {SM_DO_SEM_VALUE, 2, 0, SM_STEP_PASSES, 0},
    };
    CHECK(rows);
    assert_int_equal(sm_object_told(SM_DO_SEM_VALUE, SM_STEP_PASSES, 5, 0), 5);
    assert_int_equal(sm_object_rules[SM_DO_SEM_WAIT].order, SM_ORDER_ACQUIRE);
    assert_int_equal(sm_object_rules[SM_DO_SEM_POST].order, SM_ORDER_RELEASE);
}

static void test_once(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {SM_DO_ONCE, SM_ONCE_NEW, 0, SM_STEP_TAKES, SM_ONCE_RUNNING},
        {SM_DO_ONCE, SM_ONCE_RUNNING, 0, SM_STEP_WAITS, 0},
        {SM_DO_ONCE, SM_ONCE_DONE, 0, SM_STEP_PASSES, 0},
    };
    CHECK(rows);
    assert_int_equal(sm_object_rules[SM_DO_ONCE].order, SM_ORDER_ACQUIRE);
}

static uint64_t cond(uint32_t waiting, uint32_t woken)
{
    return waiting | (uint64_t)woken << 32;
}

static void test_condition(void **state)
{
    (void)state;
    const struct row rows[] = {
        {SM_DO_COND_ENTER, cond(0, 0), 2, SM_STEP_TAKES, cond(4, 0)},
        {SM_DO_COND_ENTER, cond(1, 4), 2, SM_STEP_TAKES, cond(5, 0)},
        {SM_DO_COND_LEAVE, cond(4, 1), 2, SM_STEP_WAITS, 0},
        {SM_DO_COND_LEAVE, cond(1, 6), 2, SM_STEP_TAKES, cond(1, 2)},
        {SM_DO_COND_LEAVE_TIMED, cond(5, 0), 2, SM_STEP_TAKES, cond(1, 0)},
        {SM_DO_COND_LEAVE_TIMED, cond(1, 4), 2, SM_STEP_TAKES, cond(1, 4)},
        {SM_DO_COND_SIGNAL, cond(0, 0), 0, SM_STEP_PASSES, 0},
        {SM_DO_COND_SIGNAL, cond(4, 0), 0, SM_STEP_WAITS, 0},
        {SM_DO_COND_SIGNAL, cond(5, 0), 3, SM_STEP_TAKES, cond(1, 4)},
        {SM_DO_COND_SIGNAL, cond(1, 4), 3, SM_STEP_WAITS, 0},
        {SM_DO_COND_BROADCAST, cond(0, 4), 0, SM_STEP_PASSES, 0},
        {SM_DO_COND_BROADCAST, cond(5, 8), 0, SM_STEP_TAKES, cond(0, 13)},
        {SM_DO_COND_DESTROY, cond(0, 4), 0, SM_STEP_PASSES, 0},
        {SM_DO_COND_DESTROY, cond(4, 0), 0, SM_STEP_WAITS, 0},
    };
    CHECK(rows);
    assert_true(sm_cond_is_woken(cond(0, 4), 2));
    assert_false(sm_cond_is_woken(cond(4, 0), 2));
    assert_int_equal(sm_object_told(SM_DO_COND_LEAVE_TIMED, SM_STEP_TAKES, cond(0, 4), 2), 1);
    assert_int_equal(sm_object_told(SM_DO_COND_LEAVE_TIMED, SM_STEP_TAKES, cond(4, 0), 2), 0);
    assert_int_equal(sm_object_candidates(SM_DO_COND_SIGNAL, cond(5, 2), 0), 5);
    assert_int_equal(sm_object_pick(SM_DO_COND_SIGNAL, 0, 3), 3);
}

static void test_barrier(void **state)
{
    (void)state;
    uint64_t barrier = 0, arg;
    for (uint32_t thread = 0; thread < 3; thread++) {
        uint64_t depart = UNTOUCHED;
        assert_int_equal(sm_object_step(SM_DO_BARRIER_DEPART, barrier, 0, &depart), SM_STEP_WAITS);
        arg = sm_barrier_argument(thread, 3);
        assert_int_equal(sm_object_candidates(SM_DO_BARRIER_ARRIVE, barrier, arg),
                         thread == 2 ? 7 : 0);
        if (thread == 2)
            arg = sm_object_pick(SM_DO_BARRIER_ARRIVE, arg, 2); /* thread 1 is the serial one */
        assert_int_equal(sm_object_step(SM_DO_BARRIER_ARRIVE, barrier, arg, &barrier),
                         SM_STEP_TAKES);
    }
    for (uint32_t thread = 0; thread < 3; thread++) {
        assert_int_equal(sm_object_told(SM_DO_BARRIER_DEPART, SM_STEP_TAKES, barrier, thread),
                         thread == 1);
        assert_int_equal(sm_object_step(SM_DO_BARRIER_DEPART, barrier, thread, &barrier),
                         SM_STEP_TAKES);
        assert_int_equal(sm_object_step(SM_DO_BARRIER_DEPART, barrier, thread, &barrier),
                         SM_STEP_WAITS);
    }
    assert_int_equal(barrier, 0);
}

/* The barrier that counts opens at the same arrivals as the one that knows its threads. */
static void test_barriers_agree(void **state)
{
    (void)state;
    for (uint32_t needed = 1; needed <= 16; needed++) {
        uint64_t counted = 0, known = 0;
        for (uint32_t i = 0; i < 3 * needed; i++) {
            uint32_t thread = i % needed;
            uint64_t arg = sm_barrier_argument(thread, needed);
            bool last = sm_object_candidates(SM_DO_BARRIER_ARRIVE, known, arg) != 0;
            arg = last ? sm_object_pick(SM_DO_BARRIER_ARRIVE, arg, 1) : arg;
            sm_object_step(SM_DO_BARRIER_ARRIVE, known, arg, &known);
            assert_int_equal(sm_barrier_is_full(&counted, needed), last);
            assert_int_equal(last, thread == needed - 1);
            for (uint32_t t = 0; last && t < needed; t++)
                sm_object_step(SM_DO_BARRIER_DEPART, known, t, &known);
        }
    }
}

/* What other threads may wait for, and operations of which one undoes what the other needs. */
static void test_kinds_of_operations(void **state)
{
    (void)state;
    for (int op = SM_DO_NOTHING; op < SM_OBJECT_OPS; op++) {
        bool gives = op == SM_DO_NOTHING || op == SM_DO_SEM_POST || op == SM_DO_READ_UNLOCK;
        assert_int_equal(sm_object_gives(op), gives);
        assert_int_equal(sm_object_excludes(op), op > SM_DO_NOTHING && op <= SM_DO_ONCE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_locks),          cmocka_unit_test(test_mutex_relock),
        cmocka_unit_test(test_mutex_unlock),   cmocka_unit_test(test_rwlock),
        cmocka_unit_test(test_semaphore),      cmocka_unit_test(test_once),
        cmocka_unit_test(test_condition),      cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_barriers_agree), cmocka_unit_test(test_kinds_of_operations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
