/*
 * The checker against its brute-force twin: on the litmus tests, on random tiny programs, and
 * on legal traces with a single thing made wrong. Seeds are fixed; run time is seconds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "enumerator.h"

struct litmus {
    const char *name, *program, *outcome, *allowed;
};

static const struct litmus litmus[] = {
#define SM_LITMUS(name, program, outcome, allowed) {name, program, outcome, allowed},
#include "../litmus/litmus.def"
};
enum { N_LITMUS = sizeof litmus / sizeof litmus[0], COLUMNS = 6 };

static const char *const column_names[COLUMNS] = {"sc", "tso", "pso", "c11", "hb", "oota"};

static struct sm_check_options column(int i)
{
    return (struct sm_check_options){
        .model = (enum sm_model_id)i, .volatile_as = SM_VOLATILE_RELAXED, .prescient = i == 5};
}

/* ---- agreement on one trace ---- */

static void print_trace(const struct sm_record *records, uint32_t n)
{
    static const char *const words[] = {
#define SM_EVENT(name, word, hb) word,
#include "../../abi/events.def"
    };
    for (uint32_t i = 0; i < n; i++) {
        const struct sm_record *r = &records[i];
        fprintf(stderr, "  %2u t%u %-14s order %u flags %02x addr %lx value %lx old %lx rf %ld\n",
                i, r->thread, words[r->kind], r->order, r->flags, r->addr, r->value, r->old,
                (long)r->rf);
    }
}

static bool agree(const char *what, const struct sm_record *records, uint32_t n,
                  const struct sm_check_options *options)
{
    struct sm_verdict verdict;
    bool legal = sm_check_records(records, n, options, &verdict);
    bool should = en_legal(records, n, options);
    bool named = legal ? !verdict.axiom : verdict.axiom && verdict.why[0];
    if (legal != should || !named) {
        fprintf(stderr, "%s: the checker says %s, the textbook %s: %s\n", what,
                legal ? "legal" : "illegal", should ? "legal" : "illegal", verdict.why);
        print_trace(records, n);
    }
    assert_true(named);
    assert_int_equal(legal, should);
    return legal;
}

/* ---- outcomes ---- */

struct outcome_context {
    const char *name;
    const struct sm_check_options *options;
    bool allowed;
};

static void visit_outcome(const struct en_trace *trace, void *context)
{
    struct outcome_context *c = context;
    c->allowed |= agree(c->name, trace->records, trace->n, c->options);
}

static void test_outcome(const struct litmus *test, int i)
{
    struct en_program program;
    struct en_outcome wanted;
    struct sm_check_options options = column(i);
    struct outcome_context context = {test->name, &options, false};
    en_parse(test->program, &program);
    en_parse_outcome(test->outcome, &program, &wanted);
    struct en_request request = {.program = &program,
                                 .options = options,
                                 .forced = options.model < SM_MODEL_C11,
                                 .wanted = &wanted,
                                 .visit = visit_outcome,
                                 .context = &context};
    en_traces(&request);
    if (context.allowed != (test->allowed[i] == '+'))
        fail_msg("%s: outcome %s is %s in %s", test->name, test->outcome,
                 context.allowed ? "allowed" : "forbidden", column_names[i]);
}

static void outcomes_are_as_in_the_literature(void **state)
{
    (void)state;
    for (int t = 0; t < N_LITMUS; t++)
        for (int i = 0; i < COLUMNS; i++)
            test_outcome(&litmus[t], i);
}

/* ---- samples of all candidates, and mutants of the legal ones ---- */

static uint64_t random_state;

static uint32_t random_below(uint32_t n)
{
    random_state += 0x9e3779b97f4a7c15u;
    uint64_t z = random_state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z >> 32) * n >> 32);
}

static bool is_read(const struct sm_record *r)
{
    return r->rf != SM_RF_NONE && r->kind <= SM_EV_CAS_FAIL;
}

static bool is_write(const struct sm_record *r)
{
    return r->kind == SM_EV_STORE || r->kind == SM_EV_ATOMIC_STORE || r->kind == SM_EV_RMW;
}

static uint64_t *value_read(struct sm_record *r)
{
    return r->kind == SM_EV_RMW ? &r->old : &r->value;
}

