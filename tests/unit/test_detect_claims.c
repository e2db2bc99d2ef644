/*
 * Ranges that are marked by ordinary stores (native/claim.h) beside single accesses of another
 * kernel thread: whatever comes between, no race is lost. In each round one thread goes over fresh
 * memory by range while the other accesses some of its words; nothing orders them, so each of those
 * words has a race, which one of the two must find. The threads have the same lane, or not.
 */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../abi/site.h"
#include "../../native/claim.h"
#include "../../native/counters.h"
#include "../../native/paths.h"
#include "../../native/report.h"
#include "../../native/shadow.h"
#include "../../native/window.h"
#include "../../plugin/fast/detect_paths.c"

enum { WORDS = 256, TOUCHED = 8, ROUNDS = 8000 };

uint64_t sm_counts[SM_DETECT_COUNTERS];

void sm_reports_lock(void) {}

void sm_reports_unlock(void) {}

static _Alignas(64) uint64_t memory[ROUNDS][WORDS];
static bool raced[ROUNDS][WORDS];

void sm_race_found(const struct sm_collision *race)
{
    uintptr_t word = (race->addr - (uintptr_t)memory) / 8;
    assert_true(word < ROUNDS * WORDS);
    __atomic_store_n(&raced[word / WORDS][word % WORDS], true, __ATOMIC_RELAXED);
}

static struct sm_site read_site = {.kind = SM_SITE_LOAD, .size = 8};
static struct sm_site write_site = {.kind = SM_SITE_STORE, .size = 8};
static struct sm_site half_site = {.kind = SM_SITE_STORE, .size = 4};

static unsigned next_random(uint64_t *state, unsigned n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((*state >> 33) % n);
}

/* ---- the two threads ---- */

/* Spins, so that both begin at once; the detector does not see it. */
static unsigned arrived;

static void meet(unsigned *times)
{
    *times += 2;
    __atomic_fetch_add(&arrived, 1, __ATOMIC_SEQ_CST);
    for (unsigned i = 1; __atomic_load_n(&arrived, __ATOMIC_SEQ_CST) < *times; i++)
        if (i % 1024 == 0)
            sched_yield();
}

static void go_over(unsigned round, bool write)
{
    if (write)
        sm_write_range((uintptr_t)memory[round], WORDS, 8, &write_site);
    else
        sm_read_range((uintptr_t)memory[round], WORDS, 8, &read_site);
}

/* What the range finds: nothing, the thread's own marks, or also marks that it has seen. */
static void prepare(struct sm_detect_thread *thread, unsigned round)
{
    if (round % 3 > 0) {
        go_over(round, true);
        sm_epoch_advance(thread);
    }
    if (round % 3 > 1) {
        go_over(round, false);
        sm_epoch_advance(thread);
    }
}

static void *by_range(void *argument)
{
    struct sm_detect_thread *thread = argument;
    unsigned times = 0;
    sm_thread_enter(thread);
    for (unsigned round = 0; round < ROUNDS; round++) {
        prepare(thread, round);
        meet(&times);
        go_over(round, round % 4 != 0);
        meet(&times);
    }
    return NULL;
}

static unsigned touched(unsigned round, unsigned i)
{
    return (i * 29 + round) % WORDS;
}

static void touch(unsigned round, unsigned i, unsigned how)
{
    uintptr_t addr = (uintptr_t)&memory[round][touched(round, i)];
    if (how == 0)
        sm_inline_read8(addr, &read_site);
    else if (how == 1)
        sm_inline_write8(addr, &write_site);
    else if (how == 2)
        sm_inline_write4(addr + 4, &half_site);
    else
        sm_check(addr, 8, SM_ACCESS_WRITE | SM_ACCESS_ATOMIC, &write_site);
}

static void *one_by_one(void *argument)
{
    uint64_t state = 1;
    unsigned times = 0;
    sm_thread_enter(argument);
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned delay = next_random(&state, 100);
        meet(&times);
        for (volatile unsigned i = 0; i < delay; i++)
            ;
        for (unsigned i = 0; i < TOUCHED; i++)
            touch(round, i, round % 4 == 0 ? 1 + next_random(&state, 3) : next_random(&state, 4));
        meet(&times);
    }
    return NULL;
}

/* ---- one claimed granule ---- */

