/*
 * The memory models on a fake memory: which outcomes two threads of two accesses can have, over
 * all orders of execution and all answers that a model asks for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "../../runtime/choice.h"
#include "../../runtime/control.h"
#include "../../runtime/end.h"
#include "../../runtime/engine.h"
#include "../../runtime/hb.h"
#include "../../runtime/heap.h"
#include "../../runtime/model/model.h"
#include "../../runtime/module.h"
#include "../../runtime/sched/sched.h"
#include "../../runtime/step.h"
#include "../../runtime/thread.h"
#include "../../runtime/trace.h"

/* ---- the rest of the runtime ---- */

static struct sm_control control;
struct sm_control *sm_control = &control;
const struct sm_engine *sm_engine;
bool sm_seldom_touched[SM_SELDOM_PAGES];
static struct sm_thread threads[2];
static uint64_t next_record;

/* What an execution has not freed ends with it in the runtime. Here it stays reachable, so that it
   is not called a leak. */
static struct block {
    struct block *next, *previous;
} live = {&live, &live};

void *sm_alloc(size_t size)
{
    struct block *block = calloc(1, sizeof *block + size);
    *block = (struct block){live.next, &live};
    block->next->previous = live.next = block;
    return block + 1;
}

void sm_free(void *memory, size_t size)
{
    (void)size;
    if (!memory)
        return;
    struct block *block = (struct block *)memory - 1;
    block->next->previous = block->previous;
    block->previous->next = block->next;
    free(block);
}

struct sm_thread *sm_thread_by_id(uint32_t id)
{
    return id < 2 ? &threads[id] : NULL;
}

uint32_t sm_thread_count(void)
{
    return 2;
}

bool sm_is_lied_about(const struct sm_event *event)
{
    (void)event;
    return true;
}

uint32_t sm_site_number(const struct sm_site *site)
{
    (void)site;
    return 0;
}

uint64_t sm_trace_next(void)
{
    return next_record;
}

uint64_t sm_trace_external(const struct sm_event *event, uint64_t value)
{
    (void)event, (void)value;
    return next_record++;
}

void sm_trace_flush(struct sm_thread *thread, uintptr_t addr, unsigned size, uint64_t value,
                    uint64_t rf)
{
    (void)thread, (void)addr, (void)size, (void)value, (void)rf;
    next_record++;
}

void sm_trace_set_source(uint64_t read, uint64_t store)
{
    (void)read, (void)store;
}

_Noreturn void sm_end(int how, int status, const char *format, ...)
{
    (void)how, (void)status, (void)format;
    abort();
}

void sm_end_settled(void) {}

uint32_t sm_wake_all(const void *queue)
{
    (void)queue;
    return 0;
}

void sm_heap_reserve(const void *addr)
{
    (void)addr;
}

/* ---- all answers, one path after the other ---- */

static struct {
    uint32_t pick, n;
} path[64];
static size_t length, made;

uint32_t sm_choose(enum sm_purpose purpose, uint32_t n, const void *context)
{
    (void)purpose, (void)context;
    if (n == 1)
        return 0;
    assert_true(made < sizeof path / sizeof path[0]);
    if (made == length) {
        path[length].pick = 0;
        path[length++].n = n;
    }
    return path[made++].pick;
}

static bool next_path(void)
{
    while (length && ++path[length - 1].pick == path[length - 1].n)
        length--;
    made = 0;
    return length > 0;
}

/* ---- programs ---- */