/* Another store to the same place, or the initial value; the value comes along. */
static bool redirect_read(struct sm_record *r, uint32_t n, uint32_t i)
{
    uint32_t w = random_below(n + 1);
    if (!is_read(&r[i]) || (w < n && (!is_write(&r[w]) || r[w].addr != r[i].addr || w == i)))
        return false;
    r[i].rf = w == n ? SM_RF_INITIAL : w;
    *value_read(&r[i]) = w == n ? 0 : r[w].value;
    return true;
}

static bool change_value(struct sm_record *r, uint32_t n, uint32_t i)
{
    (void)n;
    *(random_below(2) ? &r[i].value : value_read(&r[i])) ^= 1;
    return r[i].kind <= SM_EV_CAS_FAIL;
}

static uint64_t renumbered(uint64_t rf, uint32_t i)
{
    return rf == i ? i + 1 : rf == i + 1 ? i : rf;
}

/* Two neighbours trade places; reads-from goes with them. */
static bool swap_records(struct sm_record *r, uint32_t n, uint32_t i)
{
    if (i + 1 == n)
        return false;
    struct sm_record first = r[i];
    r[i] = r[i + 1];
    r[i + 1] = first;
    for (uint32_t k = 0; k < n; k++)
        if (is_read(&r[k]) || r[k].kind == SM_EV_FLUSH)
            r[k].rf = renumbered(r[k].rf, i);
    return true;
}

static bool change_order(struct sm_record *r, uint32_t n, uint32_t i)
{
    (void)n;
    static const uint8_t orders[] = {SM_ORDER_RELAXED, SM_ORDER_ACQUIRE, SM_ORDER_RELEASE,
                                     SM_ORDER_ACQ_REL, SM_ORDER_SEQ_CST};
    bool has_order = r[i].kind >= SM_EV_ATOMIC_LOAD && r[i].kind <= SM_EV_FENCE;
    if (has_order)
        r[i].order = orders[random_below(5)];
    return has_order;
}

static bool change_flags(struct sm_record *r, uint32_t n, uint32_t i)
{
    (void)n;
    static const uint8_t flags[] = {SM_RECORD_LIED, SM_RECORD_DELAYED, SM_RECORD_STALE,
                                    SM_RECORD_FUTURE, SM_RECORD_VOLATILE};
    bool access = r[i].kind <= SM_EV_CAS_FAIL;
    if (access)
        r[i].flags ^= flags[random_below(5)];
    return access;
}

static bool change_thread(struct sm_record *r, uint32_t n, uint32_t i)
{
    r[i].thread = r[random_below(n)].thread;
    return true;
}

static bool change_kind(struct sm_record *r, uint32_t n, uint32_t i)
{
    (void)n;
    if (r[i].kind == SM_EV_LOCK || r[i].kind == SM_EV_FLUSH || r[i].kind == SM_EV_JOIN)
        r[i].kind = SM_EV_YIELD;
    else
        return false;
    return true;
}

typedef bool mutation(struct sm_record *records, uint32_t n, uint32_t i);
static mutation *const mutations[] = {redirect_read, redirect_read, change_value,  swap_records,
                                      change_order,  change_flags,  change_thread, change_kind};

struct sample {
    const char *name;
    struct sm_check_options options;
    uint64_t one_in; /* of the candidates is judged */
    uint64_t judged, legal, mutants, rejected;
};

static void judge_mutants(struct sample *s, const struct en_trace *trace)
{
    struct sm_record records[EN_RECORDS];
    for (int tries = 0; tries < 8; tries++) {
        memcpy(records, trace->records, sizeof records);
        mutation *mutate = mutations[random_below(sizeof mutations / sizeof mutations[0])];
        if (!mutate(records, trace->n, random_below(trace->n)))
            continue;
        s->mutants++;
        s->rejected += !agree(s->name, records, trace->n, &s->options);
    }
}

static void visit_sample(const struct en_trace *trace, void *context)
{
    struct sample *s = context;
    if (random_below((uint32_t)s->one_in) != 0)
        return;
    s->judged++;
    if (agree(s->name, trace->records, trace->n, &s->options)) {
        s->legal++;
        judge_mutants(s, trace);
    }
}

static void count_only(const struct en_trace *trace, void *context)
{
    (void)trace;
    (void)context;
}

