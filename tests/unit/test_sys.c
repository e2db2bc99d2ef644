/* sys.h: formatting against libc's, the allocator, and going back to a saved state. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/random.h"
#include "../../base/sys.h"

#define assert_same_format(...)                                                                    \
    do {                                                                                           \
        char ours[256], theirs[256];                                                               \
        size_t n = sm_format(ours, sizeof ours, __VA_ARGS__);                                      \
        assert_int_equal(n, (size_t)snprintf(theirs, sizeof theirs, __VA_ARGS__));                 \
        assert_string_equal(ours, theirs);                                                         \
    } while (0)

static void formats_like_libc(void **state)
{
    (void)state;
    assert_same_format("plain %% text");
    assert_same_format("%s|%8s|%-8s|%.*s", "abc", "abc", "abc", 2, "abc");
    assert_same_format("%d %d %d %d", 0, -1, 2147483647, (int)-2147483648);
    assert_same_format("%ld %lu %lx", -9223372036854775807L, 18446744073709551615UL, 0xdeadbeefUL);
    assert_same_format("%u %x %5u %05u %08lx", 7u, 255u, 42u, 42u, 0x1234ul);
    assert_same_format("%zu %c %p", (size_t)12, 'x', (void *)0x1000);
}

static void never_writes_past_the_end(void **state)
{
    (void)state;
    char small[8];
    memset(small, '#', sizeof small);
    assert_int_equal(sm_format(small, 4, "%s", "abcdef"), 3);
    assert_string_equal(small, "abc");
    assert_int_equal(small[4], '#');
}

static void blocks_are_zeroed_and_apart(void **state)
{
    (void)state;
    enum { N = 500 };
    static char *blocks[N];
    static size_t sizes[N];
    struct sm_random random = sm_random_seed(1, 1);
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < N; i++) {
            sizes[i] = 1 + sm_random_next(&random) % 3000;
            blocks[i] = sm_alloc(sizes[i]);
            for (size_t k = 0; k < sizes[i]; k++)
                assert_int_equal(blocks[i][k], 0);
            memset(blocks[i], i & 0x7f, sizes[i]);
        }
        for (int i = 0; i < N; i++) {
            for (size_t k = 0; k < sizes[i]; k++)
                assert_int_equal(blocks[i][k], i & 0x7f);
            sm_free(blocks[i], sizes[i]);
        }
    }
}

static void restoring_takes_back_what_came_since(void **state)
{
    (void)state;
    char *before = sm_alloc(100);
    memset(before, 1, 100);
    struct sm_alloc_state saved = sm_alloc_save();
    char *first = sm_alloc(5000);
    memset(first, 2, 5000);
    struct sm_alloc_state now = sm_alloc_save();
    sm_alloc_restore(&saved, &now);
    char *again = sm_alloc(5000);
    assert_ptr_equal(again, first);
    for (int i = 0; i < 5000; i++)
        assert_int_equal(again[i], 0);
    assert_int_equal(before[99], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_like_libc),
        cmocka_unit_test(never_writes_past_the_end),
        cmocka_unit_test(blocks_are_zeroed_and_apart),
        cmocka_unit_test(restoring_takes_back_what_came_since),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
