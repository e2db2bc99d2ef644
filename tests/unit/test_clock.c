/* clock.h against plain arrays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/random.h"
#include "../../core/clock.h"

void *sm_alloc(size_t size)
{
    return calloc(1, size);
}

void sm_free(void *block, size_t size)
{
    (void)size;
    free(block);
}

enum { THREADS = 40 };

struct reference {
    struct sm_clock clock;
    uint32_t time[THREADS];
};

static void check(const struct reference *r)
{
    for (uint32_t t = 0; t < THREADS; t++)
        assert_int_equal(sm_clock_get(&r->clock, t), r->time[t]);
}

static void join(struct reference *to, const struct reference *from)
{
    for (uint32_t t = 0; t < THREADS; t++)
        if (from->time[t] > to->time[t])
            to->time[t] = from->time[t];
    sm_clock_join(&to->clock, &from->clock);
}

static void agrees_with_arrays(void **state)
{
    (void)state;
    enum { CLOCKS = 6 };
    struct reference clocks[CLOCKS] = {0};
    struct sm_random random = sm_random_seed(7, 1);
    for (int i = 0; i < 20000; i++) {
        struct reference *a = &clocks[sm_random_next(&random) % CLOCKS];
        struct reference *b = &clocks[sm_random_next(&random) % CLOCKS];
        uint32_t thread = (uint32_t)(sm_random_next(&random) % THREADS);
        switch (sm_random_next(&random) % 4) {
        case 0:
            sm_clock_set(&a->clock, thread, a->time[thread] += 1);
            break;
        case 1:
            join(a, b);
            break;
        case 2:
            if (a != b) {
                sm_clock_copy(&a->clock, &b->clock);
                memcpy(a->time, b->time, sizeof a->time);
            }
            break;
        default:
            if (sm_random_next(&random) % 50 == 0) {
                sm_clock_clear(&a->clock);
                memset(a->time, 0, sizeof a->time);
            }
        }
        check(a);
    }
    for (int i = 0; i < CLOCKS; i++)
        sm_clock_clear(&clocks[i].clock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_arrays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