/* About `size` of the candidates that have memory order right (so that many are legal), and
   as many of all candidates. */
static void sample_program(struct sample *s, const struct en_program *program, uint64_t size)
{
    struct en_request request = {.program = program, .options = s->options, .context = s};
    for (int forced = s->options.model < SM_MODEL_C11; forced >= 0; forced--) {
        request.forced = forced;
        request.visit = count_only;
        s->one_in = en_traces(&request) / size + 1;
        request.visit = visit_sample;
        en_traces(&request);
    }
}

static void candidates_and_mutants_of_litmus_tests(void **state)
{
    (void)state;
    struct sample total = {0};
    random_state = 1;
    for (int t = 0; t < N_LITMUS; t++)
        for (int i = 0; i < COLUMNS; i++) {
            struct en_program program;
            struct en_outcome ignored;
            struct sample s = {.name = litmus[t].name, .options = column(i)};
            en_parse(litmus[t].program, &program);
            en_parse_outcome(litmus[t].outcome, &program, &ignored);
            sample_program(&s, &program, 60);
            total.judged += s.judged;
            total.legal += s.legal;
            total.mutants += s.mutants;
            total.rejected += s.rejected;
        }
    print_message("%lu candidates, %lu legal; %lu mutants, %lu rejected\n", total.judged,
                  total.legal, total.mutants, total.rejected);
    assert_true(total.legal > 1000 && total.rejected > 1000);
    assert_true(total.legal < total.judged && total.rejected < total.mutants);
}

/* ---- random programs ---- */

static struct en_instruction random_instruction(bool updates)
{
    static const uint8_t stores[] = {SM_ORDER_PLAIN, SM_ORDER_RELAXED, SM_ORDER_RELEASE,
                                     SM_ORDER_SEQ_CST};
    static const uint8_t loads[] = {SM_ORDER_PLAIN, SM_ORDER_RELAXED, SM_ORDER_ACQUIRE,
                                    SM_ORDER_SEQ_CST};
    static const uint8_t both[] = {SM_ORDER_RELAXED, SM_ORDER_ACQUIRE, SM_ORDER_RELEASE,
                                   SM_ORDER_ACQ_REL, SM_ORDER_SEQ_CST};
    static const uint8_t fences[] = {SM_ORDER_ACQUIRE, SM_ORDER_RELEASE, SM_ORDER_ACQ_REL,
                                     SM_ORDER_SEQ_CST, SM_ORDER_SEQ_CST};
    struct en_instruction in = {.op = "WWWRRRUF"[random_below(8)],
                                .location = (uint8_t)random_below(2),
                                .value = (uint8_t)(1 + random_below(3)),
                                .is_volatile = random_below(8) == 0};
    if (in.op == 'U' && !updates)
        in.op = 'R';
    in.order = in.op == 'W'   ? stores[random_below(4)]
               : in.op == 'R' ? loads[random_below(4)]
               : in.op == 'U' ? both[random_below(5)]
                              : fences[random_below(5)];
    return in;
}

static struct en_program random_program(void)
{
    struct en_program program = {.n_threads = 2 + random_below(2)};
    uint32_t left = 6;
    for (uint32_t t = 0; t < program.n_threads; t++) {
        uint32_t length = 1 + random_below(3);
        program.length[t] = length < left ? length : left;
        left -= program.length[t];
        for (uint32_t i = 0; i < program.length[t]; i++)
            program.code[t][i] = random_instruction(true);
    }
    return program;
}

static void random_programs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        random_state = seed;
        struct en_program program = random_program();
        char name[32];
        snprintf(name, sizeof name, "seed %lu", seed);
        for (int i = 0; i < COLUMNS; i++) {
            struct sample s = {.name = name, .options = column(i)};
            if (i > 2 && seed % 3 == 0)
                s.options.volatile_as = seed % 2 ? SM_VOLATILE_PLAIN : SM_VOLATILE_SEQ_CST;
            sample_program(&s, &program, 25);
        }
    }
}

/* ---- random traces with accesses of two sizes ---- */

/* Locations: the halves of one granule, the granule, and a granule elsewhere. */
static const struct {
    uint64_t addr;
    uint8_t size;
} ranges[] = {{0x1000, 4}, {0x1004, 4}, {0x1000, 8}, {0x1000, 8}, {0x2000, 4}};

