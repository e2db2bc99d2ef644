/* Graphs built by hand: straight-line threads, stepped event by event (verify/graph/step.h) until
   nothing is pending. Each execution must come out once, in each model as many as it allows. */
// clang-format off: cmocka wants these first
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
// clang-format on
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "abi/control.h"
#include "runtime/model/memory.h"
#include "runtime/module.h"
#include "runtime/region.h"
#include "verify/exploration.h"
#include "verify/graph/objects.h"
#include "verify/graph/order.h"
#include "verify/graph/step.h"
#include "verify/graph/symmetry.h"
#include "verify/loops/probe.h"
#include "verify/pool.h"
#include "verify/results/parcel.h"

static struct sm_control control; /* lies about everything */
struct sm_control *sm_control = &control;

static struct sm_exploration exploration; /* its axioms alone */
struct sm_exploration *sm_exploration = &exploration;

/* ---- what a stepper does not need here ---- */

bool sm_probe_is_futile(uint64_t state, uint64_t value)
{
    (void)state;
    (void)value;
    return false;
}

void sm_region_bounds(uintptr_t addr, uintptr_t *start, uintptr_t *end)
{
    *start = *end = addr;
}

void sm_parcel_put(struct sm_parcel *parcel, const void *from, size_t size)
{
    (void)parcel;
    (void)from;
    (void)size;
    fail();
}

void sm_parcel_take(struct sm_parcel *parcel, void *to, size_t size)
{
    (void)parcel;
    (void)to;
    (void)size;
    fail();
}

uint32_t sm_site_number(const struct sm_site *site)
{
    (void)site;
    return SM_NO_SITE;
}

/* Every read-modify-write adds one, or is a compare-exchange. */
bool sm_rmw_apply(struct sm_event *event, uint64_t read)
{
    if (event->op == SM_OP_CAS && read != event->old)
        return false;
    event->value = event->op == SM_OP_CAS ? event->value : read + 1;
    return true;
}

/* ---- programs ---- */

enum { THREADS = 4, EVENTS = 6, MOST = 64 };

struct program {
    struct sm_local events[THREADS][EVENTS]; /* up to one of kind SM_LOCAL_UNKNOWN */
};

static struct sm_local access_of(int kind, uint16_t loc, uint64_t value, int order)
{
    return (struct sm_local){.kind = (uint8_t)kind,
                             .order = (uint8_t)order,
                             .size = 8,
                             .loc = loc,
                             .value = value,
                             .site = SM_NO_SITE};
}

static struct sm_local load(uint16_t loc, int order)
{
    return access_of(SM_LOCAL_READ, loc, 0, order);
}

static struct sm_local store(uint16_t loc, uint64_t value, int order)
{
    return access_of(SM_LOCAL_WRITE, loc, value, order);
}

static struct sm_local increment(uint16_t loc)
{
    struct sm_local event = access_of(SM_LOCAL_RMW, loc, 1, SM_ORDER_RELAXED);
    event.op = SM_RMW_ADD;
    return event;
}

static struct sm_local operate(uint16_t loc, enum sm_object_op op, int flags)
{
    return (struct sm_local){.kind = SM_LOCAL_OPERATE,
                             .op = (uint8_t)op,
                             .flags = (uint8_t)flags,
                             .loc = loc,
                             .site = SM_NO_SITE};
}

static struct sm_local spawn(uint64_t thread)
{
    return (struct sm_local){.kind = SM_LOCAL_SPAWN, .value = thread, .site = SM_NO_SITE};
}

static struct sm_local give_up(uint16_t loc)
{
    return access_of(SM_LOCAL_RELEASE, loc, SM_OBJECT_FREE, SM_ORDER_RELAXED);
}

/* ---- every execution ---- */

static struct {
    struct sm_frontier frontier;
    struct sm_stepper stepper;
    char seen[MOST][1024]; /* complete graphs, as text */
    unsigned n, blocked, pruned;
    struct sm_symmetry *symmetry;       /* NULL: each graph for itself */
    uint64_t stands_for, in_classes[8]; /* executions; classes of each size */
} all;

/* Events of the thread in the graph; the write of a read-modify-write is none of its own. */
static unsigned position(const struct sm_graph *graph, uint32_t thread)
{
    unsigned n = 0;
    for (uint32_t e = 0; e < graph->n; e++)
        n += graph->nodes[e].thread == thread && !(graph->nodes[e].flags & SM_NODE_RMW);
    return n;
}

static bool is_unfinished(const struct sm_graph *graph, uint32_t thread)
{
    uint32_t last = graph->last[thread];
    return last != SM_NO_NODE && graph->nodes[last].thread == thread &&
           (graph->nodes[last].flags & SM_NODE_EXCLUSIVE);
}

