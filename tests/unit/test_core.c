/* core/: memory orders, conflicts, edges of events, views, against their definitions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "../../base/sys.h"
#include "../../core/conflict.h"
#include "../../core/edges.h"
#include "../../core/order.h"
#include "../../core/view.h"

void *sm_alloc(size_t size)
{
    return calloc(1, size);
}

void sm_free(void *block, size_t size)
{
    (void)size;
    free(block);
}

static void orders(void **state)
{
    (void)state;
    static const char acquires[SM_ORDERS + 1] = "-++-++-", releases[SM_ORDERS + 1] = "---+++-";
    for (uint8_t order = 0; order < SM_ORDERS; order++) {
        assert_int_equal(sm_order_acquires(order), acquires[order] == '+');
        assert_int_equal(sm_order_releases(order), releases[order] == '+');
    }
    assert_int_equal(sm_order_of_cas(true, SM_ORDER_ACQ_REL, SM_ORDER_RELAXED), SM_ORDER_ACQ_REL);
    assert_int_equal(sm_order_of_cas(false, SM_ORDER_ACQ_REL, SM_ORDER_RELAXED), SM_ORDER_RELAXED);
}

/* An order keeps what applies to the access; seq_cst and plain stay what they are. */
static void parts_of_orders(void **state)
{
    (void)state;
    for (uint8_t order = 0; order < SM_ORDERS; order++)
        for (unsigned access = 1; access < 4; access++) {
            bool reads = access & 1, writes = access & 2;
            uint8_t part = sm_order_for(order, reads, writes);
            assert_int_equal(sm_order_acquires(part),
                             sm_order_acquires(order) && (reads || order == SM_ORDER_SEQ_CST));
            assert_int_equal(sm_order_releases(part),
                             sm_order_releases(order) && (writes || order == SM_ORDER_SEQ_CST));
            assert_int_equal(part == SM_ORDER_SEQ_CST, order == SM_ORDER_SEQ_CST);
            assert_int_equal(part == SM_ORDER_PLAIN, order == SM_ORDER_PLAIN);
        }
}

enum { KINDS = 4 }; /* all sets of WRITE and ATOMIC */

static void conflicts(void **state)
{
    (void)state;
    for (unsigned a = 0; a < KINDS; a++)
        for (unsigned b = 0; b < KINDS; b++) {
            bool writes = a & SM_ACCESS_WRITE || b & SM_ACCESS_WRITE;
            bool atomic = a & SM_ACCESS_ATOMIC && b & SM_ACCESS_ATOMIC;
            assert_int_equal(sm_conflicts(a, b), writes && !atomic);
        }
}

/* One access covers another exactly if it conflicts with all that the other conflicts with. */
static void covering(void **state)
{
    (void)state;
    for (unsigned a = 0; a < KINDS; a++)
        for (unsigned b = 0; b < KINDS; b++) {
            bool all = true;
            for (unsigned c = 0; c < KINDS; c++)
                all &= !sm_conflicts(b, c) || sm_conflicts(a, c);
            assert_int_equal(sm_conflicts_cover(a, b), all);
        }
}

static void edges(void **state)
{
    (void)state;
    assert_int_equal(sm_hb_of(SM_EV_LOCK), SM_HB_ACQ);
    assert_int_equal(sm_hb_of(SM_EV_UNLOCK), SM_HB_REL);
    assert_int_equal(sm_hb_of(SM_EV_WRITE_LOCK), SM_HB_ACQ_BOTH);
    assert_int_equal(sm_hb_of(SM_EV_SIGNAL), SM_HB_NONE);
    assert_int_equal(sm_hb_of(SM_EV_INIT), SM_HB_FORGET);
}

static void views(void **state)
{
    (void)state;
    struct sm_view a = {0}, b = {0};
    sm_clock_set(&a.hb, 0, 3);
    sm_clock_set(&b.hb, 1, 5);
    sm_clock_set(&b.coherent, 2, 7);
    a.sc_fence = 4;
    b.sc_fence = 2;
    sm_view_join(&a, &b);
    assert_int_equal(sm_clock_get(&a.hb, 0), 3);
    assert_int_equal(sm_clock_get(&a.hb, 1), 5);
    assert_int_equal(sm_clock_get(&a.coherent, 2), 7);
    assert_int_equal(a.sc_fence, 4);
    sm_view_copy(&a, &b);
    assert_int_equal(sm_clock_get(&a.hb, 0), 0);
    assert_int_equal(a.sc_fence, 2);
    sm_view_clear(&a);
    sm_view_clear(&b);
    assert_int_equal(sm_clock_get(&a.hb, 1), 0);
    assert_int_equal(a.sc_fence, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders),   cmocka_unit_test(parts_of_orders), cmocka_unit_test(conflicts),
        cmocka_unit_test(covering), cmocka_unit_test(edges),           cmocka_unit_test(views)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
