/* The table of synchronisation objects (runtime/sync/object.c), against a plain array. */
// clang-format off: cmocka wants these first
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
// clang-format on
#include <cmocka.h>
#include <stdlib.h>

#include "../../base/sys.h"
#include "../../runtime/intercept/annotations.h"
#include "../../runtime/intercept/identity.h"
#include "../../runtime/sched/sched.h"
#include "../../runtime/sync/object.h"

void *sm_alloc(size_t size)
{
    return calloc(1, size);
}

void sm_free(void *block, size_t size)
{
    (void)size;
    free(block);
}

struct sm_note *sm_notes;
void sm_notes_forget_in(uintptr_t low, uintptr_t high)
{
    (void)low;
    (void)high;
}

bool sm_process_has_children(void)
{
    return false;
}

void sm_end(int end, int status, const char *format, ...)
{
    fail_msg("%d %d %s", end, status, format);
    abort();
}

static int adopted, released;

static void adopt(struct sm_object *object)
{
    object->state = 7;
    adopted++;
}

static void release(const struct sm_object *object)
{
    assert_true(object->state >= 7);
    released++;
}

const struct sm_object_class sm_mutex_class = {adopt, release}, sm_rwlock_class = {adopt, release},
                             sm_barrier_class = {adopt, release}, sm_spin_class = {adopt, release},
                             sm_once_class = {adopt, release}, sm_sem_class = {adopt, release};

enum { BYTES = 1 << 16, STEP = 8, OBJECTS = BYTES / STEP };
static char memory[BYTES] __attribute__((aligned(64)));

static void forget_all(void)
{
    sm_sync_forget(memory, sizeof memory);
}

static void test_adopts_once(void **state)
{
    (void)state;
    adopted = 0;
    struct sm_object *object = sm_object_get(memory, SM_OBJECT_MUTEX);
    object->state = 9;
    assert_ptr_equal(sm_object_get(memory, SM_OBJECT_MUTEX), object);
    assert_int_equal(adopted, 1);
    assert_int_equal(object->state, 9);
    forget_all();
}

static void test_another_kind_replaces(void **state)
{
    (void)state;
    sm_object_get(memory, SM_OBJECT_MUTEX)->state = 9;
    assert_int_equal(sm_object_get(memory, SM_OBJECT_SEM)->state, 7);
    assert_int_equal(sm_object_get(memory, SM_OBJECT_MUTEX)->state, 7);
    forget_all();
}

static void test_release_shows_each(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++)
        sm_object_get(memory + i * STEP, SM_OBJECT_RWLOCK);
    sm_object_forget(memory);
    sm_object_forget(memory);
    released = 0;
    sm_sync_release();
    assert_int_equal(released, 99);
    forget_all();
}

/* Random gets and range forgets; an array says which objects must still be there. */
static void test_forgets_exactly_the_range(void **state)
{
    (void)state;
    static uint32_t expected[OBJECTS];
    uint32_t next = 100;
    srand(1);
    for (int round = 0; round < 20000; round++) {
        size_t at = (size_t)rand() % OBJECTS;
        if (round % 4) {
            expected[at] = ++next;
            sm_object_get(memory + at * STEP, SM_OBJECT_MUTEX)->state = next;
            continue;
        }
        size_t bytes = (size_t)rand() % (round % 64 ? 256 : BYTES);
        if (at * STEP + bytes > BYTES)
            bytes = BYTES - at * STEP;
        sm_sync_forget(memory + at * STEP, bytes);
        for (size_t i = at; i * STEP < at * STEP + bytes; i++)
            expected[i] = 0;
    }
    for (size_t i = 0; i < OBJECTS; i++)
        assert_int_equal(sm_object_get(memory + i * STEP, SM_OBJECT_MUTEX)->state,
                         expected[i] ? expected[i] : 7);
    forget_all();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adopts_once),
        cmocka_unit_test(test_another_kind_replaces),
        cmocka_unit_test(test_release_shows_each),
        cmocka_unit_test(test_forgets_exactly_the_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