static enum sm_step_end run_thread(const struct program *program, uint32_t thread)
{
    const struct sm_graph *graph = sm_step_graph(&all.stepper);
    unsigned at = position(graph, thread);
    enum sm_step_end end = SM_STEP_ADDED;
    if (is_unfinished(graph, thread)) {
        struct sm_new_event new = {.thread = thread,
                                   .event = &program->events[thread][at - 1],
                                   .stamp = graph->last[thread]};
        end = sm_graph_step_finish(&all.stepper, &new);
    }
    for (; end == SM_STEP_ADDED && program->events[thread][at].kind != SM_LOCAL_UNKNOWN; at++) {
        struct sm_new_event new = {.thread = thread, .event = &program->events[thread][at]};
        end = sm_graph_step(&all.stepper, &new);
    }
    return end;
}

static void add_text(char *text, size_t room, const char *name, uint32_t thread, uint32_t index)
{
    size_t n = strlen(text);
    snprintf(text + n, room - n, "%s%u.%u ", name, thread, index);
}

/* Reads-from and modification order, by thread and index. */
static void describe(const struct sm_graph *graph, char *text, size_t room)
{
    for (uint32_t thread = 0; thread < THREADS; thread++)
        for (uint32_t e = 0; e < graph->n; e++) {
            const struct sm_node *node = &graph->nodes[e];
            if (node->thread != thread)
                continue;
            uint32_t from = node->kind == SM_NODE_READ    ? node->rf
                            : node->kind == SM_NODE_WRITE ? node->mo_prev
                                                          : SM_NO_NODE;
            add_text(text, room, "e", thread, node->index);
            if (node->kind == SM_NODE_CHOICE)
                add_text(text, room, "c", (uint32_t)node->value, 0);
            if (from != SM_NO_NODE)
                add_text(text, room, "<", graph->nodes[from].thread, graph->nodes[from].index);
        }
}

static void complete(void)
{
    char *text = all.seen[all.n];
    assert_true(all.n + 1 < MOST);
    text[0] = 0;
    describe(sm_step_graph(&all.stepper), text, sizeof all.seen[0]);
    for (unsigned i = 0; i < all.n; i++)
        assert_string_not_equal(all.seen[i], text);
    all.n++;
    if (!all.symmetry)
        return;
    uint64_t size = sm_symmetry_judge(all.symmetry, sm_step_graph(&all.stepper), false).class_size;
    assert_true(size < 8);
    all.in_classes[size]++;
    all.stands_for += size;
}

static void grow(const struct program *program)
{
    bool blocked = false;
    for (uint32_t thread = 0; thread < THREADS; thread++) {
        enum sm_step_end end = run_thread(program, thread);
        if (end == SM_STEP_PRUNED) {
            all.pruned++;
            return;
        }
        blocked |= end == SM_STEP_BLOCKED;
    }
    if (blocked)
        all.blocked++;
    else
        complete();
}

static unsigned executions(const struct program *program, uint64_t model)
{
    sm_pool_start();
    sm_frontier_init(&all.frontier);
    sm_stepper_init(&all.stepper, &all.frontier, sm_axioms_new(model));
    all.stepper.symmetry = all.symmetry;
    all.n = all.blocked = all.pruned = 0;
    all.stands_for = 0;
    memset(all.in_classes, 0, sizeof all.in_classes);
    for (uint16_t loc = 0; loc < 3; loc++)
        sm_graph_touch(sm_step_graph(&all.stepper), loc, 0);
    do
        grow(program);
    while (sm_frontier_pop(&all.frontier));
    return all.n;
}

/* ---- tests ---- */

static void test_store_buffering(void **state)
{
    (void)state;
    const struct program relaxed = {{
        {store(0, 1, SM_ORDER_RELAXED), load(1, SM_ORDER_RELAXED)},
        {store(1, 1, SM_ORDER_RELAXED), load(0, SM_ORDER_RELAXED)},
    }};
    assert_int_equal(executions(&relaxed, SM_MODEL_SC), 3);
    assert_int_equal(executions(&relaxed, SM_MODEL_TSO), 4);
    assert_int_equal(executions(&relaxed, SM_MODEL_PSO), 4);
    assert_int_equal(executions(&relaxed, SM_MODEL_C11), 4);
    const struct program ordered = {{
        {store(0, 1, SM_ORDER_SEQ_CST), load(1, SM_ORDER_SEQ_CST)},
        {store(1, 1, SM_ORDER_SEQ_CST), load(0, SM_ORDER_SEQ_CST)},
    }};
    assert_int_equal(executions(&ordered, SM_MODEL_TSO), 3);
    assert_int_equal(executions(&ordered, SM_MODEL_C11), 3);
}

