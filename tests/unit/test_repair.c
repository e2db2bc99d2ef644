/* Repairs as text: what is written is read again, and what is no repair is refused with a reason.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/repair.h"
#include "core/order.h"

static struct sm_repair parse(const char *text)
{
    struct sm_repair repair;
    bool blank;
    const char *why = NULL;
    if (!sm_repair_parse(text, strlen(text), &repair, &blank, &why))
        fail_msg("'%s': %s", text, why);
    assert_false(blank);
    return repair;
}

static void lines_round_trip(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "order a.c:12 read acquire",
        "order src/a.c:12:7 write release",
        "order variable Point.x any plain",
        "order variable table[].next rmw acq_rel",
        "fence a.c:3 before release",
        "fence a:b.c:3:4 after seq_cst",
        "lock m a.c:4-9",
        "lock m a.c:4",
        "lock new guard variable n",
        "merge a.c:7 n seq_cst",
        "merge a.c:7-8 n relaxed",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct sm_repair repair = parse(lines[i]);
        char text[SM_REPAIR_LINE];
        assert_int_equal(sm_repair_print(&repair, text, sizeof text), strlen(lines[i]));
        assert_string_equal(text, lines[i]);
    }
}

static void fields_are_filled(void **state)
{
    (void)state;
    struct sm_repair repair = parse("  lock\tnew guard a:b.c:10-20  # both steps");
    assert_int_equal(repair.kind, SM_REPAIR_LOCK);
    assert_true(repair.new_lock);
    assert_string_equal(repair.lock, "guard");
    assert_string_equal(repair.file, "a:b.c");
    assert_int_equal(repair.line, 10);
    assert_int_equal(repair.last, 20);
    repair = parse("order a.c:3:14 any acq_rel");
    assert_int_equal(repair.line, 3);
    assert_int_equal(repair.last, 3);
    assert_int_equal(repair.column, 14);
    repair = parse("merge a.c:3 n");
    assert_int_equal(repair.order, SM_ORDER_SEQ_CST);
}

static void errors_are_refused(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "ordre a.c:1 read acquire",
        "order a.c read acquire",
        "order a.c:0 read acquire",
        "order :1 read acquire",
        "order a.c:99999999999 read acquire",
        "order a.c:1-2 read acquire",
        "order a.c:1 reed acquire",
        "order a.c:1 read",
        "order a.c:1 read release",
        "order a.c:1 write acquire",
        "order a.c:1 rmw plain",
        "order variable",
        "fence a.c:1 acquire",
        "fence a.c:1 before relaxed",
        "fence variable n before acquire",
        "lock a.c:1-2",
        "lock new a.c:1",
        "lock m a.c:5-4",
        "lock m a.c:5 more",
        "merge a.c:5",
        "merge a.c:5 n plain",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct sm_repair repair;
        bool blank;
        const char *why = NULL;
        if (sm_repair_parse(lines[i], strlen(lines[i]), &repair, &blank, &why))
            fail_msg("'%s' was taken", lines[i]);
        assert_non_null(why);
    }
}

static void a_text_is_a_set(void **state)
{
    (void)state;
    struct sm_repair repairs[SM_MAX_REPAIRS];
    struct sm_repair_error error;
    const char *text = "# publication\n\norder a.c:1 write release\norder a.c:9 read acquire";
    assert_int_equal(sm_repairs_parse(text, repairs, &error), 2);
    assert_int_equal(repairs[1].line, 9);
    assert_int_equal(sm_repairs_parse("\nlock m\n", repairs, &error), -1);
    assert_int_equal(error.line, 2);
    assert_int_equal(sm_repairs_parse("", repairs, &error), 0);
    char many[65 * 32] = "";
    for (int i = 0; i < SM_MAX_REPAIRS; i++)
        strcat(many, "lock m variable n\n");
    assert_int_equal(sm_repairs_parse(many, repairs, &error), SM_MAX_REPAIRS);
    strcat(many, "lock m variable n\n");
    assert_int_equal(sm_repairs_parse(many, repairs, &error), -1);
}

static void places_are_found(void **state)
{
    (void)state;
    struct sm_repair repair = parse("order src/a.c:12:7 read acquire");
    assert_true(sm_repair_is_at(&repair, "src/a.c", 12, 7));
    assert_true(sm_repair_is_at(&repair, "/home/x/src/a.c", 12, 7));
    assert_true(sm_repair_is_at(&repair, "a.c", 12, 7));
    assert_false(sm_repair_is_at(&repair, "ba.c", 12, 7));
    assert_false(sm_repair_is_at(&repair, "x/a.c", 12, 7));
    assert_false(sm_repair_is_at(&repair, "src/a.c", 12, 8));
    assert_false(sm_repair_is_at(&repair, "src/a.c", 13, 7));
    assert_false(sm_repair_is_at(&repair, "", 12, 7));
    repair = parse("lock m a.c:4-9");
    assert_true(sm_repair_is_at(&repair, "a.c", 4, 1));
    assert_true(sm_repair_is_at(&repair, "a.c", 9, 1));
    assert_false(sm_repair_is_at(&repair, "a.c", 10, 1));
    repair = parse("lock m variable n");
    assert_false(sm_repair_is_at(&repair, "", 0, 0));
}

static void an_access_takes_what_it_can_have(void **state)
{
    (void)state;
    assert_int_equal(sm_order_for(SM_ORDER_ACQ_REL, true, false), SM_ORDER_ACQUIRE);
    assert_int_equal(sm_order_for(SM_ORDER_ACQ_REL, false, true), SM_ORDER_RELEASE);
    assert_int_equal(sm_order_for(SM_ORDER_ACQ_REL, true, true), SM_ORDER_ACQ_REL);
    assert_int_equal(sm_order_for(SM_ORDER_ACQUIRE, false, true), SM_ORDER_RELAXED);
    assert_int_equal(sm_order_for(SM_ORDER_RELEASE, true, true), SM_ORDER_RELEASE);
    assert_int_equal(sm_order_for(SM_ORDER_SEQ_CST, true, false), SM_ORDER_SEQ_CST);
    assert_int_equal(sm_order_for(SM_ORDER_PLAIN, false, true), SM_ORDER_PLAIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_round_trip),   cmocka_unit_test(fields_are_filled),
        cmocka_unit_test(errors_are_refused), cmocka_unit_test(a_text_is_a_set),
        cmocka_unit_test(places_are_found),   cmocka_unit_test(an_access_takes_what_it_can_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