static struct sm_detect_thread *threads[SM_MARKS + 1];

/* The claimant has looked at an empty granule; it stores its mark when the other has changed it. */
struct claimant {
    struct sm_cell *cell;
    unsigned lane;
    uint32_t mark;
};

static void *store_late(void *argument)
{
    const struct claimant *claimant = argument;
    struct sm_cell seen;
    do {
        sched_yield();
        seen = sm_cell_load(claimant->cell);
    } while (!(seen.half[0] | seen.half[1]));
    __atomic_store_n(&claimant->cell->mark[claimant->lane], claimant->mark, __ATOMIC_RELAXED);
    sm_claim_end(claimant->lane);
    return NULL;
}

/* Does the access of the other thread find the claimant's, which never finds its? */
static bool finds_claimant(struct sm_detect_thread *one, struct sm_detect_thread *other,
                           unsigned how)
{
    pthread_t handle;
    uintptr_t addr = (uintptr_t)&memory[0][touched(0, 0)];
    struct claimant claimant = {.cell = sm_cell_of(addr)};
    sm_shadow_clear(addr, 8);
    raced[0][touched(0, 0)] = false;
    sm_thread_enter(one);
    claimant.lane = sm_own.lane;
    claimant.mark = sm_mark_of(sm_own.epoch, true, SM_MARK_BYTES);
    assert_true(sm_claim_begin(claimant.lane, claimant.cell, claimant.cell));
    sm_thread_enter(other);
    assert_int_equal(pthread_create(&handle, NULL, store_late, &claimant), 0);
    touch(0, 0, how);
    pthread_join(handle, NULL);
    return raced[0][touched(0, 0)];
}

static void test_claimed_granule(void **state)
{
    (void)state;
    for (unsigned how = 0; how < 4; how++) {
        assert_true(finds_claimant(threads[0], threads[1], how));
        assert_true(finds_claimant(threads[1], threads[0], how));
        assert_true(finds_claimant(threads[0], threads[SM_MARKS], how));
    }
}

/* A claim on the line before is nobody's business. */
static void test_other_lines(void **state)
{
    (void)state;
    struct sm_cell *cell = sm_cell_of((uintptr_t)&memory[0][8]);
    assert_true(sm_claim_begin(0, cell - 16, cell - 1));
    assert_false(sm_is_claimed(cell));
    assert_true(sm_is_claimed(cell - 1));
    assert_true(sm_claim_begin(1, cell, cell));
    assert_true(sm_is_claimed(cell + 7));
    assert_false(sm_is_claimed(cell + 8));
    sm_claim_end(0);
    sm_claim_end(1);
    assert_false(sm_is_claimed(cell));
}

/* A thread that is stopped between its mark and this question, while a claimant overwrites the mark
   and ends the claim, must hear of it. */
static void test_claims_that_have_ended(void **state)
{
    (void)state;
    struct sm_cell *cell = sm_cell_of((uintptr_t)&memory[0][8]);
    uint64_t before = sm_claims_load();
    assert_false(sm_was_claimed(cell, before));
    assert_true(sm_claim_begin(2, cell, cell));
    assert_true(sm_was_claimed(cell, before));
    uint64_t during = sm_claims_load();
    assert_true(sm_was_claimed(cell, during));
    assert_false(sm_was_claimed(cell + 8, during)); /* a claim elsewhere, and still there */
    sm_claim_end(2);
    assert_true(sm_was_claimed(cell, before));
    assert_true(sm_was_claimed(cell, during));
    assert_false(sm_was_claimed(cell, sm_claims_load()));
}

/* A claim that another thread has cancelled ends a second time. */
static void test_claim_ended_twice(void **state)
{
    (void)state;
    struct sm_cell *cell = sm_cell_of((uintptr_t)&memory[0][8]);
    assert_true(sm_claim_begin(2, cell, cell));
    sm_claim_end(2);
    sm_claim_end(2);
    assert_false(sm_is_claimed(cell));
    assert_false(sm_claims_load() & SM_CLAIMS_ACTIVE);
}

/* ---- claims that compete ---- */

/* In each round two lanes claim the same granule once, at about the same time, and then leave it.
   One that has found the other's claim must not wait when the claim is over and the lane empty. */