static void test_message_passing(void **state)
{
    (void)state;
    const struct program relaxed = {{
        {store(0, 1, SM_ORDER_RELAXED), store(1, 1, SM_ORDER_RELAXED)},
        {load(1, SM_ORDER_RELAXED), load(0, SM_ORDER_RELAXED)},
    }};
    assert_int_equal(executions(&relaxed, SM_MODEL_SC), 3);
    assert_int_equal(executions(&relaxed, SM_MODEL_TSO), 3);
    assert_int_equal(executions(&relaxed, SM_MODEL_PSO), 4);
    assert_int_equal(executions(&relaxed, SM_MODEL_C11), 4);
    const struct program synchronised = {{
        {store(0, 1, SM_ORDER_RELAXED), store(1, 1, SM_ORDER_RELEASE)},
        {load(1, SM_ORDER_ACQUIRE), load(0, SM_ORDER_RELAXED)},
    }};
    assert_int_equal(executions(&synchronised, SM_MODEL_C11), 3);
    assert_int_equal(executions(&synchronised, SM_MODEL_PSO), 3);
}

/* The reader comes first in the graph: both writes revisit its reads. */
static void test_revisits(void **state)
{
    (void)state;
    const struct program program = {{
        {load(0, SM_ORDER_RELAXED), load(0, SM_ORDER_RELAXED)},
        {store(0, 1, SM_ORDER_RELAXED)},
        {store(0, 2, SM_ORDER_RELAXED)},
    }};
    /* Each of two modification orders, and two reads that do not go back in it. */
    assert_int_equal(executions(&program, SM_MODEL_C11), 12);
    assert_int_equal(all.pruned, 0);
}

static void test_one_step(void **state)
{
    (void)state;
    const struct program program = {{{load(0, SM_ORDER_RELAXED)}}};
    const struct sm_local write = store(0, 7, SM_ORDER_RELAXED);
    executions(&program, SM_MODEL_C11);
    struct sm_graph *graph = sm_step_graph(&all.stepper);
    struct sm_new_event new = {.thread = 1, .event = &write};
    assert_int_equal(graph->nodes[0].rf, SM_NO_NODE);
    assert_int_equal(sm_graph_step(&all.stepper, &new), SM_STEP_ADDED);
    assert_int_equal(new.stamp, 1);
    assert_int_equal(new.write, 1);
    assert_int_equal(graph->locs[0].mo_last, 1);
    assert_int_equal(all.frontier.n_pending, 1);
    assert_true(sm_frontier_pop(&all.frontier));
    graph = sm_step_graph(&all.stepper);
    assert_int_equal(graph->n, 2);
    assert_int_equal(graph->nodes[graph->nodes[0].rf].value, 7);
    assert_int_equal(graph->nodes[0].value, 7);
    assert_false(sm_frontier_pop(&all.frontier));
}

/* A revisit can leave events of another thread between a choice and the event that its thread makes
   it with. A run makes both together, so an order in which the graph can happen has them so. */
static void expect_together(uint64_t model, const struct sm_local *events, unsigned n,
                            unsigned other_after, const uint32_t *expected)
{
    const struct program none = {{{{0}}}};
    const struct sm_local other = store(1, 1, SM_ORDER_RELAXED);
    uint32_t moments[2 * EVENTS];
    control.options.model = model;
    executions(&none, model);
    exploration.axioms = all.stepper.axioms;
    for (unsigned i = 0; i < n; i++) {
        struct sm_new_event new = {.thread = 0, .event = &events[i]}, by = {1, .event = &other};
        assert_int_equal(sm_graph_step(&all.stepper, &new), SM_STEP_ADDED);
        if (i == other_after)
            assert_int_equal(sm_graph_step(&all.stepper, &by), SM_STEP_ADDED);
    }
    sm_order_start();
    uint32_t count = sm_order_find(sm_step_graph(&all.stepper), SM_NO_NODE, SM_NO_NODE, moments);
    assert_int_equal(count, n + 1);
    for (unsigned i = 0; i <= n; i++)
        assert_int_equal(moments[i], 2 * expected[i]);
}

static void test_choices_in_order(void **state)
{
    (void)state;
    const struct sm_local with_previous[] = {
        store(0, 1, SM_ORDER_SEQ_CST),
        {.kind = SM_LOCAL_CHOICE, .flags = SM_LOCAL_AT_ONCE, .value = 2, .site = SM_NO_SITE},
    };
    struct sm_local with_next[] = {
        store(0, 1, SM_ORDER_SEQ_CST),
        {.kind = SM_LOCAL_CHOICE, .value = 2, .site = SM_NO_SITE},
        store(0, 2, SM_ORDER_SEQ_CST),
    };
    with_next[2].flags = SM_LOCAL_AT_ONCE;
    static const uint64_t models[] = {SM_MODEL_SC, SM_MODEL_C11};
    for (unsigned i = 0; i < 2; i++) {
        expect_together(models[i], with_previous, 2, 0, (const uint32_t[]){0, 2, 1});
        expect_together(models[i], with_next, 3, 1, (const uint32_t[]){0, 1, 3, 2});
        with_next[2].flags = 0;
        expect_together(models[i], with_next, 3, 1, (const uint32_t[]){0, 1, 2, 3});
        with_next[2].flags = SM_LOCAL_AT_ONCE;
    }
}