enum { X, Y };
struct access {
    uint8_t kind, variable, order, op;
    uint32_t value;
};
#define LOAD(variable, order)                                                                      \
    {SM_ORDER_##order == SM_ORDER_PLAIN ? SM_EV_LOAD : SM_EV_ATOMIC_LOAD, variable,                \
     SM_ORDER_##order, 0, 0}
#define STORE(variable, order, value)                                                              \
    {SM_ORDER_##order == SM_ORDER_PLAIN ? SM_EV_STORE : SM_EV_ATOMIC_STORE, variable,              \
     SM_ORDER_##order, 0, value}
#define CAS(variable, value) {SM_EV_RMW, variable, SM_ORDER_SEQ_CST, SM_OP_CAS, value}
enum { WIDTH = 2 };
typedef struct access program[2][WIDTH];

static uint64_t cells[8]; /* the memory: a granule for each variable */
static struct sm_site site = {
    .file = "?", .function = "?", .variable = "v", .size = 4, .kind = SM_SITE_CAS};

static uint32_t perform(struct sm_thread *self, const struct access *access)
{
    struct sm_event event = {.kind = access->kind,
                             .size = 4,
                             .order = access->order,
                             .order_fail = SM_ORDER_RELAXED,
                             .op = access->op,
                             .flags = SM_RECORD_LIED,
                             .thread = self,
                             .site = &site,
                             .addr = (uintptr_t)&cells[2 * access->variable],
                             .value = access->value};
    sm_hb_before(&event);
    switch (access->kind) {
    case SM_EV_LOAD:
    case SM_EV_ATOMIC_LOAD:
        sm_model->load(&event);
        break;
    case SM_EV_RMW:
        sm_model->rmw(&event);
        break;
    default:
        sm_model->store(&event);
    }
    sm_hb_after(&event);
    next_record++;
    return event.kind == SM_EV_CAS_FAIL ? 7 : (uint32_t)event.value;
}

static void start(const struct sm_model *model)
{
    memset(cells, 0, sizeof cells);
    memset(threads, 0, sizeof threads);
    threads[1].id = 1;
    threads[0].next = &threads[1];
    next_record = 0;
    sm_model = model;
    model->start();
    sm_hb_start(true, true, model->plain_is_relaxed);
    struct sm_event spawn = {.kind = SM_EV_SPAWN, .thread = &threads[0], .old = 1};
    sm_hb_sync(&spawn);
}

/* What the loads and compare-exchanges of an execution gave, in the order of the program. */
static uint32_t execute(const struct sm_model *model, const program accesses)
{
    uint32_t done[2] = {0, 0}, running = 0, results[2][WIDTH] = {{0}}, outcome = 0;
    start(model);
    while (done[0] + done[1] < 2 * WIDTH) {
        bool both = done[0] < WIDTH && done[1] < WIDTH;
        uint32_t who = both ? sm_choose(SM_PURPOSE_THREAD, 2, NULL) : done[0] == WIDTH;
        if (who != running && model->switched)
            model->switched(&threads[running], &threads[who]);
        running = who;
        if (model->point)
            model->point(&threads[who]);
        results[who][done[who]] = perform(&threads[who], &accesses[who][done[who]]);
        done[who]++;
    }
    for (int i = 0; i < 2 * WIDTH; i++) {
        uint8_t kind = accesses[i / WIDTH][i % WIDTH].kind;
        if (kind == SM_EV_LOAD || kind == SM_EV_ATOMIC_LOAD || kind == SM_EV_RMW)
            outcome = outcome * 10 + results[i / WIDTH][i % WIDTH];
    }
    return outcome;
}

static bool can(const struct sm_model *model, const program accesses, uint32_t outcome)
{
    bool seen = false;
    size_t paths = 0;
    length = made = 0;
    do {
        seen |= execute(model, accesses) == outcome;
        paths++;
    } while (next_path());
    assert_true(paths >= 6); /* the orders of execution alone */
    return seen;
}

/* In the order of models.def: + allowed, - forbidden. */
static void expect(const program accesses, uint32_t outcome, const char *allowed)
{
    static const struct sm_model *const models[] = {
#define SM_MODEL(name, word, needs) &sm_model_##word,
#include "../../abi/models.def"
    };
    assert_int_equal(strlen(allowed), SM_MODELS);
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        if (can(models[i], accesses, outcome) != (allowed[i] == '+'))
            fail_msg("model %zu: outcome %u must be %c", i, (unsigned)outcome, allowed[i]);
}

/* ---- tests ---- */

static void store_buffering(void **state)
{
    (void)state;
    static const program relaxed = {{STORE(X, RELAXED, 1), LOAD(Y, RELAXED)},
                                    {STORE(Y, RELAXED, 1), LOAD(X, RELAXED)}};
    static const program seq_cst = {{STORE(X, SEQ_CST, 1), LOAD(Y, SEQ_CST)},
                                    {STORE(Y, SEQ_CST, 1), LOAD(X, SEQ_CST)}};
    expect(relaxed, 0, "-+++++");
    expect(relaxed, 11, "++++++");
    expect(seq_cst, 0, "------");
}

static void message_passing(void **state)
{
    (void)state;
    static const program relaxed = {{STORE(X, RELAXED, 1), STORE(Y, RELAXED, 1)},
                                    {LOAD(Y, RELAXED), LOAD(X, RELAXED)}};
    static const program ordered = {{STORE(X, PLAIN, 1), STORE(Y, RELEASE, 1)},
                                    {LOAD(Y, ACQUIRE), LOAD(X, PLAIN)}};
    expect(relaxed, 10, "--++++");
    expect(ordered, 10, "------");
    expect(ordered, 11, "++++++");
}

static void coherence(void **state)
{
    (void)state;
    static const program atomic = {{STORE(X, RELAXED, 1), STORE(Y, RELAXED, 1)},
                                   {LOAD(X, RELAXED), LOAD(X, RELAXED)}};
    static const program plain = {{STORE(X, PLAIN, 1), STORE(Y, PLAIN, 1)},
                                  {LOAD(X, PLAIN), LOAD(X, PLAIN)}};
    expect(atomic, 10, "------");
    expect(plain, 10, "----++");
}

/* What the memory holds when no store is left in a buffer: the last in modification order. Both
   threads store to both variables, in opposite orders (2+2W). */
static bool can_end(const struct sm_model *model, const program accesses, uint64_t x, uint64_t y)
{
    bool seen = false;
    length = made = 0;
    do {
        execute(model, accesses);
        seen |= cells[2 * X] == x && cells[2 * Y] == y;
    } while (next_path());
    return seen;
}

static void modification_order(void **state)
{
    (void)state;
    static const program relaxed = {{STORE(X, RELAXED, 1), STORE(Y, RELAXED, 2)},
                                    {STORE(Y, RELAXED, 1), STORE(X, RELAXED, 2)}};
    static const program seq_cst = {{STORE(X, SEQ_CST, 1), STORE(Y, SEQ_CST, 2)},
                                    {STORE(Y, SEQ_CST, 1), STORE(X, SEQ_CST, 2)}};
    assert_false(can_end(&sm_model_sc, relaxed, 1, 1));
    assert_true(can_end(&sm_model_sc, relaxed, 2, 2));
    assert_true(can_end(&sm_model_c11, relaxed, 1, 1));
    assert_false(can_end(&sm_model_c11, seq_cst, 1, 1));
}

/* 7: it failed. Two that both expect 0 do not both succeed. */
static void compare_exchange(void **state)
{
    (void)state;
    static const program both = {{CAS(X, 1), LOAD(Y, RELAXED)}, {CAS(X, 2), LOAD(Y, RELAXED)}};
    for (int weak = 0; weak < 2; weak++) {
        site.flags = weak ? SM_SITE_WEAK_CAS : 0;
        expect(both, 1020, "------");
        expect(both, 1070, "++++++");
        expect(both, 7070, weak ? "++++++" : "------");
    }
    site.flags = 0;
}

int main(void)
{
    control.options.history = 32;
    control.options.unfair = 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(store_buffering), cmocka_unit_test(message_passing),
        cmocka_unit_test(coherence), cmocka_unit_test(modification_order),
        cmocka_unit_test(compare_exchange)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
