/* A thread's history: stacks, locks and accesses read off it, also when its ring has gone round. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../../abi/site.h"
#include "../../native/history.h"
#include "../../native/paths.h"

enum { LOCK_A = 0x100, LOCK_B = 0x200, PLACE = 0x1000 };

static const struct sm_site main_calls = {.function = "main"}, run_calls = {.function = "run"},
                            leaf_calls = {.function = "leaf"},
                            store = {.function = "store", .kind = SM_SITE_STORE, .size = 4},
                            load = {.function = "load", .kind = SM_SITE_LOAD, .size = 4};

static int make(void **state)
{
    *state = calloc(1, sizeof(struct sm_call_history));
    sm_history_add(*state, SM_HISTORY_EPOCH, 1, NULL);
    return *state ? 0 : -1;
}

static int drop(void **state)
{
    free(*state);
    return 0;
}

static void expect_trail(const struct sm_call_history *history, uint64_t position, unsigned n,
                         const struct sm_site *const *frames)
{
    struct sm_trail trail;
    sm_history_trail(history, position, &trail);
    assert_int_equal(trail.n, n);
    for (unsigned i = 0; i < n; i++)
        assert_ptr_equal(trail.frames[i], frames[i]);
}

static void test_trail(void **state)
{
    struct sm_call_history *history = *state;
    sm_history_push(history, SM_HISTORY_CALL, 900, &main_calls);
    sm_history_push(history, SM_HISTORY_CALL, 800, &run_calls);
    sm_history_add(history, SM_HISTORY_ACCESS, PLACE, &store);
    uint64_t inside = history->n - 1;
    sm_history_return(history, 800, &run_calls);
    expect_trail(history, history->n, 1, (const struct sm_site *[]){&main_calls});
    expect_trail(history, inside, 2, (const struct sm_site *[]){&run_calls, &main_calls});
}

/* An exception has left two frames: the next event of the frame that caught it shows that. */
static void test_frames_left(void **state)
{
    struct sm_call_history *history = *state;
    sm_history_push(history, SM_HISTORY_CALL, 900, &main_calls);
    sm_history_push(history, SM_HISTORY_CALL, 800, &run_calls);
    sm_history_push(history, SM_HISTORY_CALL, 700, &leaf_calls);
    sm_history_return(history, 900, &main_calls);
    expect_trail(history, history->n, 0, NULL);
}

static void test_taken_back(void **state)
{
    struct sm_call_history *history = *state;
    uint64_t before = history->n;
    for (int i = 0; i < 100; i++) {
        sm_history_push(history, SM_HISTORY_CALL, 900, &main_calls);
        sm_history_return(history, 900, &main_calls);
    }
    assert_int_equal(history->n, before);
    sm_history_push(history, SM_HISTORY_CALL, 900, &main_calls);
    sm_history_add(history, SM_HISTORY_ACCESS, PLACE, &store);
    sm_history_return(history, 900, &main_calls);
    assert_int_equal(history->n, before + 3);
}

/* The calls at the bottom of the stack have long been overwritten. */
static void test_kept(void **state)
{
    struct sm_call_history *history = *state;
    sm_history_push(history, SM_HISTORY_CALL, 900, &main_calls);
    sm_history_lock(history, LOCK_A, SM_HOLD_MUTEX);
    sm_history_lock(history, LOCK_B, SM_HOLD_MUTEX);
    for (unsigned i = 0; i < 3 * SM_HISTORY_EVENTS; i++) {
        if (i == SM_HISTORY_EVENTS)
            sm_history_push(history, SM_HISTORY_CALL, 800, &run_calls);
        sm_history_push(history, SM_HISTORY_CALL, 700, &leaf_calls);
        sm_history_add(history, SM_HISTORY_ACCESS, PLACE + 8 * i, &store);
        sm_history_return(history, 700, &leaf_calls);
    }
    expect_trail(history, history->n, 2, (const struct sm_site *[]){&run_calls, &main_calls});
    expect_trail(history, history->n - 2, 3,
                 (const struct sm_site *[]){&leaf_calls, &run_calls, &main_calls});
    sm_history_return(history, 800, &run_calls);
    expect_trail(history, history->n, 1, (const struct sm_site *[]){&main_calls});
    struct sm_locks locks;
    sm_history_unlock(history, LOCK_B);
    sm_history_locks(history, history->n, &locks);
    assert_int_equal(locks.n, 1);
    assert_int_equal(locks.held[0].addr, LOCK_A);
}

