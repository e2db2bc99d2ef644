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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_what_was_put_in)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