static void test_read_modify_writes(void **state)
{
    (void)state;
    const struct program program = {{{increment(0)}, {increment(0)}, {increment(0)}}};
    assert_int_equal(executions(&program, SM_MODEL_C11), 6);
    assert_int_equal(executions(&program, SM_MODEL_SC), 6);
}

static void test_mutex(void **state)
{
    (void)state;
    const struct program program = {{
        {operate(2, SM_DO_LOCK, 0), give_up(2)},
        {operate(2, SM_DO_LOCK, 0), give_up(2)},
        {operate(2, SM_DO_LOCK, 0), give_up(2)},
    }};
    assert_int_equal(executions(&program, SM_MODEL_C11), 6);
    const struct program kept = {{{operate(2, SM_DO_LOCK, 0)}, {operate(2, SM_DO_LOCK, 0)}}};
    assert_int_equal(executions(&kept, SM_MODEL_C11), 0);
    assert_int_equal(all.blocked, 2); /* whoever came first */
    const struct program tried = {
        {{operate(2, SM_DO_LOCK, SM_LOCAL_TRY)}, {operate(2, SM_DO_LOCK, SM_LOCAL_TRY)}}};
    assert_int_equal(executions(&tried, SM_MODEL_C11), 2);
    assert_int_equal(all.blocked, 0);
}

/* Threads 1 to 3 have the same function; those in `apart` are distinguished. */
static void explore_classes(const struct program *program, uint32_t apart)
{
    static struct sm_symmetry symmetry;
    sm_pool_start();
    sm_symmetry_init(&symmetry);
    for (uint32_t thread = 1; thread < THREADS; thread++)
        sm_symmetry_created(&symmetry, thread, (void *)test_mutex, NULL);
    control.options.symmetry = 1;
    for (uint32_t thread = 1; thread < THREADS; thread++)
        if (apart >> thread & 1)
            sm_symmetry_break(&symmetry, thread);
    all.symmetry = &symmetry;
    executions(program, SM_MODEL_SC);
    all.symmetry = NULL;
    control.options.symmetry = 0;
}

static void test_symmetry(void **state)
{
    (void)state;
    const struct program orders = {
        {{spawn(1), spawn(2), spawn(3)}, {increment(0)}, {increment(0)}, {increment(0)}}};
    explore_classes(&orders, 0);
    assert_int_equal(all.in_classes[6], 1); /* one order stands for all */
    assert_int_equal(all.stands_for, 6);
    explore_classes(&orders, 1 << 3);
    assert_int_equal(all.in_classes[2], 3); /* where the third one comes */
    assert_int_equal(all.stands_for, 6);
    explore_classes(&orders, 1 << 2 | 1 << 3);
    assert_int_equal(all.in_classes[1], 6);
    assert_int_equal(all.stands_for, 6);
}

/* Classes of several sizes: threads that read the same are one. */
static void test_symmetric_reads(void **state)
{
    (void)state;
    const struct program reads = {{{spawn(1), spawn(2), spawn(3), store(0, 1, SM_ORDER_RELAXED)},
                                   {load(0, SM_ORDER_RELAXED)},
                                   {load(0, SM_ORDER_RELAXED)},
                                   {load(0, SM_ORDER_RELAXED)}}};
    assert_int_equal(executions(&reads, SM_MODEL_SC), 8);
    explore_classes(&reads, 0);
    assert_int_equal(all.in_classes[1], 2); /* none sees the store, all do */
    assert_int_equal(all.in_classes[3], 2);
    assert_int_equal(all.stands_for, 8);
}

static void test_choice(void **state)
{
    (void)state;
    struct program program = {{{{.kind = SM_LOCAL_CHOICE, .value = 3, .site = SM_NO_SITE}},
                               {store(0, 1, SM_ORDER_RELAXED)},
                               {store(0, 2, SM_ORDER_RELAXED)}}};
    assert_int_equal(executions(&program, SM_MODEL_C11), 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store_buffering),
        cmocka_unit_test(test_message_passing),
        cmocka_unit_test(test_revisits),
        cmocka_unit_test(test_one_step),
        cmocka_unit_test(test_read_modify_writes),
        cmocka_unit_test(test_choices_in_order),
        cmocka_unit_test(test_mutex),
        cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_symmetric_reads),
        cmocka_unit_test(test_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