static void test_locks(void **state)
{
    struct sm_call_history *history = *state;
    struct sm_locks locks;
    sm_history_push(history, SM_HISTORY_CALL, 900, &main_calls);
    sm_history_lock(history, LOCK_A, SM_HOLD_MUTEX);
    sm_history_return(history, 900, &main_calls);
    sm_history_lock(history, LOCK_B, SM_HOLD_MUTEX);
    uint64_t both = history->n;
    sm_history_unlock(history, LOCK_B);
    sm_history_locks(history, history->n, &locks);
    assert_int_equal(locks.n, 1);
    assert_int_equal(locks.held[0].addr, LOCK_A);
    assert_ptr_equal(locks.held[0].taken, &main_calls);
    sm_history_locks(history, both, &locks);
    assert_int_equal(locks.n, 2);
    assert_int_equal(locks.held[0].addr, LOCK_B);
    assert_null(locks.held[0].taken);
}

static void expect_found(const struct sm_call_history *history, uint32_t epoch, uintptr_t addr,
                         bool write, const struct sm_site *expected)
{
    uint64_t position;
    const struct sm_site *site = NULL;
    assert_int_equal(sm_history_find(history, epoch, addr, 4, write, &position, &site),
                     expected != NULL);
    if (expected)
        assert_ptr_equal(site, expected);
}

static void test_find(void **state)
{
    struct sm_call_history *history = *state;
    sm_history_add(history, SM_HISTORY_ACCESS, PLACE, &store);
    sm_history_add(history, SM_HISTORY_EPOCH, 2, NULL);
    sm_history_add(history, SM_HISTORY_ACCESS, PLACE, &load);
    sm_history_add(history, SM_HISTORY_EPOCH, 3, NULL);
    expect_found(history, 1, PLACE, true, &store);
    expect_found(history, 1, PLACE, false, &store);
    expect_found(history, 2, PLACE, false, &load);
    expect_found(history, 2, PLACE, true, NULL); /* it only read */
    expect_found(history, 3, PLACE, false, NULL);
    expect_found(history, 1, PLACE + 4, true, NULL);
}

static void test_find_ranges(void **state)
{
    struct sm_call_history *history = *state;
    struct sm_words *words = malloc(sizeof *words + 2 * sizeof words->sites[0]);
    words->n = 2;
    words->step = 24;
    words->sites[0] = &store;
    words->sites[1] = &load;
    sm_history_add(history, SM_HISTORY_RANGE, PLACE, &store);
    sm_history_add(history, SM_HISTORY_LENGTH, 100, NULL);
    sm_history_push_words(history, 2 * PLACE, words);
    sm_history_add(history, SM_HISTORY_STRIPES, 3 * PLACE, (const struct sm_site *)(void *)words);
    sm_history_add(history, SM_HISTORY_LENGTH, 2 * 24 + 16, NULL);
    expect_found(history, 1, PLACE + 96, true, &store);
    expect_found(history, 1, PLACE + 100, true, NULL);
    expect_found(history, 1, 2 * PLACE + 8, false, &load);
    expect_found(history, 1, 2 * PLACE + 8, true, NULL);
    expect_found(history, 1, 3 * PLACE + 24, true, &store);
    expect_found(history, 1, 3 * PLACE + 48 + 8, false, &load);
    expect_found(history, 1, 3 * PLACE + 24 + 16, false, NULL); /* between two stripes */
    expect_found(history, 1, 3 * PLACE + 72, false, NULL);
    free(words);
}

static void test_too_old(void **state)
{
    struct sm_call_history *history = *state;
    sm_history_add(history, SM_HISTORY_ACCESS, PLACE, &store);
    for (unsigned i = 0; i < SM_HISTORY_EVENTS; i++)
        sm_history_add(history, SM_HISTORY_EPOCH, 2 + i, NULL);
    expect_found(history, 1, PLACE, true, NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, drop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_trail), TEST(test_frames_left), TEST(test_taken_back),  TEST(test_kept),
        TEST(test_locks), TEST(test_find),        TEST(test_find_ranges), TEST(test_too_old)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
