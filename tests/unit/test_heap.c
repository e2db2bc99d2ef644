/* heap.h against a model of it: an array of the blocks that live. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../base/random.h"
#include "../../base/sys.h"
#include "../../runtime/heap.h"

/* The only thing the heap needs of the runtime. */
long sm_syscall(long number, ...)
{
    va_list args;
    va_start(args, number);
    long a[6];
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(args, long);
    va_end(args);
    long result = syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    return result == -1 ? -errno : result;
}

static int reset(void **state)
{
    (void)state;
    sm_heap_reset();
    return 0;
}

static void same_calls_same_addresses(void **state)
{
    (void)state;
    enum { N = 2000 };
    static void *first[N], *second[N];
    for (int round = 0; round < 2; round++) {
        void **blocks = round ? second : first;
        struct sm_random random = sm_random_seed(1, 2);
        for (int i = 0; i < N; i++) {
            uint64_t r = sm_random_next(&random);
            blocks[i] = sm_heap_alloc(5, r % (r % 7 ? 500 : 100000), 16);
            /* what another thread allocates makes no difference */
            sm_heap_alloc(6 + (uint32_t)round, r % 300, 16);
            if (r % 3 == 0)
                sm_heap_free(blocks[i]);
        }
        sm_heap_reset();
    }
    assert_memory_equal(first, second, sizeof first);
}

/* Not before the heap has freed 4 MiB more. */
static void freed_blocks_come_back_late(void **state)
{
    (void)state;
    for (size_t size = 1; size < 2000000; size = size * 3 + 1) {
        char *first = sm_heap_alloc(0, size, 16), *next = NULL;
        size_t known;
        uintptr_t start;
        sm_heap_free(first);
        for (size_t freed = 0; freed < 3ul << 20; freed += 2 * size + 32) {
            next = sm_heap_alloc(0, size, 16);
            assert_ptr_not_equal(next, first);
            assert_int_equal(sm_heap_free(next), SM_HEAP_LIVE);
            assert_int_equal(sm_heap_look((uintptr_t)next + size - 1, &start, &known),
                             SM_HEAP_FREED);
            assert_ptr_equal(start, next);
            assert_int_equal(known, size);
        }
        assert_int_equal(sm_heap_free(first), SM_HEAP_FREED);
    }
    for (size_t freed = 0; freed < 1ul << 30; freed += 1000)
        sm_heap_free(sm_heap_alloc(0, 1000, 16)); /* does come back: there is no such room */
}

static void blocks_have_gaps(void **state)
{
    (void)state;
    for (size_t size = 1; size < 300000; size = size * 2 + 3) {
        char *a = sm_heap_alloc(0, size, 16), *b = sm_heap_alloc(0, size, 16);
        uintptr_t start;
        size_t known;
        assert_true(b >= a + size + 16);
        assert_int_equal(sm_heap_look((uintptr_t)a + size, &start, &known), SM_HEAP_LIVE);
        assert_ptr_equal(start, a);
        assert_int_equal(known, size);
    }
}

static void alignment(void **state)
{
    (void)state;
    for (size_t align = 16; align <= 1 << 24; align *= 2)
        for (size_t size = 1; size < 300000; size = size * 5 + 3) {
            void *block = sm_heap_alloc(1, size, align);
            size_t known;
            assert_int_equal((uintptr_t)block % align, 0);
            assert_int_equal(sm_heap_query(block, &known), SM_HEAP_LIVE);
            assert_int_equal(known, size);
            if (size % 2)
                sm_heap_free(block);
        }
}

static void mistakes_are_seen(void **state)
{
    (void)state;
    char *small = sm_heap_alloc(2, 100, 16), *large = sm_heap_alloc(2, 1 << 20, 16);
    int local;
    assert_int_equal(sm_heap_free(small + 16), SM_HEAP_BAD);
    assert_int_equal(sm_heap_free(small + 1), SM_HEAP_BAD);
    assert_int_equal(sm_heap_free(large + 65536), SM_HEAP_BAD);
    assert_int_equal(sm_heap_free(&local), SM_HEAP_BAD);
    assert_int_equal(sm_heap_free(small), SM_HEAP_LIVE);
    assert_int_equal(sm_heap_free(small), SM_HEAP_FREED);
    assert_int_equal(sm_heap_free(large), SM_HEAP_LIVE);
    assert_int_equal(sm_heap_free(large), SM_HEAP_FREED);
    assert_false(sm_heap_owns(&local));
    assert_true(sm_heap_owns(small));
}

static void blocks_are_found_from_inside(void **state)
{
    (void)state;
    for (size_t size = 1; size < 1000000; size = size * 3 + 5) {
        char *block = sm_heap_alloc(3, size, 16);
        uintptr_t start = 0;
        size_t known = 0;
        uint32_t owner = 0;
        for (size_t at = 0; at < size; at += size / 10 + 1) {
            assert_true(sm_heap_block((uintptr_t)block + at, &start, &known, &owner));
            assert_int_equal(start, (uintptr_t)block);
            assert_int_equal(known, size);
            assert_int_equal(owner, 3);
        }
        assert_false(sm_heap_block((uintptr_t)block + size, &start, &known, &owner));
        sm_heap_free(block);
        assert_false(sm_heap_block((uintptr_t)block, &start, &known, &owner));
    }
}

