/* table.h: what was put in is found, also after growing; clearing empties. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "../../base/sys.h"
#include "../../base/table.h"

void *sm_alloc(size_t size)
{
    return calloc(1, size);
}

void sm_free(void *block, size_t size)
{
    (void)size;
    free(block);
}

static void finds_what_was_put_in(void **state)
{
    (void)state;
    enum { N = 5000 };
    struct sm_table table = {0};
    assert_null(sm_table_get(&table, 8));
    for (uintptr_t i = 1; i <= N; i++) {
        void **place = sm_table_at(&table, i * 4096);
        assert_null(*place);
        *place = (void *)i;
    }
    for (uintptr_t i = 1; i <= N; i++) {
        assert_ptr_equal(sm_table_get(&table, i * 4096), (void *)i);
        assert_ptr_equal(*sm_table_at(&table, i * 4096), (void *)i);
        assert_null(sm_table_get(&table, i * 4096 + 1));
    }
    assert_int_equal(table.n, N);
    sm_table_clear(&table);
    assert_null(sm_table_get(&table, 4096));
}

/* Keys close to each other collide in a small table: those that are left are found. */
static void others_stay_when_one_is_taken(void **state)
{
    (void)state;
    enum { KEYS = 700, ROUNDS = 20000 };
    struct sm_table table = {0};
    uintptr_t values[KEYS + 1] = {0}, seed = 1;
    for (uintptr_t round = 1; round <= ROUNDS; round++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uintptr_t key = 1 + (seed >> 33) % KEYS;
        if (seed >> 62) {
            values[key] = round;
            *sm_table_at(&table, key << 4) = (void *)round;
        } else {
            assert_ptr_equal(sm_table_take(&table, key << 4), (void *)values[key]);
            values[key] = 0;
        }
        size_t n = 0;
        for (uintptr_t k = 1; k <= KEYS && round % 97 == 0; k++) {
            assert_ptr_equal(sm_table_get(&table, k << 4), (void *)values[k]);
            n += values[k] != 0;
        }
        assert_true(round % 97 || table.n == n);
    }
    sm_table_clear(&table);
    assert_null(sm_table_take(&table, 16));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_what_was_put_in),
                                       cmocka_unit_test(others_stay_when_one_is_taken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