static uint64_t random_source(const struct sm_record *r, uint32_t n, uint64_t unit)
{
    uint64_t rf = SM_RF_INITIAL;
    for (uint32_t w = 0; w < n; w++)
        if (is_write(&r[w]) && r[w].addr <= unit && unit < r[w].addr + r[w].size &&
            random_below(4) != 0)
            rf = w;
    return rf;
}

static uint64_t bytes_of(const struct sm_record *r, uint64_t rf, uint64_t unit)
{
    return rf == SM_RF_INITIAL ? 0 : r[rf].value >> 8 * (unit - r[rf].addr) & 0xffffffff;
}

/* Appends PART records when the halves are from different stores; returns the new length. */
static uint32_t choose_sources(struct sm_record *r, uint32_t n, uint32_t i)
{
    uint64_t low = random_source(r, i, r[i].addr), high = low;
    uint64_t value = bytes_of(r, low, r[i].addr);
    if (r[i].size == 8) {
        high = random_below(3) && low != SM_RF_INITIAL && r[low].size == 8
                   ? low
                   : random_source(r, i, r[i].addr + 4);
        value |= bytes_of(r, high, r[i].addr + 4) << 32;
    }
    *value_read(&r[i]) = value;
    r[i].rf = low == high ? low : SM_RF_PARTS;
    for (int half = 0; half < 2 && low != high; half++)
        r[n++] = (struct sm_record){.kind = SM_EV_PART,
                                    .size = 4,
                                    .thread = r[i].thread,
                                    .site = SM_NO_SITE,
                                    .addr = r[i].addr + 4u * (unsigned)half,
                                    .rf = half ? high : low};
    return n;
}

static uint32_t random_event(struct sm_record *r, uint32_t n)
{
    struct en_instruction in = random_instruction(true);
    bool plain = in.order == SM_ORDER_PLAIN;
    int kind = in.op == 'F'   ? SM_EV_FENCE
               : in.op == 'U' ? SM_EV_RMW
               : in.op == 'W' ? (plain ? SM_EV_STORE : SM_EV_ATOMIC_STORE)
                              : (plain ? SM_EV_LOAD : SM_EV_ATOMIC_LOAD);
    int range = (int)random_below(5);
    r[n] = (struct sm_record){.kind = (uint8_t)kind,
                              .order = in.order,
                              .thread = 1 + random_below(3),
                              .site = SM_NO_SITE,
                              .rf = SM_RF_NONE};
    if (in.op == 'F')
        return n + 1;
    r[n].addr = ranges[range].addr;
    r[n].size = ranges[range].size;
    r[n].flags = SM_RECORD_LIED;
    r[n].value = in.op == 'R' ? 0 : r[n].size == 8 ? (n + 1) * 0x100000001ul : n + 1;
    return in.op == 'W' ? n + 1 : choose_sources(r, n + 1, n);
}

static void random_traces_of_mixed_sizes(void **state)
{
    (void)state;
    uint32_t legal = 0, rounds = 60000;
    random_state = 7;
    for (uint32_t round = 0; round < rounds; round++) {
        struct sm_record r[EN_RECORDS];
        uint32_t n = 0;
        for (uint32_t t = 1; t <= 3; t++)
            r[n++] = (struct sm_record){.kind = SM_EV_SPAWN, .site = SM_NO_SITE, .old = t};
        for (uint32_t t = 1; t <= 3; t++)
            r[n++] = (struct sm_record){.kind = SM_EV_BEGIN, .site = SM_NO_SITE, .thread = t};
        for (uint32_t k = 3 + random_below(6); k; k--)
            n = random_event(r, n);
        struct sm_check_options options = column(round % 8 ? 3 + (int)(round % 2) : 0);
        legal += agree("mixed sizes", r, n, &options);
    }
    assert_true(legal > rounds / 20 && legal < rounds);
}

/* ---- tso and pso against the axioms that know no memory order ---- */

/* An execution without the trace it was found in: reads-from, and the order of landing at
   each location. */
struct execution {
    uint64_t signature;
    bool allowed; /* by the axioms over program order */
    bool reached; /* by a trace that the checker finds legal */
};