static void zeroed_and_reset_memory_is_zero(void **state)
{
    (void)state;
    for (size_t size = 1; size < 5000000; size = size * 4 + 1) {
        unsigned char *block = sm_heap_alloc(4, size, 16);
        memset(block, 0xaa, size);
        sm_heap_free(block);
        block = sm_heap_alloc_zeroed(4, size);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(block[i], 0);
        memset(block, 0xbb, size);
    }
    sm_heap_reset();
    unsigned char *block = sm_heap_alloc(4, 100000, 16);
    for (size_t i = 0; i < 100000; i++)
        assert_int_equal(block[i], 0);
}

static void too_much_is_refused(void **state)
{
    (void)state;
    assert_null(sm_heap_alloc(7, SIZE_MAX, 16));
    assert_null(sm_heap_alloc(7, 4ul << 30, 16));
    assert_null(sm_heap_alloc(7, 16, 1ul << 40));
    assert_non_null(sm_heap_alloc(7, 16, 16));
}

/* ---- against a model ---- */

enum { SLOTS = 300, STEPS = 200000 };
static struct slot {
    unsigned char *block, mark;
    size_t size;
} slots[SLOTS];

/* Accesses at both ends of the block, and behind it. */
static void check_access(const struct slot *slot, bool lives)
{
    uintptr_t start = (uintptr_t)slot->block, end = start + slot->size;
    if (slot->size) {
        assert_int_equal(sm_heap_has(start, 1), lives);
        assert_int_equal(sm_heap_has(end - 1, 1), lives);
    }
    assert_false(sm_heap_has(end, 1));
    assert_false(sm_heap_has(end - 1, 2));
}

static void check_next(void)
{
    size_t size, n = 0, live = 0;
    for (int i = 0; i < SLOTS; i++)
        live += slots[i].block != NULL;
    for (uintptr_t at = sm_heap_next(0, &size); at; at = sm_heap_next(at + 1, &size))
        n++;
    assert_int_equal(n, live);
}

static void check_and_free(struct slot *slot)
{
    size_t size = 0;
    assert_int_equal(sm_heap_query(slot->block, &size), SM_HEAP_LIVE);
    assert_int_equal(size, slot->size);
    for (size_t i = 0; i < slot->size; i += slot->size / 8 + 1)
        assert_int_equal(slot->block[i], slot->mark);
    check_access(slot, true);
    assert_int_equal(sm_heap_free(slot->block), SM_HEAP_LIVE);
    check_access(slot, false);
    slot->block = NULL;
}

static void fill(struct slot *slot, struct sm_random *random)
{
    uint64_t r = sm_random_next(random);
    slot->size = r % 100 < 80 ? r / 128 % 600 : r % 100 < 98 ? r / 128 % 70000 : r / 128 % 3000000;
    size_t align = (size_t)16 << (r >> 32) % 8;
    slot->block = sm_heap_alloc((uint32_t)(r >> 40) % 3, slot->size, align);
    slot->mark = (unsigned char)r;
    assert_int_equal((uintptr_t)slot->block % align, 0);
    memset(slot->block, slot->mark, slot->size);
}

static void resize(struct slot *slot, struct sm_random *random)
{
    size_t size = slot->size + sm_random_next(random) % 64;
    if (!sm_heap_resize(slot->block, size))
        return;
    memset(slot->block, slot->mark, size);
    slot->size = size;
}

static void blocks_never_overlap(void **state)
{
    (void)state;
    struct sm_random random = sm_random_seed(42, 0);
    for (int step = 0; step < STEPS; step++) {
        struct slot *slot = &slots[sm_random_next(&random) % SLOTS];
        if (!slot->block)
            fill(slot, &random);
        else if (step % 4 == 0)
            resize(slot, &random);
        else
            check_and_free(slot);
        if (step % 1000 == 0)
            check_next();
    }
    for (int i = 0; i < SLOTS; i++)
        if (slots[i].block)
            check_and_free(&slots[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(same_calls_same_addresses, reset),
        cmocka_unit_test_setup(freed_blocks_come_back_late, reset),
        cmocka_unit_test_setup(blocks_have_gaps, reset),
        cmocka_unit_test_setup(alignment, reset),
        cmocka_unit_test_setup(mistakes_are_seen, reset),
        cmocka_unit_test_setup(blocks_are_found_from_inside, reset),
        cmocka_unit_test_setup(zeroed_and_reset_memory_is_zero, reset),
        cmocka_unit_test_setup(too_much_is_refused, reset),
        cmocka_unit_test_setup(blocks_never_overlap, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