static void *claim_in_rounds(void *argument)
{
    const unsigned *lane = argument;
    struct sm_cell *cell = sm_cell_of((uintptr_t)&memory[0][8]);
    uint64_t state = *lane;
    unsigned times = 0;
    for (unsigned round = 0; round < 25 * ROUNDS; round++) {
        meet(&times);
        for (volatile unsigned i = next_random(&state, 20); i > 0; i--)
            ;
        if (sm_claim_begin(*lane, cell, cell))
            sm_claim_end(*lane);
    }
    return NULL;
}

static void test_claims_that_are_over(void **state)
{
    (void)state;
    pthread_t handles[2];
    unsigned lanes[] = {0, 1};
    arrived = 0;
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&handles[i], NULL, claim_in_rounds, &lanes[i]), 0);
    for (unsigned i = 0; i < 2; i++)
        pthread_join(handles[i], NULL);
}

/* ---- many ranges ---- */

static int start(void **state)
{
    (void)state;
    sm_shadow_map();
    sm_window_init();
    for (unsigned i = 0; i <= SM_MARKS; i++)
        threads[i] = sm_thread_new(NULL);
    return 0;
}

static unsigned lost(void)
{
    unsigned n = 0;
    for (unsigned round = 0; round < ROUNDS; round++)
        for (unsigned i = 0; i < TOUCHED; i++)
            n += !raced[round][touched(round, i)];
    return n;
}

static void check_lanes(struct sm_detect_thread *one, struct sm_detect_thread *other)
{
    pthread_t handles[2];
    memset(raced, 0, sizeof raced);
    arrived = 0;
    sm_shadow_clear((uintptr_t)memory, sizeof memory);
    assert_int_equal(pthread_create(&handles[0], NULL, by_range, one), 0);
    assert_int_equal(pthread_create(&handles[1], NULL, one_by_one, other), 0);
    pthread_join(handles[0], NULL);
    pthread_join(handles[1], NULL);
    assert_int_equal(lost(), 0);
}

static void test_two_lanes(void **state)
{
    (void)state;
    check_lanes(threads[0], threads[1]);
}

static void test_one_lane(void **state)
{
    (void)state;
    assert_int_equal(sm_lane_of(threads[0]->slot), sm_lane_of(threads[SM_MARKS - 1]->slot));
    check_lanes(threads[0], threads[SM_MARKS - 1]);
}

/* ---- ordinary stores at the same moment ----
 * Each of two threads may miss the mark of the other (native/marks.h). Both marks stay, so the next
 * access of one of them in another epoch finds the race. */

static unsigned missed; /* at the first access; by how much depends on the machine */

static void *write_twice(void *argument)
{
    struct sm_detect_thread *thread = argument;
    unsigned times = 0;
    sm_thread_enter(thread);
    sm_own.exact = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        meet(&times);
        sm_inline_write8((uintptr_t)&memory[round][0], &write_site);
        meet(&times);
        if (thread != threads[0])
            continue;
        missed += !__atomic_load_n(&raced[round][0], __ATOMIC_RELAXED);
        sm_epoch_advance(thread);
        sm_inline_write8((uintptr_t)&memory[round][0], &write_site);
    }
    return NULL;
}

static void test_same_moment(void **state)
{
    (void)state;
    pthread_t handles[2];
    unsigned lost = 0;
    memset(raced, 0, sizeof raced);
    arrived = missed = 0;
    sm_shadow_clear((uintptr_t)memory, sizeof memory);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&handles[i], NULL, write_twice, threads[i]), 0);
    for (unsigned i = 0; i < 2; i++)
        pthread_join(handles[i], NULL);
    for (unsigned round = 0; round < ROUNDS; round++)
        lost += !raced[round][0];
    print_message("missed at first: %u of %u\n", missed, ROUNDS);
    assert_int_equal(lost, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_other_lines),
                                       cmocka_unit_test(test_claimed_granule),
                                       cmocka_unit_test(test_claims_that_have_ended),
                                       cmocka_unit_test(test_claim_ended_twice),
                                       cmocka_unit_test(test_claims_that_are_over),
                                       cmocka_unit_test(test_two_lanes),
                                       cmocka_unit_test(test_one_lane),
                                       cmocka_unit_test(test_same_moment)};
    return cmocka_run_group_tests(tests, start, NULL);
}