struct executions {
    struct sm_check_options options;
    struct execution at[4096];
    uint32_t n;
};

/* Who the record is, whatever its place in the trace: thread, and how many it had before. */
static uint64_t identity(const struct sm_record *r, uint64_t i)
{
    uint64_t before = 0;
    for (uint64_t k = 0; k < i; k++)
        before += r[k].thread == r[i].thread && r[k].kind != SM_EV_FLUSH;
    return r[i].thread * 16 + before;
}

/* 0 when some store has not landed. */
static uint64_t signature(const struct en_trace *trace)
{
    const struct sm_record *r = trace->records;
    uint64_t landed[2] = {1, 2}, sources = 0, pending = 0;
    for (uint32_t i = 0; i < trace->n; i++) {
        bool delayed = r[i].flags & SM_RECORD_DELAYED;
        pending += delayed;
        pending -= r[i].kind == SM_EV_FLUSH;
        if (r[i].kind == SM_EV_FLUSH || (is_write(&r[i]) && !delayed)) {
            uint64_t *order = &landed[(r[i].addr - 0x1000) / 8];
            uint64_t store = r[i].kind == SM_EV_FLUSH ? r[i].rf : i;
            *order = (*order ^ identity(r, store)) * 0x9e3779b97f4a7c15u;
        }
        if (is_read(&r[i]) && r[i].kind != SM_EV_FLUSH)
            sources += (identity(r, i) * 0x10001 + 1) *
                       (r[i].rf == SM_RF_INITIAL ? 7 : 11 + identity(r, r[i].rf)) *
                       0xbf58476d1ce4e5b9u;
    }
    return pending ? 0 : (landed[0] + 3 * landed[1] + sources) | 1;
}

static void visit_execution(const struct en_trace *trace, void *context)
{
    struct executions *all = context;
    struct sm_verdict verdict;
    uint64_t s = signature(trace);
    uint32_t i = 0;
    if (!s)
        return;
    while (i < all->n && all->at[i].signature != s)
        i++;
    if (i == all->n) {
        assert_true(++all->n <= sizeof all->at / sizeof all->at[0]);
        all->at[i] = (struct execution){
            .signature = s, .allowed = en_allowed(trace->records, trace->n, all->options.model)};
    }
    all->at[i].reached |=
        !all->at[i].reached && sm_check_records(trace->records, trace->n, &all->options, &verdict);
}

static void store_buffers_reach_what_the_axioms_allow(void **state)
{
    (void)state;
    static const char *const programs[] = {
        "W x 1; R y | W y 1; R x",           "W x 1; W y 1 | R y; R x",
        "W x 1; W y 1 rel | R y; R x",       "W x 1 sc; R y | W y 1; R x",
        "W x 1; F rel; W y 1 | R y; R x",    "W x 1; F sc; R y | W y 1; R x",
        "W x 1; R x | W x 2; R x",           "W x 1; U y 1 rlx | W y 2; R x",
        "W x 1; R x; R y | W y 1; R y; R x", "W x 1; W y 2 | W y 1; W x 2",
    };
    for (size_t p = 0; p < sizeof programs / sizeof programs[0]; p++)
        for (int model = SM_MODEL_TSO; model <= SM_MODEL_PSO; model++) {
            struct en_program program;
            struct executions *all = calloc(1, sizeof *all);
            uint32_t allowed = 0;
            all->options = column(model);
            en_parse(programs[p], &program);
            en_traces(&(struct en_request){.program = &program,
                                           .options = all->options,
                                           .visit = visit_execution,
                                           .context = all});
            for (uint32_t i = 0; i < all->n; i++) {
                allowed += all->at[i].allowed;
                if (all->at[i].allowed != all->at[i].reached)
                    fail_msg("%s in %s: an execution is %s by the axioms and %s by the checker",
                             programs[p], column_names[model],
                             all->at[i].allowed ? "allowed" : "forbidden",
                             all->at[i].reached ? "reached" : "not reached");
            }
            assert_true(allowed > 1);
            free(all);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_are_as_in_the_literature),
        cmocka_unit_test(candidates_and_mutants_of_litmus_tests),
        cmocka_unit_test(random_programs),
        cmocka_unit_test(store_buffers_reach_what_the_axioms_allow),
        cmocka_unit_test(random_traces_of_mixed_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
