/* Which advice is given: the most specific that what was observed allows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../findings/advice.h"

/* Two threads that a third has created write the same variable. */
static struct sm_advice_facts two_writers(void)
{
    return (struct sm_advice_facts){.variable = "x",
                                    .first = {.thread = 1, .parent = 0, .write = true},
                                    .second = {.thread = 2, .parent = 0, .write = true},
                                    .allocated_by = SM_UNKNOWN_THREAD};
}

static void expect(struct sm_advice_facts facts, const char *words)
{
    const char *text = sm_advice(&facts);
    if (!strstr(text, words))
        fail_msg("'%s' says nothing of '%s'", text, words);
}

static void test_sharing(void **state)
{
    (void)state;
    struct sm_advice_facts facts = two_writers();
    expect(facts, "missing synchronisation");
    facts.second.write = false;
    expect(facts, "missing atomic");
    facts.allocated_by = 2;
    expect(facts, "missing atomic");
    facts.allocated_by = 1;
    expect(facts, "unsafe publication");
}

static void test_qualifiers(void **state)
{
    (void)state;
    struct sm_advice_facts facts = two_writers();
    facts.first.is_volatile = true;
    expect(facts, "volatile orders nothing");
    facts.by_special_pointer = true;
    expect(facts, "volatile array");
    facts.second.atomic = true;
    expect(facts, "make the plain access atomic");
    facts.first.freed = true;
    expect(facts, "is freed");
}

static void test_class(void **state)
{
    (void)state;
    struct sm_advice_facts facts = two_writers();
    facts.second.write = false;
    facts.variable = "ns::Shape._vptr$Shape";
    expect(facts, "changes its class");
    facts.variable = "Shape.vptr";
    expect(facts, "missing atomic");
    facts.variable = "ns::Shape._vptr$Shape";
    facts.first.freed = true;
    expect(facts, "is freed");
}

/* close() against read(): no access of the program's that could be made atomic. */
static void test_calls(void **state)
{
    (void)state;
    struct sm_advice_facts facts = two_writers();
    facts.first.atomic = facts.first.by_call = true;
    expect(facts, "make the plain access atomic");
    facts.second.by_call = true;
    expect(facts, "makes, destroys or closes");
    facts.first.atomic = false; /* two copies by memcpy */
    expect(facts, "missing synchronisation");
}

static void test_threads(void **state)
{
    (void)state;
    struct sm_advice_facts facts = two_writers();
    facts.first.thread = 0;
    facts.first.parent = SM_UNKNOWN_THREAD;
    expect(facts, "before pthread_create");
    facts = two_writers();
    facts.second.thread = 0;
    facts.second.parent = SM_UNKNOWN_THREAD;
    expect(facts, "join it");
}

static void test_locks(void **state)
{
    (void)state;
    struct sm_advice_facts facts = two_writers();
    facts.first.n_locks = 2;
    facts.first.locks[0] = 0x10;
    facts.first.locks[1] = 0x20;
    expect(facts, "the other none");
    facts.second.n_locks = 1;
    facts.second.locks[0] = 0x30;
    expect(facts, "not the same one");
    facts.second.locks[0] = 0x20;
    expect(facts, "only for reading");
}

static void expect_pointer(const char *variable, const char *pointer)
{
    const char *start;
    size_t length = sm_advice_pointer(variable, &start);
    assert_int_equal(length, strlen(pointer));
    assert_memory_equal(start, pointer, length);
}

static void test_pointers(void **state)
{
    (void)state;
    expect_pointer("*shared", "shared");
    expect_pointer("table[]", "table");
    expect_pointer("list->head.next", "list");
    expect_pointer("x", "");
    expect_pointer("Point.x", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sharing), cmocka_unit_test(test_qualifiers),
        cmocka_unit_test(test_calls),   cmocka_unit_test(test_threads),
        cmocka_unit_test(test_class),   cmocka_unit_test(test_locks),
        cmocka_unit_test(test_pointers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
