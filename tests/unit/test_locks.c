/* Ranks of locks, as debug builds check them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "../../base/sys.h"
#include "../../native/lock.h"

_Noreturn void sm_die(const char *format, ...)
{
    mock_assert(0, format, __FILE__, __LINE__);
    abort();
}

long sm_syscall(long number, ...)
{
    (void)number;
    return 0;
}

static uint32_t words[2];

static void take(enum sm_lock_rank rank)
{
    words[0] = 0;
    sm_lock_word(&words[0], rank);
}

static void in_order(void **state)
{
    (void)state;
    for (int rank = SM_LOCK_REPORTS; rank <= SM_LOCK_MEMORY; rank++)
        take((enum sm_lock_rank)rank);
    for (int rank = SM_LOCK_MEMORY; rank >= SM_LOCK_REPORTS; rank--)
        sm_unlock_word(&words[0], (enum sm_lock_rank)rank);
}

static void against_the_order(void **state)
{
    (void)state;
    take(SM_LOCK_RECORD);
    expect_assert_failure(take(SM_LOCK_GRANULE));
    expect_assert_failure(take(SM_LOCK_RECORD));
    take(SM_LOCK_MEMORY);
    sm_unlock_word(&words[0], SM_LOCK_MEMORY);
    sm_unlock_word(&words[0], SM_LOCK_RECORD);
    take(SM_LOCK_GRANULE);
    sm_unlock_word(&words[0], SM_LOCK_GRANULE);
}

static void several_records(void **state)
{
    (void)state;
    take(SM_LOCK_SEVERAL);
    for (int i = 0; i < 2; i++) {
        take(SM_LOCK_GRANULE);
        take(SM_LOCK_RECORD);
        sm_unlock_word(&words[0], SM_LOCK_GRANULE);
    }
    expect_assert_failure(take(SM_LOCK_THREADS));
    sm_unlock_word(&words[0], SM_LOCK_RECORD);
    sm_unlock_word(&words[0], SM_LOCK_SEVERAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_order),
                                       cmocka_unit_test(against_the_order),
                                       cmocka_unit_test(several_records)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
